import type { Readable } from 'node:stream'
import type { Connector } from '../connectors/connector.ts'
import { parseExpire, toDeadline } from '../identities/identity-input.ts'
import { type Batch, makeBatches } from './batch.ts'
import { csvInvalid, csvLine, readRows, spreadsheetTrace } from './csv.ts'
import { answerHeader, type Header, parseHeader } from './header.ts'
import { type CsvRow, checkRow } from './row.ts'
import type { ImportCounts, ImportInput } from './schema.ts'
import { type WriteBatchOptions, type WrittenBatch, writeBatch } from './write-batch.ts'

/** A file that can be read twice, from its start each time. */
export type CsvFile = { open(): Readable }

/** A file that is known to be CSV, of which nothing is written yet. */
export type CsvImport = {
  counts(): ImportCounts
  /**
   * Writes the rows, batch after batch as the answer is taken, and says of each what became of it:
   * CSV with the columns of the file and `status, code, message`. Ended early, it writes no more;
   * what is answered is durable. To be called once.
   * @param only `failed`: the answer holds these rows alone.
   */
  answer(only?: 'failed'): AsyncGenerator<string>
}

/** The outcome of a row. */
type RowStatus = 'added' | 'changed' | 'unchanged' | 'failed'

/**
 * Whitelists the identities of a CSV file. It is read twice: first to its end, so that a file that
 * is no CSV is refused before anything of it is written, then to write its rows. A row counts as
 * one whitelisting by itself would; the same file may be sent again.
 * @throws Fault `csv_invalid`, `invalid_argument`.
 */
export async function openImport(
  options: WriteBatchOptions,
  connector: Connector,
  file: CsvFile,
  { expire, dryRun = false }: ImportInput,
): Promise<CsvImport> {
  const activateUntil = expire === undefined ? undefined : toDeadline(parseExpire(expire))
  const { header, total } = await checkFile(file)
  const counts = { added: 0, changed: 0, unchanged: 0, failed: 0 }
  let trimmed = 0
  let foreseen = 0
  async function write(batch: Batch): Promise<WrittenBatch> {
    const written = await writeBatch(options, connector, batch, {
      activateUntil,
      dryRun,
      previewed: foreseen,
    })
    if (dryRun) for (const isNew of written.changed.values()) foreseen += isNew ? 1 : 0
    return written
  }

  function makeAnswer(batch: Batch, written: WrittenBatch, only?: 'failed'): string {
    let text = ''
    for (const row of batch.rows) {
      const said = toRowResult(row, batch, written)
      counts[said.status] += 1
      if ('identity' in row && row.trimmed) trimmed += 1
      if (only === undefined || only === said.status) text += answerLine(header, row, said)
    }
    return text
  }

  return {
    counts: () => ({ total, ...counts, ...(trimmed > 0 && { trimmed }) }),
    async *answer(only) {
      yield answerHeader(header)
      const rows = checkedRows(connector, header, file)
      for await (const [batch, written] of oneAhead(makeBatches(rows), write)) {
        yield makeAnswer(batch, written, only)
      }
    },
  }
}

/** Reads a file to its end. */
async function checkFile(file: CsvFile): Promise<{ header: Header; total: number }> {
  let header: Header | undefined
  let rows = 0
  for await (const piece of readRows(file.open())) {
    const [first] = piece
    if (first !== undefined) header ??= parseHeader(first)
    rows += piece.length
  }
  if (header === undefined) throw csvInvalid('it is empty')
  return { header, total: rows - 1 }
}

async function* checkedRows(
  { identityFormat }: Connector,
  header: Header,
  file: CsvFile,
): AsyncGenerator<readonly CsvRow[]> {
  let below = 1
  for await (const rows of readRows(file.open())) {
    yield rows.slice(below).map((cells) => checkRow(identityFormat, header, cells))
    if (rows.length > 0) below = 0
  }
}

/** Does the work on each item in order, and reads the next one while the work is under way. */
async function* oneAhead<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<readonly [Item, Result]> {
  let under: Promise<readonly [Item, Result]> | undefined
  try {
    for await (const item of items) {
      const done = await under
      under = work(item).then((result) => [item, result] as const)
      // The await below throws a rejection; one that comes earlier must not end the process.
      under.catch(() => {})
      if (done !== undefined) yield done
    }
    if (under !== undefined) yield await under
  } finally {
    await under?.catch(() => {})
  }
}

type RowResult = { readonly status: RowStatus; readonly code: string; readonly message: string }

function toRowResult(row: CsvRow, batch: Batch, written: WrittenBatch): RowResult {
  if (!('identity' in row)) return { status: 'failed', code: row.code, message: row.message }
  if (written.leftOut.has(row.identity)) {
    const { code, detail } = written.full
    return { status: 'failed', code, message: detail }
  }
  const isRepeated = batch.repeated.has(row)
  const trace = spreadsheetTrace(row.identity)
  const notes = [
    ...(row.trimmed ? [`white space around the ID was removed: ${row.identity}`] : []),
    ...(trace === undefined ? [] : [trace]),
    ...(isRepeated ? ['an earlier row says the same'] : []),
  ]
  const added = isRepeated ? undefined : written.changed.get(row.identity)
  const status = added === undefined ? 'unchanged' : added ? 'added' : 'changed'
  return { status, code: '', message: notes.join('; ') }
}

/** As many cells as the header has, whatever the row had. */
function answerLine(
  { kept }: Header,
  { cells }: CsvRow,
  { status, code, message }: RowResult,
): string {
  return csvLine([...kept.map((at) => cells[at] ?? ''), status, code, message])
}
