import { Fault } from '../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import type { HttpContent } from './arguments.ts'
import type { Replacer } from './credentials.ts'
import { httpClientLimits } from './limits.ts'

/** A body as it will be sent, and the content type that its kind has by itself. */
export type Body = { readonly bytes: string | Buffer; readonly type: string | undefined }

function refused(rule: string): Fault {
  return new Fault('invalid_argument', rule)
}

/** @throws Fault invalid_argument */
export function composeBody(content: HttpContent, replace: Replacer): Body {
  const body = composed(content, replace)
  if (Buffer.byteLength(body.bytes) > httpClientLimits.httpBodyBytesMax) {
    throw refused(`A body has at most ${httpClientLimits.httpBodyBytesMax} bytes.`)
  }
  return body
}

function composed(content: HttpContent, replace: Replacer): Body {
  if (content.kind === 'form') {
    const bytes = encodePairs(content.value, replace)
    return { bytes, type: 'application/x-www-form-urlencoded' }
  }
  if (content.kind === 'json') {
    const bytes = JSON.stringify(withSecrets(content.value, replace))
    return { bytes, type: 'application/json' }
  }
  const { value } = content
  if (typeof value === 'string') return { bytes: replace(value), type: undefined }
  return { bytes: replaceBytes(Buffer.from(value), replace), type: undefined }
}

/** Each byte is one letter, so that the text around a secret stays as it was. */
function replaceBytes(bytes: Buffer, replace: Replacer): Buffer {
  const letters = replace(bytes.toString('latin1'), (value) =>
    Buffer.from(value, 'utf8').toString('latin1'),
  )
  return Buffer.from(letters, 'latin1')
}

/** Put in before the JSON is written, so that no secret can break out of its string. */
function withSecrets(value: ScriptValue, replace: Replacer): ScriptValue {
  if (typeof value === 'string') return replace(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) throw refused('json holds bytes that are not text')
  if (Array.isArray(value)) return value.map((one: ScriptValue) => withSecrets(one, replace))
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withSecrets(one, replace)]),
  )
}

/**
 * `a=1&b=2`, percent-encoded, in the order of the names: a script's table has none. A list has
 * its name once for each of its values.
 */
export function encodePairs(
  pairs: Readonly<Record<string, ScriptValue>>,
  replace: Replacer,
): string {
  return Object.entries(pairs)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, value]) => {
      const values: readonly ScriptValue[] = Array.isArray(value) ? value : [value]
      return values.map((one) => `${percent(name)}=${encodeValue(name, one, replace)}`)
    })
    .join('&')
}

function encodeValue(name: string, value: ScriptValue, replace: Replacer): string {
  if (typeof value === 'string') return percent(replace(value))
  if (typeof value === 'number' || typeof value === 'boolean') return percent(String(value))
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex').replace(/../g, '%$&')
  throw refused(`params has a value of ${name} that is not a text, number or boolean`)
}

export function percent(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
