import type pg from 'pg'
import { type Statement, statementName, typeParsers } from '../statement.ts'

export type Row = Record<string, unknown>

/** The statements that are prepared on one connection, by name, with what each answers. */
export type PreparedStatements = {
  readonly surely: Map<string, readonly pg.FieldDef[]>
  /** Sent to be prepared in a transaction that failed: whether it is, is unknown. */
  readonly perhaps: Set<string>
}

/** The extended protocol, as the driver's connection implements it. */
type Wire = {
  readonly stream: { cork(): void; uncork(): void }
  parse(message: { name: string; text: string; types: readonly number[] }): void
  bind(message: { statement: string; values: readonly (Buffer | string | null)[] }): void
  describe(message: { type: 'P' }): void
  execute(message: object): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
}

type Step = {
  readonly name: string
  readonly text: string
  readonly values: readonly (Buffer | string | null)[]
  fields: readonly pg.FieldDef[]
  readonly rows: Row[]
}

/**
 * A whole transaction, BEGIN and COMMIT among its statements, in one write with one Sync behind:
 * the server answers once, where it would else answer and be written to for each statement. After a
 * statement that fails it skips the others, COMMIT too, and the transaction stays open: whoever
 * gets the error rolls it back. The driver calls these methods in the order of the answers.
 */
export class RoundTrip implements pg.Submittable {
  readonly #steps: readonly Step[]
  readonly #prepared: PreparedStatements
  readonly #settled = Promise.withResolvers<Row[][]>()
  #at = 0
  #command = ''

  constructor(statements: readonly Statement[], prepared: PreparedStatements) {
    const all = [{ text: 'begin', values: [] }, ...statements, { text: 'commit', values: [] }]
    this.#steps = all.map(({ text, values }) => {
      const name = statementName(text) ?? ''
      return { name, text, values: values.map(written), fields: [], rows: [] }
    })
    this.#prepared = prepared
  }

  /** The rows of each statement; rejects with the error of the server or the connection. */
  get rows(): Promise<Row[][]> {
    return this.#settled.promise
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire
    const fresh = new Set<string>()
    wire.stream.cork()
    for (const step of this.#steps) this.#send(wire, step, fresh)
    wire.sync()
    wire.stream.uncork()
  }

  #send(wire: Wire, step: Step, fresh: Set<string>): void {
    const { name, text, values } = step
    const { surely, perhaps } = this.#prepared
    const fields = surely.get(name)
    if (fields !== undefined) step.fields = fields
    else if (!fresh.has(name) || name === '') {
      if (perhaps.has(name)) wire.close({ type: 'S', name })
      wire.parse({ name, text, types: [] })
      fresh.add(name)
      perhaps.add(name)
    }
    wire.bind({ statement: name, values })
    if (fields === undefined) wire.describe({ type: 'P' })
    wire.execute({})
  }

  handleRowDescription(message: { fields: pg.FieldDef[] }): void {
    const step = this.#steps[this.#at]
    if (step !== undefined) step.fields = message.fields
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    const step = this.#steps[this.#at]
    if (step !== undefined) step.rows.push(read(step.fields, message.fields))
  }

  handleCommandComplete(message: { text: string }): void {
    this.#command = message.text
    this.#at += 1
  }

  handleError(error: unknown): void {
    this.#settled.reject(error)
  }

  handleReadyForQuery(): void {
    // A COMMIT of a transaction that failed before it "succeeds", with the tag ROLLBACK.
    if (this.#command !== 'COMMIT') {
      this.#settled.reject(new Error('the transaction was rolled back'))
      return
    }
    const { surely, perhaps } = this.#prepared
    for (const { name, fields } of this.#steps) {
      if (name !== '') surely.set(name, fields)
      perhaps.delete(name)
    }
    this.#settled.resolve(this.#steps.slice(1, -1).map((step) => step.rows))
  }
}

/** A value as the protocol carries it: a Buffer in binary, the rest as text. */
function written(value: unknown): Buffer | string | null {
  if (value === null || value === undefined) return null
  if (Buffer.isBuffer(value) || typeof value === 'string') return value
  if (typeof value === 'object') throw new TypeError('a writer takes no objects as values')
  return String(value)
}

function read(fields: readonly pg.FieldDef[], texts: readonly (string | null)[]): Row {
  const row: Row = {}
  fields.forEach(({ name, dataTypeID }, at) => {
    const text = texts[at] ?? null
    row[name] = text === null ? null : typeParsers.getTypeParser(dataTypeID, 'text')(text)
  })
  return row
}
