/** A binding as a file has it, or why there is none; at the line where it begins. */
export type RawRow = { readonly line: number } & (
  | { readonly value: JsonObject }
  | { readonly reason: string }
)

const bindings = 'bindings'
const ends = /["\\]/g
/** The characters of one binding. */
export const rowCharsMax = 64 * 1024
const tooLong = `it has more than ${rowCharsMax} characters`

/** The value of a text that should be an object. */
export function parseRow(line: number, text: string): RawRow {
  const value = objectIn(text)
  return value === undefined ? { line, reason: 'it is no JSON object' } : { line, value }
}

/** The object that a text holds as JSON; undefined if it holds anything else. */
export function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Finds the objects in a JSON text of any length, a piece at a time: those at its root, in a list
 * at its root, and in the list `bindings` of such an object, which is then a page and no binding.
 * Memory holds one object at most.
 */
export class Scanner {
  #line = 1
  #depth = 0
  #inString = false
  #escaped = false
  /** The depths of the lists whose elements are searched for objects. */
  readonly #lists = [0]
  /** The object that is being read: its depth, its first line, its text so far. */
  #row: { readonly depth: number; readonly line: number; text: string } | undefined
  /** True inside an element that is no object. */
  #inOther = false
  /** The last text on the level of the object's names. */
  #name = ''
  #broken = false

  push(chunk: string): RawRow[] {
    const rows: RawRow[] = []
    let kept = 0
    for (let at = 0; at < chunk.length && !this.#broken; at += 1) {
      if (this.#inString) {
        at = this.#inText(chunk, at)
        continue
      }
      const char = chunk[at] ?? ''
      if (char === '\n') this.#line += 1
      if (char === '{' || char === '[') {
        if (this.#open(char, rows)) kept = at
      } else if (char === '}' || char === ']') {
        const row = this.#row
        if (row !== undefined && this.#depth === row.depth + 1) {
          this.#keep(chunk.slice(kept, at + 1))
          rows.push(...this.#close())
        }
        this.#leave(char, rows)
      } else this.#between(char, rows)
    }
    if (this.#row !== undefined) this.#keep(chunk.slice(kept))
    return rows
  }

  /** Returns the error of a text that ends too early. */
  end(): RawRow[] {
    if (this.#broken || this.#depth === 0) return []
    return [{ line: this.#row?.line ?? this.#line, reason: 'the file ends in the middle of it' }]
  }

  /** Reads to the end of a string, or of the piece. @returns the last index that was read. */
  #inText(chunk: string, from: number): number {
    if (this.#escaped) {
      this.#escaped = false
      this.#addName(chunk.slice(from, from + 1))
      return from
    }
    ends.lastIndex = from
    const found = ends.exec(chunk)
    this.#addName(chunk.slice(from, found?.index))
    if (found === null) return chunk.length
    if (found[0] === '"') this.#inString = false
    else this.#escaped = true
    return found.index
  }

  #addName(text: string): void {
    if (this.#atNames()) this.#name = (this.#name + text).slice(0, bindings.length + 1)
  }

  /** Returns whether a wanted object begins. */
  #open(char: string, rows: RawRow[]): boolean {
    const row = this.#row
    const wanted = this.#depth === this.#lists.at(-1)
    this.#depth += 1
    if (wanted && char === '[') {
      if (this.#depth === 1) this.#lists.push(1)
      else rows.push({ line: this.#line, reason: 'it is no JSON object' })
      return false
    }
    if (wanted) {
      this.#row = { depth: this.#depth - 1, line: this.#line, text: '' }
      this.#name = ''
      return true
    }
    const isList = char === '[' && row !== undefined && this.#depth === row.depth + 2
    if (isList && this.#name === bindings) {
      this.#row = undefined
      this.#lists.push(this.#depth)
    }
    return false
  }

  /** The object that is being read ends here. */
  #close(): RawRow[] {
    const row = this.#row
    this.#row = undefined
    if (row === undefined) return []
    const { line, text } = row
    const long = text.length > rowCharsMax
    return [long ? { line, reason: tooLong } : parseRow(line, text)]
  }

  #leave(char: string, rows: RawRow[]): void {
    if (char === ']' && this.#depth === this.#lists.at(-1)) this.#lists.pop()
    this.#depth -= 1
    this.#inOther = false
    if (this.#depth >= 0) return
    this.#broken = true
    rows.push({ line: this.#line, reason: 'it closes what was not opened: the rest is left out' })
  }

  #between(char: string, rows: RawRow[]): void {
    if (char === '"') {
      this.#inString = true
      if (this.#atNames()) this.#name = ''
    }
    if (char === ',') this.#inOther = false
    else if (this.#depth === this.#lists.at(-1) && char.trim() !== '' && !this.#inOther) {
      this.#inOther = true
      rows.push({ line: this.#line, reason: 'it is no JSON object' })
    }
  }

  #keep(text: string): void {
    const row = this.#row
    if (row === undefined || row.text.length > rowCharsMax) return
    row.text += text
  }

  #atNames(): boolean {
    return this.#row !== undefined && this.#depth === this.#row.depth + 1
  }
}
