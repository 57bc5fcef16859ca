import {
  bytesWithoutMark,
  detectEncoding,
  Fault,
  withBlanks,
} from '../../../foundation/kernel/index.ts'

/** A key and a value of a form body, in the order in which they came. */
export type FormPair = { readonly key: string; readonly value: string }

const percentEncoded = /%[0-9a-fA-F]{2}/
const separator = 0x26

/**
 * Reads a form body as firmware sends it: split at `&`, then at the first `=` only; a value that
 * is not percent-encoded is taken as it stands, with its `+`; a NUL or line ends behind the last
 * value are dropped. Nothing is made of a body that has too many pairs: the scan ends there.
 * @throws Fault `too_large` for more than `pairsMax` pairs, or as many empty ones;
 *   `malformed_request` where a NUL stands inside.
 */
export function parseForm(sent: Buffer, pairsMax: number): FormPair[] {
  const body = bytesWithoutMark(sent)
  const end = findEnd(body)
  const encoding = detectEncoding(body)
  return findParts(body, end, pairsMax).map(([from, to]) => {
    const pair = parsePair(body.toString(encoding, from, to))
    if (!pair.key.includes('\0') && !pair.value.includes('\0')) return pair
    throw new Fault('malformed_request', 'The body contains a NUL character.')
  })
}

/** Returns the body's length without the NULs and line ends that firmware leaves behind it. */
function findEnd(body: Buffer): number {
  let end = body.length
  while (end > 0 && isTrailing(body[end - 1])) end -= 1
  return end
}

function isTrailing(byte: number | undefined): boolean {
  return byte === 0 || byte === 0x0a || byte === 0x0d
}

type Part = readonly [from: number, to: number]

/** The parts between separators that are not empty. */
function findParts(body: Buffer, end: number, partsMax: number): Part[] {
  const parts: Part[] = []
  let empty = 0
  for (let from = 0; from < end; ) {
    const at = body.indexOf(separator, from)
    const to = at < 0 || at > end ? end : at
    if (to === from) empty += 1
    else parts.push([from, to])
    if (parts.length > partsMax || empty > partsMax) {
      throw new Fault('too_large', `More than ${partsMax} pairs.`)
    }
    from = to + 1
  }
  return parts
}

function parsePair(part: string): FormPair {
  const at = part.indexOf('=')
  if (at < 0) return { key: decode(part), value: '' }
  return { key: decode(part.slice(0, at)), value: decode(part.slice(at + 1)) }
}

/** Decodes a text; one that does not decode was not encoded and stays as it is. */
function decode(text: string): string {
  if (!percentEncoded.test(text)) return text
  try {
    return decodeURIComponent(withBlanks(text))
  } catch {
    return text
  }
}

/**
 * The aliases of a read's query: `a&b`, each once, in order.
 * @throws Fault `too_large` for more than `aliasesMax`, repeated ones counted.
 */
export function parseAliases(query: string, aliasesMax: number): string[] {
  if (query === '') return []
  const all = query.split('&', 2 * aliasesMax + 1)
  const parts = all.filter((part) => part !== '')
  if (parts.length > aliasesMax || all.length > 2 * aliasesMax) {
    throw new Fault('too_large', `More than ${aliasesMax} aliases.`)
  }
  const names = parts.map((part) => decode(part.split('=', 1)[0] ?? ''))
  return [...new Set(names)].filter((name) => name !== '')
}

/** `a=1&b=2`, percent-encoded. */
export function formatForm(pairs: readonly FormPair[]): string {
  return pairs.map(({ key, value }) => `${encode(key)}=${encode(value)}`).join('&')
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
