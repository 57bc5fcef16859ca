import { ApiError, type operations } from '@millrace/client'
import type { JsonObject } from './scan.ts'

/** A binding of an export with its place there; `reason`: it cannot be read. */
export type PlacedRow = { readonly place: string } & (
  | { readonly value: JsonObject }
  | { readonly reason: string }
)

/** The source of bindings: a file, or another service. */
export type BindingSource = {
  readonly rows: AsyncGenerator<PlacedRow>
  /** The part that is read, from 0 to 1; undefined if its size is not known. */
  share(): number | undefined
}

type Answer = operations['importBindings']['responses'][200]['content']['application/json']

export type BindingImportOptions = {
  /** Imports a batch by the API. */
  readonly send: (bindings: readonly JsonObject[]) => Promise<Answer>
  /** Called with each row that is not imported. */
  readonly failed: (place: string, reason: string) => Promise<void>
}

type Batch = readonly { readonly place: string; readonly binding: JsonObject }[]

/** As many as an instance takes in a request unless its operator sets less. */
const batchRowsMax = 500
/** Half of the body that an instance takes unless its operator sets less. */
const batchBytesMax = 512 * 1024

/** Imports bindings in batches; their number does not matter to its memory. */
export class BindingImport {
  readonly #options: BindingImportOptions
  readonly counts = { total: 0, added: 0, changed: 0, unchanged: 0, failed: 0 }
  #rowsMax = batchRowsMax

  constructor(options: BindingImportOptions) {
    this.#options = options
  }

  /** @throws ApiError */
  async run(rows: AsyncIterable<PlacedRow>): Promise<void> {
    const batch: Batch[number][] = []
    let bytes = 0
    for await (const row of rows) {
      this.counts.total += 1
      if ('reason' in row) {
        await this.#fail(row.place, row.reason)
        continue
      }
      const binding = importedFields(row.value)
      const size = Buffer.byteLength(JSON.stringify(binding))
      const isFull = batch.length >= this.#rowsMax || bytes + size > batchBytesMax
      if (isFull && batch.length > 0) {
        await this.#send(batch.splice(0))
        bytes = 0
      }
      batch.push({ place: row.place, binding })
      bytes += size
    }
    if (batch.length > 0) await this.#send(batch)
  }

  /** An instance whose operator has set lower limits gets smaller batches from then on. */
  async #send(batch: Batch): Promise<void> {
    let answer: Answer
    try {
      answer = await this.#options.send(batch.map(({ binding }) => binding))
    } catch (error) {
      if (!mayBeTooLarge(error) || batch.length === 1) throw error
      const half = Math.ceil(batch.length / 2)
      await this.#send(batch.slice(0, half))
      this.#rowsMax = Math.min(this.#rowsMax, half)
      return this.#send(batch.slice(half))
    }
    const { added, changed, unchanged, failed } = answer
    this.counts.added += added
    this.counts.changed += changed
    this.counts.unchanged += unchanged
    for (const { row, reason } of failed) await this.#fail(batch[row]?.place ?? '', reason)
  }

  async #fail(place: string, reason: string): Promise<void> {
    this.counts.failed += 1
    await this.#options.failed(place, reason)
  }
}

/** The instance refuses a list that is too long by its name, and other arguments by theirs. */
function mayBeTooLarge(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  const { code, message } = error
  return code === 'too_large' || (code === 'invalid_argument' && message.startsWith('bindings '))
}

/** Nothing else of a row leaves the machine. */
const fields = [
  ...['sid', 'service_sid', 'identity', 'binding_type', 'address', 'endpoint', 'tags'],
  ...['credential_sid', 'notification_protocol_version', 'date_created', 'date_updated'],
]

function importedFields(row: JsonObject): JsonObject {
  const given = fields.filter((name) => Object.hasOwn(row, name))
  return Object.fromEntries(
    given.map((name) => {
      const value = row[name]
      return [name, Array.isArray(value) ? value.map(withoutDepth) : withoutDepth(value)]
    }),
  )
}

/** An object is no value of a binding: the instance names it, without what is in it. */
function withoutDepth(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? {} : value
}
