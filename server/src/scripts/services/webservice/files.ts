import type { IncomingMessage } from 'node:http'
import { Fault, limits } from '../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import type { EndpointAnswer } from './answer.ts'
import type { HeaderPair } from './headers.ts'
import { type FileRange, parseRange, parseUploadRange } from './ranges.ts'
import { headersFor, parseFields, readContent } from './request.ts'

/** A file behind a signed URL. */
export type SignedFile = {
  readonly type: string
  readonly bytes: number
  readonly etag: string
  read(range: FileRange): AsyncIterable<Buffer>
}

/** Files behind signed URLs: the URL is the credential. */
export type SignedFiles = {
  owns(path: string): boolean
  open(solutionId: string, path: string): Promise<SignedFile>
  /** @returns the end of the parts that are stored; undefined once the file is complete */
  write(
    solutionId: string,
    path: string,
    bytes: AsyncIterable<Buffer>,
    part?: { readonly first: number; readonly isLast: boolean },
  ): Promise<number | undefined>
  uploaded(solutionId: string, path: string): Promise<number>
}

/** URLs to which other clouds send events; the URL is the credential. */
export type CallbackUrls = {
  owns(path: string): boolean
  receive(solutionId: string, path: string, content: CallbackContent): Promise<void>
}

type CallbackContent = {
  readonly body: ScriptValue
  readonly headers: ScriptValue
  readonly parameters: ScriptValue
}

/** Takes an event that another cloud sends. @throws Fault */
export async function exchangeCallback(
  callbacks: CallbackUrls,
  solutionId: string,
  message: IncomingMessage,
): Promise<EndpointAnswer> {
  const { method = 'GET', url = '/', headers } = message
  if (method !== 'POST') {
    message.resume()
    throw new Fault('method_not_allowed')
  }
  const { body, json } = await readContent(message)
  if (json !== undefined) throw new Fault('too_large')
  const [path = '', query = ''] = url.split('?', 2)
  const parameters = parseFields(query)
  const content = { body, headers: headersFor(headers, hiddenHeaders), parameters }
  await callbacks.receive(solutionId, path, content)
  return { status: 204, headers: [], body: undefined }
}

/** Credentials of this host are not for the script. */
const hiddenHeaders = new Set(['cookie'])

/** A file that a browser shows cannot run as a page of the solution. */
const guards = [
  ['Content-Security-Policy', "sandbox; default-src 'none'"],
  ['X-Content-Type-Options', 'nosniff'],
  ['Cache-Control', 'private, no-store'],
  ['Access-Control-Allow-Origin', '*'],
] as const

/** Answers a request to a signed URL. @throws Fault */
export async function exchangeFile(
  files: SignedFiles,
  solutionId: string,
  message: IncomingMessage,
): Promise<EndpointAnswer> {
  const { method = 'GET', url = '/', headers } = message
  if (method === 'PUT') return takeFile(files, solutionId, url, message)
  message.resume()
  if (method !== 'GET' && method !== 'HEAD') throw new Fault('method_not_allowed')
  const { type, bytes, etag, read } = await files.open(solutionId, url)
  const range = parseRange(headers, { bytes, etag })
  const own: HeaderPair[] = [
    ['Content-Type', type],
    ['ETag', etag],
    ['Accept-Ranges', 'bytes'],
    ...guards,
  ]
  if (range === 'none') {
    const size: HeaderPair = ['Content-Range', `bytes */${bytes}`]
    return { status: 416, headers: [...own, size], body: Buffer.alloc(0) }
  }
  const { start, length } = range ?? { start: 0, length: bytes }
  const body = { length, chunks: read({ start, length }) }
  if (range === undefined) return { status: 200, headers: own, body }
  const shown: HeaderPair = ['Content-Range', `bytes ${start}-${start + length - 1}/${bytes}`]
  return { status: 206, headers: [...own, shown], body }
}

/** Takes a file whole, or a part of it that `Content-Range` names. @throws Fault, Refusal */
async function takeFile(
  files: SignedFiles,
  solutionId: string,
  url: string,
  message: IncomingMessage,
): Promise<EndpointAnswer> {
  const { 'content-range': header, 'content-length': sent } = message.headers
  if (Number(sent ?? 0) > limits.solutionContentFileBytesMax) throw new Fault('too_large')
  if (header === undefined) {
    await files.write(solutionId, url, readBody(message))
    return { status: 204, headers: [...guards], body: undefined }
  }
  const range = parseUploadRange(header)
  if (range === undefined) throw new Fault('malformed_request', 'Content-Range cannot be read.')
  if (range.kind === 'query') {
    message.resume()
    return incomplete(202, await files.uploaded(solutionId, url))
  }
  if (Number(sent) !== range.length) {
    throw new Fault('malformed_request', 'Content-Length is not that of Content-Range.')
  }
  const end = await files.uploaded(solutionId, url)
  if (end !== range.first) {
    message.resume()
    return incomplete(409, end)
  }
  const stored = await files.write(solutionId, url, readBody(message), range)
  if (stored !== undefined) return incomplete(202, stored)
  return { status: 204, headers: [...guards], body: undefined }
}

/** `Range` names the bytes that are stored, as a client needs it to go on. */
function incomplete(status: 202 | 409, end: number): EndpointAnswer {
  const stored: HeaderPair[] = end === 0 ? [] : [['Range', `bytes=0-${end - 1}`]]
  return { status, headers: [...stored, ...guards], body: Buffer.alloc(0) }
}

/** @throws Fault malformed_request if the client is gone before the end */
async function* readBody(message: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // A refusal is still answered, on the same connection.
    for await (const chunk of message.iterator({ destroyOnReturn: false })) yield chunk
  } catch (cause) {
    throw new Fault('malformed_request', 'The body was cut off.', { cause })
  }
}
