const quote = 0x22
const backslash = 0x5c
const minus = 0x2d
const openers = new Set([0x5b, 0x7b])
const closers = new Set([0x5d, 0x7d])
const numberSigns = /[\d.eE+-]*/y
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const beforeColon = /\s*:/y

/**
 * The same JSON with the numbers that lie in exactly `depth` brackets as strings, so that a value
 * is kept as it was typed: `21.50`, `12345678901234567890`. It is JSON only if the text is.
 * @throws SyntaxError for what begins like a number and is none, or is the name of a field.
 */
export function quoteNumbers(text: string, depth: number): string {
  const parts: string[] = []
  let taken = 0
  let inside = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === quote) at = endOfString(text, at)
    else if (openers.has(sign)) inside += 1
    else if (closers.has(sign)) inside -= 1
    else if (inside === depth && isNumberStart(sign)) {
      const end = endOfNumber(text, at)
      parts.push(text.slice(taken, at), '"', text.slice(at, end), '"')
      taken = end
      at = end - 1
    }
  }
  parts.push(text.slice(taken))
  return parts.join('')
}

/** Returns the position of the closing quote. */
function endOfString(text: string, from: number): number {
  let at = from + 1
  while (at < text.length) {
    const sign = text.charCodeAt(at)
    if (sign === quote) return at
    at += sign === backslash ? 2 : 1
  }
  return at
}

function isNumberStart(sign: number): boolean {
  return sign === minus || (sign >= 0x30 && sign <= 0x39)
}

function endOfNumber(text: string, from: number): number {
  numberSigns.lastIndex = from
  const [signs = ''] = numberSigns.exec(text) ?? []
  const end = from + signs.length
  beforeColon.lastIndex = end
  if (!number.test(signs) || beforeColon.test(text)) {
    throw new SyntaxError('It has a number that is none, or that names a field.')
  }
  return end
}
