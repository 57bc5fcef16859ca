import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { Fault } from '../../../foundation/kernel/index.ts'
import { provisioningLimits } from '../limits.ts'

/** A byte of short cells takes up to 3 µs, and others wait meanwhile. */
const bytesPerTurn = 2_048

const needsQuotes = /[",\r\n\0\uFEFF]|^\s|\s$/

/**
 * The rows of a CSV file (RFC 4180, UTF-8, with or without a byte order mark, lines that end with
 * CR LF, LF or CR), the header among them, as many at once as are read in a turn; rows
 * without anything but blanks are left out. It reads no further than the rows are taken.
 * @throws Fault `csv_invalid` at the first place where it is no CSV, or where a row has more cells
 * than `csvCellsMax`.
 */
export async function* readRows(source: Readable): AsyncGenerator<readonly Cells[]> {
  const utf8 = onlyUtf8()
  const width = new RowWidth()
  let rows: Cells[] = []
  const parser = parse({
    bom: true,
    max_record_size: provisioningLimits.csvRowBytesMax,
    on_record(row: string[]) {
      if (!isEmpty(row)) rows.push(row)
      return null
    },
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
  })
  // It comes out of `write` too.
  parser.on('error', () => {}).resume()
  let isStart = true
  for await (const bytes of source) {
    if (isStart) refuseWorkbook(bytes)
    isStart = false
    utf8.check(bytes)
    for (let at = 0; at < bytes.length; at += bytesPerTurn) {
      const piece = bytes.subarray(at, at + bytesPerTurn)
      width.check(piece)
      await settled((done) => parser.write(piece, done))
      if (rows.length > 0) yield rows
      rows = []
      await setImmediate()
    }
  }
  utf8.end()
  await settled((done) => parser.once('error', done).end(done))
  yield rows
}

export type Cells = readonly string[]

async function settled(act: (done: (error?: Error | null) => void) => unknown): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      act((error) => (error ? reject(error) : resolve()))
    })
  } catch (error) {
    throw error instanceof CsvError ? toRefusal(error) : error
  }
}

/** Spreadsheets leave rows of commas and blanks behind what they hold. */
function isEmpty(row: Cells): boolean {
  return row.every((cell) => cell.trim() === '')
}

/** Half a letter would become another identity. */
function onlyUtf8() {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (bytes: Buffer | undefined): void => {
    try {
      decoder.decode(bytes, { stream: bytes !== undefined })
    } catch (error) {
      throw csvInvalid('it is not UTF-8', error)
    }
  }
  return { check: decode, end: () => decode(undefined) }
}

const [comma, quote, lineFeed, carriageReturn] = Buffer.from(',"\n\r')

/**
 * Counts the cells of each row in front of the parser, which works on all cells of a row in the
 * turn in which the row ends.
 */
class RowWidth {
  #line = 1
  #cells = 1
  #isQuoted = false
  #isAfterReturn = false

  /** @throws Fault `csv_invalid` at a row that has too many. */
  check(bytes: Buffer): void {
    for (const byte of bytes) {
      if (byte === comma) this.#cells += this.#isQuoted ? 0 : 1
      // Two quotes, which stand for one, change nothing.
      else if (byte === quote) this.#isQuoted = !this.#isQuoted
      else if (byte === carriageReturn || (byte === lineFeed && !this.#isAfterReturn)) {
        this.#line += 1
        if (!this.#isQuoted) this.#cells = 1
      }
      this.#isAfterReturn = byte === carriageReturn
      if (this.#cells > provisioningLimits.csvCellsMax) {
        throw csvInvalid(
          `line ${this.#line}: a row has more than ${provisioningLimits.csvCellsMax} cells`,
        )
      }
    }
  }
}

const { csvRowBytesMax } = provisioningLimits

const reasons: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'after a closing quote there is more than the end of the cell',
  CSV_MAX_RECORD_SIZE: `a row has more than ${csvRowBytesMax} bytes; is a quote not closed?`,
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  INVALID_OPENING_QUOTE: 'a quote stands inside of a cell that is not quoted',
}

function toRefusal(error: CsvError): Fault {
  const line = typeof error.lines === 'number' ? `line ${error.lines}: ` : ''
  return csvInvalid(`${line}${reasons[error.code] ?? 'it is not CSV'}`, error)
}

/** A file that is refused whole; programs in the field search for the message. */
export function csvInvalid(reason: string, cause?: unknown): Fault {
  return new Fault('csv_invalid', undefined, { reason, cause })
}

/** A row as RFC 4180 writes it, with its line end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`
}

function formatCell(cell: string): string {
  return needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

const zipFile = Buffer.from('PK\x03\x04', 'latin1')
const oldWorkbook = Buffer.from('d0cf11e0', 'hex')
const utf16 = [Buffer.from('fffe', 'hex'), Buffer.from('feff', 'hex')]

/** Refuses workbooks and UTF-16 by the first bytes. @throws Fault `csv_invalid` */
function refuseWorkbook(start: Buffer): void {
  const begins = (bytes: Buffer) => start.subarray(0, bytes.length).equals(bytes)
  if (begins(zipFile) || begins(oldWorkbook)) {
    throw csvInvalid('it is a workbook of a spreadsheet (such as .xlsx): save it as CSV in UTF-8')
  }
  if (utf16.some(begins)) throw csvInvalid('it is UTF-16 and not UTF-8: save it as CSV in UTF-8')
}

/** Refuses a header whose columns are separated otherwise. @throws Fault `csv_invalid` */
export function refuseSeparator([first = '', second]: readonly string[]): void {
  const [separator] = second === undefined ? (/[;\t|]/.exec(first) ?? []) : []
  if (separator === undefined) return
  const name = separator === '\t' ? 'tabs' : `"${separator}"`
  throw csvInvalid(`line 1: the columns are separated by ${name}; they must be by commas`)
}

/** Spreadsheets keep 15 digits of a number. */
const rounded = /^\d(?:[.,]\d+)?E\+\d+$/i
/** The marks that keep a spreadsheet from reading a text as a number. */
const guarded = /^'|^="/
/** Emoji and some scripts need joiners. */
const hidden = /(?![\u200c\u200d])\p{Cf}/u

/** Returns how a spreadsheet may have changed an identity; undefined if nothing shows it. */
export function spreadsheetTrace(identity: string): string | undefined {
  if (rounded.test(identity)) return 'the ID looks like a number that a spreadsheet has rounded'
  if (guarded.test(identity))
    return `the ID begins with ${identity[0]}, as spreadsheets mark a text`
  const [found] = hidden.exec(identity) ?? []
  if (found === undefined) return undefined
  const code = found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  return `the ID holds the invisible character U+${code}`
}

/** A spreadsheet runs a cell that begins so; the apostrophes before it are those of exports. */
const formula = /^'*[=+\-@\t\r]/

/** Returns a text as a cell that no spreadsheet runs. */
export function textCell(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** Returns the text of a cell: without the apostrophe that `textCell` puts before it. */
export function cellText(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
}
