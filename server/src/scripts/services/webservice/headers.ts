import {
  Fault,
  headerLetters,
  headerName,
  limits,
  toLatin1,
} from '../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'

/** An outgoing header; its value has one character for each byte (latin1). */
export type HeaderPair = readonly [name: string, value: string]

/** Headers of the connection, which a script does not control. */
const forbidden = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Headers that the platform sets itself. */
const ours = new Set(['content-length', 'date'])

/** On the console's origin, the headers that affect this answer only, not the origin. */
const ofTheAnswer = new Set([
  'cache-control',
  'content-disposition',
  'content-language',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
  'vary',
])

const domainOfCookie = /;\s*domain\s*=/i

/**
 * Returns the headers of a script's answer. A line break in one would begin another, and a cookie
 * for the whole domain would reach other solutions: such an answer is refused.
 * @throws Fault response_refused
 */
export function composeHeaders(given: ScriptValue, shared: boolean): HeaderPair[] {
  if (given === undefined || given === null) return []
  if (!isTable(given)) throw refuse('must be a table')
  const names = new Set<string>()
  const pairs: HeaderPair[] = []
  let bytes = 0
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase()
    if (!headerName.test(name)) throw refuse('has an invalid name')
    if (forbidden.has(key)) throw refuse(`may not say ${key}`)
    if (names.has(key)) throw refuse(`says ${key} twice`)
    names.add(key)
    const values = Array.isArray(value) ? (value as readonly ScriptValue[]) : [value]
    const written = values.map((one) => [name, checkText(key, one)] as const)
    bytes += written.reduce((sum, [, text]) => sum + name.length + text.length, 0)
    if (!ours.has(key) && (!shared || isOfTheAnswer(key))) pairs.push(...written)
  }
  if (bytes > limits.headerBytesMax) throw refuse(`has over ${limits.headerBytesMax} bytes`)
  return pairs
}

function isTable(value: ScriptValue): value is { readonly [name: string]: ScriptValue } {
  const isList = Array.isArray(value) && value.length > 0
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array) && !isList
}

function isOfTheAnswer(key: string): boolean {
  const ofBrowsers = /^x-(?:accel|content|dns|frame|permitted|xss|ua|webkit)/
  return ofTheAnswer.has(key) || (key.startsWith('x-') && !ofBrowsers.test(key))
}

function checkText(key: string, value: ScriptValue): string {
  const letters = textIn(value)
  if (letters === undefined) throw refuse(`has a value of ${key} that is not a string`)
  if (!headerLetters.test(letters)) throw refuse(`has a control character in ${key}`)
  if (key === 'set-cookie' && domainOfCookie.test(letters)) {
    throw refuse('has a cookie for a domain: a solution has its own host only')
  }
  return letters
}

function textIn(value: ScriptValue): string | undefined {
  if (value instanceof Uint8Array || typeof value === 'string') return toLatin1(value)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function refuse(rule: string): Fault {
  return new Fault('response_refused', `response.headers ${rule}`)
}
