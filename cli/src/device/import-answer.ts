import { parse } from 'csv-parse'

const statuses = ['added', 'changed', 'unchanged', 'failed'] as const
type Status = (typeof statuses)[number]

/** The rows of an answer so far, by their status. */
export type RowCounts = { total: number } & Record<Status, number>

type RawRow = { readonly raw: string; readonly record: readonly string[] }

/** Reads the answer to a CSV file of identities as it comes, and counts its rows. */
export class ImportAnswer {
  readonly counts: RowCounts = { total: 0, added: 0, changed: 0, unchanged: 0, failed: 0 }
  /** The header as CSV; empty before it has come. */
  header = ''
  #statusAt = -1
  #failed: string[] = []
  #error: Error | undefined
  readonly #parser = parse({
    raw: true,
    relax_column_count: true,
    record_delimiter: '\r\n',
    on_record: (row) => {
      this.#take(row as unknown as RawRow)
      return null
    },
  })

  constructor() {
    this.#parser.on('error', () => {}).resume()
  }

  /** Returns the rows that failed of a piece, as CSV. @throws Error if the answer is none. */
  async read(piece: Uint8Array): Promise<readonly string[]> {
    await this.#settled((done) => this.#parser.write(piece, done))
    const failed = this.#failed
    this.#failed = []
    return failed
  }

  /** @throws Error if the answer ends in the middle of a row, or has no header. */
  async end(): Promise<readonly string[]> {
    await this.#settled((done) => this.#parser.once('error', done).end(done))
    if (this.header === '') throw notAnAnswer()
    return this.#failed
  }

  #take({ raw, record }: RawRow): void {
    const line = raw.replace(/\r?\n?$/, '')
    if (this.header === '') {
      this.header = line
      this.#statusAt = record.lastIndexOf('status')
      if (this.#statusAt < 0) this.#error = notAnAnswer()
      return
    }
    this.counts.total += 1
    const status = statuses.find((one) => one === record[this.#statusAt])
    if (status !== undefined) this.counts[status] += 1
    if (status === 'failed') this.#failed.push(line)
  }

  async #settled(act: (done: (error?: Error | null) => void) => unknown): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      act((error) => (error ? reject(error) : resolve()))
    })
    if (this.#error !== undefined) throw this.#error
  }
}

function notAnAnswer(): Error {
  return new Error('the address answered no CSV with the column status, as this API does')
}
