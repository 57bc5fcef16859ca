import type { IncomingMessage } from 'node:http'
import { Fault, limits, readRequestBody } from '../../kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import type { EndpointAnswer } from './answer.ts'
import { headersFor, parseFields, readContent } from './request.ts'

/** Files behind signed URLs: the URL is the credential. */
export type SignedFiles = {
  owns(path: string): boolean
  read(solutionId: string, path: string): Promise<{ readonly type: string; readonly data: Buffer }>
  write(solutionId: string, path: string, data: Buffer): Promise<void>
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

/** What a browser shows of a file cannot run as a page of the solution. */
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
  const { method = 'GET', url = '/' } = message
  if (method === 'PUT') {
    const data = await readRequestBody(message, limits.solutionContentFileBytesMax)
    await files.write(solutionId, url, data)
    return { status: 204, headers: [...guards], body: undefined }
  }
  message.resume()
  if (method !== 'GET' && method !== 'HEAD') throw new Fault('method_not_allowed')
  const { type, data } = await files.read(solutionId, url)
  return { status: 200, headers: [['Content-Type', type], ...guards], body: data }
}
