import { isJsonObject, limits, parseJsonObject } from '../../../kernel/index.ts'
import { type RawRow, rowOf, Scanner } from './scan.ts'

/**
 * The bindings in an export: JSON lines, where each line is a binding or a page of them, or one
 * text that holds bindings, lists of bindings, or pages. Memory does not grow with its length.
 */
export async function* readBindings(text: AsyncIterable<string>): AsyncGenerator<RawRow> {
  const pieces = text[Symbol.asyncIterator]()
  let head = ''
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
    head += piece.value
    if (head.length > limits.notificationImportLineCharsMax || linesIn(head).length > 2) break
  }
  const whole = resume(head, pieces)
  yield* isLines(head) ? readLines(whole) : readText(whole)
}

async function* resume(head: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield head
  for (let piece = await rest.next(); !piece.done; piece = await rest.next()) yield piece.value
}

const linesIn = (text: string) => text.split('\n').filter((one) => one.trim() !== '')

/** One of the first two lines is an object by itself, and nothing before it opened a list. */
function isLines(head: string): boolean {
  const lines = linesIn(head)
  if (lines[0]?.trimStart().startsWith('[')) return false
  return lines.slice(0, 2).some((line) => parseJsonObject(line) !== undefined)
}

async function* readText(text: AsyncIterable<string>): AsyncGenerator<RawRow> {
  const scanner = new Scanner()
  for await (const piece of text) yield* scanner.push(piece)
  yield* scanner.end()
}

async function* readLines(text: AsyncIterable<string>): AsyncGenerator<RawRow> {
  let [line, rest, long] = [1, '', false]
  for await (const piece of text) {
    const parts = (rest + piece).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      yield* long ? [tooLong(line)] : rowsOf(line, part)
      line += 1
      long = false
    }
    if (rest.length <= limits.notificationImportLineCharsMax) continue
    rest = ''
    long = true
  }
  yield* long ? [tooLong(line)] : rowsOf(line, rest)
}

function tooLong(line: number): RawRow {
  const most = `${limits.notificationImportLineCharsMax} characters`
  return { line, reason: `the line has more than ${most}` }
}

function rowsOf(line: number, text: string): RawRow[] {
  if (text.length > limits.notificationImportLineCharsMax) return [tooLong(line)]
  if (text.trim() === '') return []
  const row = rowOf(line, text)
  const list = 'value' in row && isJsonObject(row.value) ? row.value.bindings : undefined
  return Array.isArray(list) ? list.map((value) => ({ line, value })) : [row]
}
