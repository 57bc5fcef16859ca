import { type StaticResult, textOrBytes } from '../../../foundation/kernel/index.ts'
import type { OutboundAnswer } from '../../../foundation/outbound/index.ts'
import type { httpOperations } from './operations.ts'

export type HttpResult = StaticResult<typeof httpOperations.schemas.get.result>

/** The answer as scripts see it. Text where the bytes are UTF-8, the bytes themselves elsewhere. */
export function toResult({ status, headers, body }: OutboundAnswer): HttpResult {
  const pairs = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined) return []
    return [
      [name, decodeLetters(typeof value === 'string' ? value : value.join(between(name)))] as const,
    ]
  })
  const unfolded = body.length > 0 && headers['content-encoding'] !== undefined
  const visible = unfolded ? pairs.filter(([name]) => !ofTheWire.has(name)) : pairs
  return {
    status_code: status,
    headers: Object.fromEntries(visible),
    body: textOrBytes(body),
  }
}

/** Headers of the compressed body, which the script gets decompressed. */
const ofTheWire = new Set(['content-encoding', 'content-length'])

/** A cookie may hold a comma, and no header a line's end. */
function between(name: string): string {
  return name === 'set-cookie' ? '\n' : ', '
}

/** The HTTP client gives a letter for each byte. */
function decodeLetters(letters: string): string | Uint8Array {
  return textOrBytes(Buffer.from(letters, 'latin1'))
}
