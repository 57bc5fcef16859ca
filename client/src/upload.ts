import type { MillraceClient } from './client.ts'
import { errorIn } from './errors.ts'

/** A body that is sent in pieces, such as a file. */
export type Source = Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

export type UploadOptions = {
  readonly method?: 'PUT' | 'POST'
  readonly contentType: string
  readonly accept?: string
  readonly signal?: AbortSignal
  /**
   * The bytes of a stream: sent ahead as `Content-Length`, by which the instance refuses a file that
   * is too large before it reads it. Browsers leave it out.
   */
  readonly size?: number
  /** Called with the bytes that were sent so far; in a browser only when all were. */
  readonly progress?: (bytes: number) => void
  /** The time that a piece may take, and the answer behind the last one, in milliseconds. */
  readonly timeoutMs?: number
}

/**
 * Sends bytes as they come, without holding them in memory. A browser sends no streams over
 * HTTP/1.1: there a source that is no `Blob` is collected first.
 * @throws ApiError
 */
export async function upload(
  client: Pick<MillraceClient, 'request'>,
  path: string,
  source: Source,
  { method = 'PUT', contentType, accept, signal, size, progress, timeoutMs }: UploadOptions,
): Promise<Response> {
  const body = await toBody(source, progress)
  const length = size ?? (source instanceof Blob ? source.size : undefined)
  const response = await client.request(path, {
    method,
    headers: {
      'content-type': contentType,
      ...(accept !== undefined && { accept }),
      ...(length !== undefined && { 'content-length': String(length) }),
    },
    body,
    ...(signal !== undefined && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    // Else fetch keeps all that it sends, to send it again.
    redirect: 'error',
    // Node asks for it where a body is a stream.
    ...({ duplex: 'half' } as object),
  })
  if (!response.ok) throw await errorIn(response)
  if (body instanceof Blob) progress?.(body.size)
  return response
}

const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis

async function toBody(source: Source, progress?: (bytes: number) => void) {
  if (!isBrowser) {
    return progress === undefined && source instanceof Blob ? source : toStream(source, progress)
  }
  if (source instanceof Blob) return source
  const pieces: Uint8Array<ArrayBuffer>[] = []
  // The memory of a piece has no other owner, so that it can become that of a blob.
  for await (const piece of readPieces(source)) pieces.push(piece as Uint8Array<ArrayBuffer>)
  return new Blob(pieces)
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
  options: Omit<UploadOptions, 'contentType' | 'method' | 'size'> = {},
): Promise<Response> {
  const boundary = `millrace-${crypto.randomUUID()}`
  const parts = makeForm(boundary, fields, file)
  const source = parts.every(isSimple) ? new Blob(parts) : inTurn(parts)
  const contentType = `multipart/form-data; boundary=${boundary}`
  return upload(client, path, source, { ...options, method: 'POST', contentType })
}

type Part = string | Source

/** The parts of a form, which are sent one after the other. */
function makeForm(
  boundary: string,
  fields: Readonly<Record<string, string>>,
  { name, fileName, type, source }: FormFile,
): Part[] {
  const begin = (field: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${escaped(field)}"`
  const texts = Object.entries(fields).map(
    ([field, value]) => `${begin(field)}\r\n\r\n${value}\r\n`,
  )
  const head = `${begin(name)}; filename="${escaped(fileName)}"\r\ncontent-type: ${type}\r\n\r\n`
  return [...texts, head, source, `\r\n--${boundary}--\r\n`]
}

function isSimple(part: Part): part is string | Blob {
  return typeof part === 'string' || part instanceof Blob
}

async function* inTurn(parts: readonly Part[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for (const part of parts) {
    if (typeof part === 'string') yield encoder.encode(part)
    else yield* readPieces(part)
  }
}

function escaped(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

async function* readPieces(source: Source): AsyncGenerator<Uint8Array> {
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

function toStream(source: Source, progress?: (bytes: number) => void): ReadableStream<Uint8Array> {
  const pieces = readPieces(source)
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
