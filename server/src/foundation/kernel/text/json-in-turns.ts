import { Fault } from '../errors.ts'
import { nextTurn } from '../http.ts'
import { limits } from '../limits.ts'
import { checkJson, JsonCount, jsonBounds, letters } from './json.ts'

/**
 * Reads JSON of an outside party that may be large, a part in a turn of the event loop. The value
 * is that of `JSON.parse`, the bounds are those of `checkJson`.
 * @throws SyntaxError; Fault `too_large` past the bounds, and for a number longer than a part.
 */
export async function parseJsonInTurns(text: string): Promise<unknown> {
  if (text.length <= limits.jsonPartCharsMax) {
    checkJson(text)
    return JSON.parse(text)
  }
  const parts = new Reader(text).readAll()
  for (;;) {
    const { done, value } = parts.next()
    if (done === true) return value
    await nextTurn()
  }
}

/** Characters of a text that take as long as the work for any value. */
const valueChars = 1_000

const letterU = 0x75
const blanks: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20])
const wordLetters: ReadonlySet<number> = new Set(Buffer.from('+-.0123456789Etruefalsenull'))

/** Finds texts and words, each of which JSON.parse reads, and yields between parts. */
class Reader {
  readonly #text: string
  readonly #count = new JsonCount(jsonBounds())
  #at = 0
  #partEnd = limits.jsonPartCharsMax

  constructor(text: string) {
    this.#text = text
  }

  *readAll(): Generator<void, unknown> {
    const value = yield* this.#readValue()
    yield* this.#passBlanks()
    if (this.#at < this.#text.length) throw this.#unexpected()
    return value
  }

  *#readValue(): Generator<void, unknown> {
    this.#partEnd -= valueChars
    if (yield* this.#passes(letters.quote)) return yield* this.#readText()
    if (yield* this.#passes(letters.openBracket)) {
      return yield* this.#readList(letters.closeBracket, () => this.#readValue())
    }
    if (yield* this.#passes(letters.openBrace)) {
      const fields = yield* this.#readList(letters.closeBrace, () => this.#readField())
      return Object.fromEntries(fields)
    }
    return this.#readWord()
  }

  /** Reads what is behind an opening bracket. */
  *#readList<Item>(end: number, readItem: () => Generator<void, Item>): Generator<void, Item[]> {
    const items: Item[] = []
    if (yield* this.#passes(end)) return items
    do items.push(yield* readItem())
    while (yield* this.#passes(letters.comma))
    yield* this.#require(end)
    return items
  }

  *#readField(): Generator<void, readonly [name: string, value: unknown]> {
    yield* this.#require(letters.quote)
    const name = yield* this.#readText()
    yield* this.#require(letters.colon)
    return [name, yield* this.#readValue()]
  }

  /** Reads what is behind an opening quote. */
  *#readText(): Generator<void, string> {
    let text = ''
    for (;;) {
      const from = this.#at
      this.#passText()
      text += JSON.parse(`"${this.#text.slice(from, this.#at)}"`)
      if (this.#at < this.#partEnd) break
      yield this.#endPart()
    }
    if (this.#text.charCodeAt(this.#at) !== letters.quote) throw this.#unexpected()
    this.#at += 1
    return text
  }

  /** Goes to the quote that ends a text, or to the end of the part; not into an escape. */
  #passText(): void {
    const [text, partEnd] = [this.#text, this.#partEnd]
    let at = this.#at
    for (; at < partEnd; at += 1) {
      const letter = text.charCodeAt(at)
      if (letter === letters.quote || Number.isNaN(letter)) break
      if (letter === letters.backslash) at += text.charCodeAt(at + 1) === letterU ? 5 : 1
    }
    this.#at = at
  }

  /** Reads a number, true, false or null. */
  #readWord(): unknown {
    const from = this.#at
    while (wordLetters.has(this.#text.charCodeAt(this.#at))) {
      this.#at += 1
      if (this.#at - from > limits.jsonPartCharsMax) {
        throw new Fault('too_large', 'A number in it is too long.')
      }
    }
    return JSON.parse(this.#text.slice(from, this.#at))
  }

  /** Returns whether this is the next character, which is passed then. */
  *#passes(letter: number): Generator<void, boolean> {
    yield* this.#passBlanks()
    if (this.#text.charCodeAt(this.#at) !== letter) return false
    this.#count.add(letter)
    this.#at += 1
    return true
  }

  *#require(letter: number): Generator<void> {
    if (!(yield* this.#passes(letter))) throw this.#unexpected()
  }

  *#passBlanks(): Generator<void> {
    for (;;) {
      if (this.#at >= this.#partEnd) yield this.#endPart()
      if (!blanks.has(this.#text.charCodeAt(this.#at))) return
      this.#at += 1
    }
  }

  #endPart(): void {
    this.#partEnd = this.#at + limits.jsonPartCharsMax
  }

  #unexpected(): SyntaxError {
    return new SyntaxError(`It is no JSON at character ${this.#at + 1}.`)
  }
}
