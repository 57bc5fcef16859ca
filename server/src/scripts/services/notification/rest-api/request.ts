import type { IncomingMessage } from 'node:http'
import {
  Fault,
  formFields,
  readPeer,
  readRequestBody,
  refuseCompressed,
  requireText,
} from '../../../../foundation/kernel/index.ts'
import { notificationLimits } from '../limits.ts'

/** The fields of a form or a query: each name with all its values. */
export type FormFields = ReadonlyMap<string, readonly string[]>

/** @throws Fault malformed_request, too_large, wrong_content_type */
export async function readForm(message: IncomingMessage): Promise<string> {
  const { 'content-type': type = '' } = message.headers
  const bytes = await readRequestBody(message, notificationLimits.notificationRestBytesMax)
  if (bytes.length === 0) return ''
  refuseCompressed(message)
  if (/^application\/x-www-form-urlencoded *(?:;|$)/i.test(type)) return requireText(bytes)
  throw new Fault('wrong_content_type', 'The body must be application/x-www-form-urlencoded.')
}

/** @throws Fault too_complex */
export function parseFields(text: string): FormFields {
  const fields = new Map<string, string[]>()
  for (const [name, value] of formFields(text, notificationLimits.notificationRestFieldsMax)) {
    const known = fields.get(name)
    if (known === undefined) fields.set(name, [value])
    else known.push(value)
  }
  return fields
}

/** The origin as the client called it; it follows URLs of that with what it has. */
export function ownUrl(message: IncomingMessage): string {
  const scheme = readPeer(message).encrypted ? 'https' : 'http'
  return `${scheme}://${message.headers.host ?? ''}`
}
