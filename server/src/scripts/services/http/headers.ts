import {
  Fault,
  headerLetters,
  headerName,
  limits,
  toLatin1,
} from '../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import type { Replacer } from './credentials.ts'

/** Lower-case names; values in the letters that stand for their bytes. */
export type Headers = Readonly<Record<string, string>>

/** Headers of the connection; a script's values for them are ignored. */
const ours = new Set(['connection', 'content-length', 'keep-alive'])

/** Headers with which a script could address a proxy, or another host than it named. */
const forbidden = new Set([
  'expect',
  'host',
  'http2-settings',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function refused(rule: string): Fault {
  return new Fault('invalid_argument', `headers ${rule}`)
}

/**
 * The headers as they will be sent, secrets put in. A line's end or a NUL in a value, also one
 * that a secret brings, would begin another header: such a request is not made.
 * @throws Fault invalid_argument
 */
export function composeHeaders(
  given: Readonly<Record<string, ScriptValue>>,
  replace: Replacer,
): { readonly all: Headers; readonly open: Headers } {
  const headers = new Map<string, string>()
  const open = new Map<string, string>()
  let chars = 0
  for (const [written, value] of Object.entries(given)) {
    const name = written.toLowerCase()
    if (!headerName.test(name)) throw refused('has an invalid name')
    if (forbidden.has(name)) throw refused(`may not say ${name}`)
    if (headers.has(name)) throw refused(`says ${name} twice`)
    if (ours.has(name)) continue
    const bytes = encodeHeader(name, value, replace)
    if (!headerLetters.test(bytes)) throw refused(`has a control character in ${name}`)
    chars += name.length + bytes.length
    headers.set(name, bytes)
    if (harmless.has(name) && bytes === toLatin1(value as string)) open.set(name, bytes)
  }
  if (chars > limits.headerBytesMax) throw refused(`has over ${limits.headerBytesMax} characters`)
  return { all: Object.fromEntries(headers), open: Object.fromEntries(open) }
}

function encodeHeader(name: string, value: ScriptValue, replace: Replacer): string {
  if (value instanceof Uint8Array) return toLatin1(value)
  if (typeof value !== 'string') throw refused(`has a value of ${name} that is not a string`)
  return toLatin1(replace(value))
}

/** Headers that are sent to another origin, too, unless a secret stands in them. */
const harmless = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-language',
  'content-type',
  'user-agent',
])

/** Removes the headers that describe a body. */
export function withoutContent(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith('content-')),
  )
}
