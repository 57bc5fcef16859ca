/**
 * Names and descriptions are tenants' texts. In a client they stand in comments and strings, and
 * must not leave them: here they become one line each, without what a terminal or an editor would
 * act on.
 */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
  return lines.map((line) => line.replaceAll(unprintable, ' ').trimEnd())
}

/** Control characters, and those that turn the direction of what is read. */
const unprintable = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** A word at the start of a comment's line would be a tag to those who read comments. */
export function withoutTag(line: string): string {
  return line.replace(/^(\s*)@/, '$1\\@')
}

/** Names that nobody else has yet. */
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
