import { limits } from '../../kernel/index.ts'
import type { GoodRow, Row } from './row.ts'

/** Rows that are written together, in the order of the file. */
export type Batch = {
  readonly rows: readonly Row[]
  /** Those that are written, each identity once. */
  readonly good: readonly GoodRow[]
  /** Rows that repeat an earlier row of their identity in the batch. */
  readonly repeated: ReadonlySet<Row>
}

/**
 * Cuts rows into batches of at most `limits.csvBatchRowsMax` and `csvBatchBytesMax`. A row that
 * differs from an earlier one of its identity begins a batch: the later one counts.
 */
export async function* batchesOf(pieces: AsyncIterable<readonly Row[]>): AsyncGenerator<Batch> {
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
  const rows: Row[] = []
  const good = new Map<string, GoodRow>()
  const repeated = new Set<Row>()
  let chars = 0
  return {
    holds: () => rows.length > 0,
    takes(row: Row): boolean {
      if (rows.length >= limits.csvBatchRowsMax || chars >= limits.csvBatchBytesMax) return false
      const before = 'identity' in row ? good.get(row.identity) : undefined
      return before === undefined || ('identity' in row && saysTheSame(before, row))
    },
    add(row: Row): void {
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
