import { open } from 'node:fs/promises'
import { UsageError } from '../command.ts'
import type { BindingSource } from './import.ts'
import { isObject, objectIn, parseRow, type RawRow, Scanner } from './scan.ts'

/** The characters of one line of JSON lines; it may hold a page of bindings. */
export const lineCharsMax = 4 * 1024 * 1024

/** The bindings of an exported file. @throws UsageError if it cannot be read. */
export async function openFile(file: string): Promise<BindingSource> {
  const handle = await open(file).catch((error: Error) => {
    throw new UsageError(`--from: ${error.message}`)
  })
  const { size } = await handle.stat()
  const stream = handle.createReadStream({ encoding: 'utf8' })
  const text: AsyncIterable<string> = stream
  return {
    rows: placed(readBindings(text)),
    share: () => (size === 0 ? undefined : stream.bytesRead / size),
  }
}

async function* placed(rows: AsyncIterable<RawRow>): BindingSource['rows'] {
  for await (const { line, ...row } of rows) yield { place: `line ${line}`, ...row }
}

/**
 * The bindings in an export: JSON lines, where each line is a binding or a page of them, or one
 * text that holds bindings, lists of bindings, or pages. Memory does not grow with its length.
 */
export async function* readBindings(text: AsyncIterable<string>): AsyncGenerator<RawRow> {
  const pieces = text[Symbol.asyncIterator]()
  let head = ''
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
    head += piece.value
    if (head.length > lineCharsMax || linesIn(head).length > 2) break
  }
  const whole = resume(head, pieces)
  yield* isLines(head) ? readLines(whole) : readText(whole)
}

async function* resume(head: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield head
  for (let piece = await rest.next(); !piece.done; piece = await rest.next()) yield piece.value
}

const linesIn = (text: string) => text.split('\n').filter((one) => one.trim() !== '')

/**
 * Returns whether one of the first two lines is an object by itself, and nothing before it opened a
 * list.
 */
function isLines(head: string): boolean {
  const lines = linesIn(head)
  if (lines[0]?.trimStart().startsWith('[')) return false
  return lines.slice(0, 2).some((line) => objectIn(line) !== undefined)
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
      yield* long ? [tooLong(line)] : parseRows(line, part)
      line += 1
      long = false
    }
    if (rest.length <= lineCharsMax) continue
    rest = ''
    long = true
  }
  yield* long ? [tooLong(line)] : parseRows(line, rest)
}

function tooLong(line: number): RawRow {
  const most = `${lineCharsMax} characters`
  return { line, reason: `the line has more than ${most}` }
}

function parseRows(line: number, text: string): RawRow[] {
  if (text.length > lineCharsMax) return [tooLong(line)]
  if (text.trim() === '') return []
  const row = parseRow(line, text)
  const list = 'value' in row ? row.value.bindings : undefined
  return Array.isArray(list) ? list.map((value) => objectRow(line, value)) : [row]
}

function objectRow(line: number, value: unknown): RawRow {
  return isObject(value) ? { line, value } : { line, reason: 'it is no JSON object' }
}
