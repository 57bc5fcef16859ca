import { Fault, limits, parseJsonObject } from '../../kernel/index.ts'

/** Secrets by the names that requests use for them. */
export type HttpCredentials = ReadonlyMap<string, string>

const name = /^[A-Za-z_][\w.-]{0,99}$/

function refused(rule: string): Fault {
  return new Fault('invalid_argument', `credentials ${rule}`)
}

/**
 * Reads `{"name": "value"}`, or lines of `name=value`. A message names no value.
 * @throws Fault invalid_argument
 */
export function parseCredentials(text: string): HttpCredentials {
  if (text.length > limits.httpCredentialsCharsMax) {
    throw refused(`has at most ${limits.httpCredentialsCharsMax} characters`)
  }
  const pairs = text.trimStart().startsWith('{') ? pairsOfJson(text) : pairsOfLines(text)
  const credentials = new Map(pairs)
  if (credentials.size < pairs.length) throw refused('names one name twice')
  for (const [key, value] of credentials) {
    if (!name.test(key)) throw refused('has a name that is not of letters, digits, and "._-"')
    if (value.includes('\0') || !value.isWellFormed()) throw refused(`has a bad value of ${key}`)
  }
  return credentials
}

function pairsOfJson(text: string): [string, string][] {
  const object = parseJsonObject(text)
  if (object === undefined) throw refused('begins like JSON, and is no JSON object')
  return Object.entries(object).map(([key, value]) => {
    if (typeof value !== 'string') throw refused('has a value that is not a string')
    return [key, value]
  })
}

function pairsOfLines(text: string): [string, string][] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const at = line.indexOf('=')
    if (at < 0) throw refused('has a line that is not of the form name=value')
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
  })
}

/** Replaces `{{name}}` by the secret of that name, within one request. */
export type Replacer = {
  /** `encode` escapes a value for its place. Unknown names are left as they are. */
  (text: string, encode?: (value: string) => string): string
  /** True once a secret was inserted. */
  readonly used: boolean
}

const placeholder = /\{\{\s*([A-Za-z_][\w.-]{0,99})\s*\}\}/g

/** The texts of one request may grow by so much together: short names can stand for long values. */
export function createReplacer(credentials: HttpCredentials): Replacer {
  let left: number = limits.httpBodyBytesMax
  let used = false
  function replace(text: string, encode = (value: string) => value): string {
    if (credentials.size === 0) return text
    return text.replace(placeholder, (whole, key: string) => {
      const value = credentials.get(key)
      if (value === undefined) return whole
      const fit = encode(value)
      left -= fit.length
      if (left < 0) throw refused('makes the request too long')
      used = true
      return fit
    })
  }
  return Object.defineProperty(replace, 'used', { get: () => used }) as Replacer
}
