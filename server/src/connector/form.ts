import { isUtf8 } from 'node:buffer'
import { Fault } from '../kernel/index.ts'

/** A key and a value of a form body, in the order in which they came. */
export type Pair = { readonly key: string; readonly value: string }

const percentEncoded = /%[0-9a-fA-F]{2}/
const trailing = /[\0\r\n]+$/

/**
 * Reads a form body as firmware sends it: split at `&`, then at the first `=` only; a value that
 * is not percent-encoded is taken as it stands, with its `+`; a NUL or line ends behind the last
 * value are dropped.
 * @throws Fault `malformed_request` where a NUL stands inside.
 */
export function parseForm(body: Buffer): Pair[] {
  const text = (isUtf8(body) ? body.toString('utf8') : body.toString('latin1')).replace(
    trailing,
    '',
  )
  if (text === '') return []
  const pairs = text.split('&').flatMap((part) => (part === '' ? [] : [parsePair(part)]))
  if (pairs.some(({ key, value }) => key.includes('\0') || value.includes('\0'))) {
    throw new Fault('malformed_request', 'A NUL stands inside the body.')
  }
  return pairs
}

function parsePair(part: string): Pair {
  const at = part.indexOf('=')
  if (at < 0) return { key: decode(part), value: '' }
  return { key: decode(part.slice(0, at)), value: decode(part.slice(at + 1)) }
}

/** What does not decode was not encoded: it stays as it is. */
function decode(text: string): string {
  if (!percentEncoded.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** The aliases of a read's query: `a&b`, each once, in order. */
export function parseAliases(query: string): string[] {
  const names = query.split('&').map((part) => decode(part.split('=', 1)[0] ?? ''))
  return [...new Set(names)].filter((name) => name !== '')
}

/** `a=1&b=2`, percent-encoded. */
export function formatForm(pairs: readonly Pair[]): string {
  return pairs.map(({ key, value }) => `${encode(key)}=${encode(value)}`).join('&')
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
