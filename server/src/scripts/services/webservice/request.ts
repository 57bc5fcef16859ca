import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import {
  anyJson,
  decodeText,
  Fault,
  formFields,
  limits,
  parseJson,
  readRequestBody,
  refuseCompressed,
  requireText,
  textOrBytes,
} from '../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import { webserviceLimits } from './limits.ts'

type Fields = Readonly<Record<string, ScriptValue>>

/** A body as scripts see it; the fields of a form are parameters, too. */
export type RequestContent = {
  readonly body: ScriptValue
  /** A large body of JSON, which the script's worker parses. */
  readonly json?: string
  readonly parameters: Fields
}

/** @throws Fault malformed_request, too_large, wrong_content_type */
export async function readContent(message: IncomingMessage): Promise<RequestContent> {
  refuseCompressed(message)
  const bytes = await readRequestBody(message, limits.endpointBodyBytesMax)
  const [type = ''] = (message.headers['content-type'] ?? '').toLowerCase().split(';')
  if (bytes.length === 0) return { body: undefined, parameters: {} }
  if (/^application\/(?:json|[^\s/]+\+json)$/.test(type.trim())) {
    return { ...contentOfJson(bytes), parameters: {} }
  }
  if (type.trim() === 'application/x-www-form-urlencoded') {
    const fields = parseFields(requireText(bytes))
    return { body: fields, parameters: fields }
  }
  return { body: textOrBytes(bytes), parameters: {} }
}

/** Refuses what is too large for a script before it is built. */
function contentOfJson(bytes: Buffer): Pick<RequestContent, 'body' | 'json'> {
  try {
    const json = decodeText(bytes)
    if (json !== undefined) {
      if (bytes.length > webserviceLimits.endpointJsonBytesMax) return { body: undefined, json }
      return { body: parseJson(json, anyJson(limits.scriptValueNodesMax)) as ScriptValue }
    }
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('malformed_request', 'The body is not JSON.', { cause: error })
  }
  throw new Fault('malformed_request', 'The body is not JSON: it is not UTF-8.')
}

/** `a=1&b=2`, decoded; a name that comes several times has a list. @throws Fault too_complex */
export function parseFields(text: string): Fields {
  const fields = new Map<string, ScriptValue>()
  for (const [name, value] of formFields(text, webserviceLimits.endpointFieldsMax)) {
    const before = fields.get(name)
    if (before === undefined) fields.set(name, value)
    else if (Array.isArray(before)) (before as ScriptValue[]).push(value)
    else fields.set(name, [before, value])
  }
  return Object.fromEntries(fields)
}

/** Returns the headers, by lower-case names, without those that are hidden from the script. */
export function headersFor(headers: IncomingHttpHeaders, hidden: ReadonlySet<string>): Fields {
  const pairs = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || hidden.has(name)) return []
    const letters = typeof value === 'string' ? value : value.join(', ')
    return [[name, textOrBytes(Buffer.from(letters, 'latin1'))] as const]
  })
  return Object.fromEntries(pairs)
}
