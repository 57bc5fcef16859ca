import { writeFile } from 'node:fs/promises'
import { type MillraceClient, readJson, upload } from '@millrace/client'
import type { Context } from './command.ts'
import { megabytes, type Status } from './output/status-line.ts'

type FileToSend = {
  readonly option: string
  /** Its path; `-` is the standard input. */
  readonly file: string
  readonly contentType: string
}

/**
 * Sends the file of an option as the body of a request, and shows how much of it is sent. Returns
 * the answer.
 * @throws UsageError if it cannot be read; ApiError
 */
export async function uploadFile(
  api: Pick<MillraceClient, 'request'>,
  path: string,
  { option, file, contentType }: FileToSend,
  { input, out, signal }: Pick<Context, 'input' | 'out' | 'signal'>,
): Promise<unknown> {
  const handle = file === '-' ? undefined : await input.openFile(option, file, 'r')
  const stat = await handle?.stat()
  // A pipe shows its size at its end.
  const size = stat?.isFile() ? stat.size : undefined
  let sent = 0
  const status = out.status(() => toStatus(sent, size))
  try {
    const pieces = handle?.createReadStream({ autoClose: false }) ?? input.stdin
    const answer = await upload(api, path, pieces, {
      contentType,
      signal,
      ...(size !== undefined && { size }),
      progress: (bytes) => {
        sent = bytes
      },
    })
    return await readJson(answer)
  } finally {
    status.end()
    await handle?.close()
  }
}

function toStatus(sent: number, size: number | undefined): Status {
  if (size === undefined) return { text: `${megabytes(sent)} sent` }
  const share = size === 0 ? 1 : sent / size
  return { share, text: `${megabytes(sent)} of ${megabytes(size)} sent` }
}

export const outputOption = { meaning: 'The file to write. Default: print.' } as const

/** Prints a document as JSON, or writes it into the file of `--output`. */
export async function printDocument(
  document: unknown,
  output: string | undefined,
  { input, out }: Pick<Context, 'input' | 'out'>,
): Promise<void> {
  const text = JSON.stringify(document, null, 2)
  if (output === undefined) out.show(document, () => [text])
  else await writeFile(input.path(output), `${text}\n`)
}
