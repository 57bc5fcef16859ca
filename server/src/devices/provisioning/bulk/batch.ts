import { provisioningLimits } from '../limits.ts'
import type { CsvRow, GoodRow } from './row.ts'

/** Bytes of these rows; one row may be larger, then it goes alone. */
const csvBatchBytesMax = 512 * 1024

/** Rows that are written together, in the order of the file. */
export type Batch = {
  readonly rows: readonly CsvRow[]
  /** The rows that are written, each identity once. */
  readonly good: readonly GoodRow[]
  /** Rows that repeat an earlier row of their identity in the batch. */
  readonly repeated: ReadonlySet<CsvRow>
}

/**
 * Cuts rows into batches of at most `csvBatchRowsMax` and `csvBatchBytesMax`. A row that
 * differs from an earlier one of its identity begins a batch: the later one counts.
 */
export async function* makeBatches(
  pieces: AsyncIterable<readonly CsvRow[]>,
): AsyncGenerator<Batch> {
  let batch = openBatch()
  for await (const rows of pieces) {
    for (const row of rows) {
      if (!batch.takes(row)) {
        yield batch.close()
        batch = openBatch()
      }
      batch.add(row)
    }
  }
  if (batch.holds()) yield batch.close()
}

function openBatch() {
  const rows: CsvRow[] = []
  const good = new Map<string, GoodRow>()
  const repeated = new Set<CsvRow>()
  let chars = 0
  return {
    holds: () => rows.length > 0,
    takes(row: CsvRow): boolean {
      if (rows.length >= provisioningLimits.csvBatchRowsMax || chars >= csvBatchBytesMax)
        return false
      const before = 'identity' in row ? good.get(row.identity) : undefined
      return before === undefined || ('identity' in row && saysTheSame(before, row))
    },
    add(row: CsvRow): void {
      rows.push(row)
      for (const cell of row.cells) chars += cell.length
      if (!('identity' in row)) return
      if (good.has(row.identity)) repeated.add(row)
      else good.set(row.identity, row)
    },
    close: (): Batch => ({ rows, good: [...good.values()], repeated }),
  }
}

function saysTheSame(one: GoodRow, other: GoodRow): boolean {
  if (one.certificate !== other.certificate) return false
  return JSON.stringify(one.tags) === JSON.stringify(other.tags)
}
