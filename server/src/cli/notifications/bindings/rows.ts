import { createReadStream } from 'node:fs'
import { limits } from '../../../kernel/index.ts'
import { type ImportAnswer, readBindings } from '../../../services/notification/index.ts'

/** A row of an export, and where it stands there; `reason`: it cannot be read. */
export type PlacedRow = { readonly place: string } & (
  | { readonly value: unknown }
  | { readonly reason: string }
)

export async function* readFileRows(file: string): AsyncGenerator<PlacedRow> {
  const text: AsyncIterable<string> = createReadStream(file, 'utf8')
  for await (const { line, ...row } of readBindings(text)) {
    yield 'value' in row
      ? { place: `line ${line}`, value: row.value }
      : { place: `line ${line}`, reason: row.reason }
  }
}

export type Tally = {
  total: number
  added: number
  changed: number
  unchanged: number
  failed: number
}

/** Passes rows on in batches, and reports each that failed. */
export async function takeRows(
  rows: AsyncIterable<PlacedRow>,
  tally: Tally,
  take: (values: readonly unknown[]) => Promise<ImportAnswer>,
  tellFailed: (place: string, reason: string) => void,
): Promise<void> {
  const batch: { readonly place: string; readonly value: unknown }[] = []
  const fail = (place: string, reason: string) => {
    tally.failed += 1
    tellFailed(place, reason)
  }
  async function flush(): Promise<void> {
    const { added, changed, unchanged, failed } = await take(batch.map(({ value }) => value))
    tally.added += added
    tally.changed += changed
    tally.unchanged += unchanged
    for (const { row, reason } of failed) fail(batch[row]?.place ?? '', reason)
    batch.length = 0
  }
  for await (const row of rows) {
    tally.total += 1
    if ('value' in row) batch.push(row)
    else fail(row.place, row.reason)
    if (batch.length === limits.notificationImportBatchMax) await flush()
  }
  if (batch.length > 0) await flush()
}
