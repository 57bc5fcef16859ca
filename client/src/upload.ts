import type { MillraceClient } from './client.ts'
import { errorIn } from './errors.ts'

/** A body that is sent in pieces, such as a file. */
export type Source = Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

export type UploadOptions = {
  readonly method?: 'PUT' | 'POST'
  readonly contentType: string
  readonly accept?: string
  readonly signal?: AbortSignal
  /** Called with the bytes that were sent so far. */
  readonly progress?: (bytes: number) => void
}

/**
 * Sends bytes as they come, without holding them in memory.
 * @throws ApiError
 */
export async function upload(
  client: Pick<MillraceClient, 'request'>,
  path: string,
  source: Source,
  { method = 'PUT', contentType, accept, signal, progress }: UploadOptions,
): Promise<Response> {
  const response = await client.request(path, {
    method,
    headers: { 'content-type': contentType, ...(accept !== undefined && { accept }) },
    body: progress === undefined && source instanceof Blob ? source : streamOf(source, progress),
    ...(signal !== undefined && { signal }),
    // Node and browsers ask for it where a body is a stream.
    ...({ duplex: 'half' } as object),
  })
  if (!response.ok) throw await errorIn(response)
  return response
}

/** A file of a form, with the fields before it. */
export type FormFile = {
  readonly name: string
  readonly fileName: string
  readonly type: string
  readonly source: Source
}

/**
 * Sends a `multipart/form-data` body as it comes.
 * @throws ApiError
 */
export function uploadForm(
  client: Pick<MillraceClient, 'request'>,
  path: string,
  {
    file,
    fields = {},
  }: { readonly file: FormFile; readonly fields?: Readonly<Record<string, string>> },
  options: Omit<UploadOptions, 'contentType' | 'method'> = {},
): Promise<Response> {
  const boundary = `millrace-${crypto.randomUUID()}`
  const source = formOf(boundary, fields, file)
  const contentType = `multipart/form-data; boundary=${boundary}`
  return upload(client, path, source, { ...options, method: 'POST', contentType })
}

async function* formOf(
  boundary: string,
  fields: Readonly<Record<string, string>>,
  { name, fileName, type, source }: FormFile,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for (const [field, value] of Object.entries(fields)) {
    yield encoder.encode(
      `--${boundary}\r\ncontent-disposition: form-data; name="${escaped(field)}"\r\n\r\n${value}\r\n`,
    )
  }
  yield encoder.encode(
    `--${boundary}\r\ncontent-disposition: form-data; name="${escaped(name)}"; ` +
      `filename="${escaped(fileName)}"\r\ncontent-type: ${type}\r\n\r\n`,
  )
  yield* piecesOf(source)
  yield encoder.encode(`\r\n--${boundary}--\r\n`)
}

function escaped(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

async function* piecesOf(source: Source): AsyncGenerator<Uint8Array> {
  const stream = source instanceof Blob ? source.stream() : source
  if (!(stream instanceof ReadableStream)) {
    yield* stream
    return
  }
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

function streamOf(source: Source, progress?: (bytes: number) => void): ReadableStream<Uint8Array> {
  const pieces = piecesOf(source)
  let sent = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done === true) return controller.close()
      controller.enqueue(value)
      sent += value.length
      progress?.(sent)
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
}
