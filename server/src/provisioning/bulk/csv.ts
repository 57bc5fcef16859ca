import type { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { Fault, limits } from '../../kernel/index.ts'

const needsQuotes = /[",\r\n\0\uFEFF]|^\s|\s$/

/**
 * The rows of a CSV file (RFC 4180, UTF-8, with or without a byte order mark, lines that end with
 * CR LF, LF or CR), the header among them, as many at once as a piece of the file holds; lines
 * without any cell are left out. It reads no further than the rows are taken. A row has at most one
 * cell more than `limits.csvCellsMax`.
 * @throws Fault `csv_invalid` at the first place where it is no CSV.
 */
export async function* readRows(source: Readable): AsyncGenerator<readonly Cells[]> {
  const cellsMax = limits.csvCellsMax + 1
  const utf8 = onlyUtf8()
  let rows: Cells[] = []
  const parser = parse({
    bom: true,
    max_record_size: limits.csvRowBytesMax,
    on_record(row: string[]) {
      if (!isEmpty(row)) rows.push(row.length > cellsMax ? row.slice(0, cellsMax) : row)
      return null
    },
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
  })
  // It comes out of `write` too.
  parser.on('error', () => {}).resume()
  for await (const bytes of source) {
    utf8.check(bytes)
    await settled((done) => parser.write(bytes, done))
    if (rows.length > 0) yield rows
    rows = []
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
    throw error instanceof CsvError ? refusalOf(error) : error
  }
}

/** Spreadsheets leave rows of commas behind what they hold. */
function isEmpty(row: Cells): boolean {
  return row[0] === '' && row.every((cell) => cell === '')
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

const reasons: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'after a closing quote there is more than the end of the cell',
  CSV_MAX_RECORD_SIZE: `a row has more than ${limits.csvRowBytesMax} bytes; is a quote not closed?`,
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  INVALID_OPENING_QUOTE: 'a quote stands inside of a cell that is not quoted',
}

function refusalOf(error: CsvError): Fault {
  const line = typeof error.lines === 'number' ? `line ${error.lines}: ` : ''
  return csvInvalid(`${line}${reasons[error.code] ?? 'it is not CSV'}`, error)
}

/** A file that is refused whole; programs in the field search for the message. */
export function csvInvalid(reason: string, cause?: unknown): Fault {
  return new Fault('csv_invalid', undefined, { reason, cause })
}

/** A row as RFC 4180 writes it, with its line end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(cell: string): string {
  return needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
