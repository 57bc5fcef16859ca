import { type FileHandle, open } from 'node:fs/promises'
import { type MillraceClient, readJson, type UploadOptions, upload } from '@millrace/client'
import { UsageError } from './command.ts'
import { megabytes, type Status, StatusLine } from './output/status-line.ts'

/** Opens the file of an option. @throws UsageError if that fails, or it is a directory. */
export async function openFile(option: string, path: string, flags: string): Promise<FileHandle> {
  try {
    const file = await open(path, flags)
    if (!(await file.stat()).isDirectory()) return file
    await file.close()
  } catch (error) {
    throw new UsageError(`--${option}: ${(error as Error).message}`)
  }
  throw new UsageError(`--${option}: ${path} is a directory`)
}

type FileToSend = {
  readonly option: string
  /** Its path; `-` is the standard input. */
  readonly file: string
}

/**
 * Sends the file of an option as the body of a request, and shows how much of it is sent. Returns
 * the answer.
 * @throws UsageError if it cannot be read; ApiError
 */
export async function uploadFile(
  api: Pick<MillraceClient, 'request'>,
  path: string,
  { option, file }: FileToSend,
  options: Pick<UploadOptions, 'contentType' | 'signal'>,
): Promise<unknown> {
  const handle = file === '-' ? undefined : await openFile(option, file, 'r')
  const stat = await handle?.stat()
  // A pipe shows its size at its end.
  const size = stat?.isFile() ? stat.size : undefined
  let sent = 0
  const status = new StatusLine(() => statusOf(sent, size))
  try {
    const pieces = handle?.createReadStream({ autoClose: false }) ?? process.stdin
    const answer = await upload(api, path, pieces, {
      ...options,
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

function statusOf(sent: number, size: number | undefined): Status {
  if (size === undefined) return { text: `${megabytes(sent)} sent` }
  const share = size === 0 ? 1 : sent / size
  return { share, text: `${megabytes(sent)} of ${megabytes(size)} sent` }
}
