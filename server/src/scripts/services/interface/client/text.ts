/**
 * Splits a tenant's name or description into lines that are safe in a comment or string of a
 * generated client: without line breaks and without characters that a terminal or an editor acts
 * on.
 */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
  return lines.map((line) => line.replaceAll(unprintable, ' ').trimEnd())
}

/** Control characters, and those that change the text direction. */
const unprintable = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** Escapes an `@` at the start of a comment's line, which tools would read as a tag. */
export function withoutTag(line: string): string {
  return line.replace(/^(\s*)@/, '$1\\@')
}

/** Returns a function that makes names unique. */
export function uniqueNames(taken: readonly string[]): (wanted: string) => string {
  const used = new Set(taken)
  return (wanted) => {
    let name = wanted
    for (let count = 2; used.has(name); count += 1) name = `${wanted}_${count}`
    used.add(name)
    return name
  }
}

export function capitalised(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}
