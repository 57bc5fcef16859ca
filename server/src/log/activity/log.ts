import type { Database, Queryable } from '../../foundation/database/index.ts'
import {
  type Clock,
  Fault,
  type Logger,
  limits,
  type PeriodsByBusiness,
  removeByPeriods,
} from '../../foundation/kernel/index.ts'
import { type KeyedLine, type LogSchema, type NewStoredLine, parseKey, storedPart } from './line.ts'
import { type LinePage, type LineSource, type PageOptions, readPage } from './page.ts'
import {
  deleteLog,
  deleteOldLines,
  deleteSurplusLines,
  hasLineAfter,
  insertLines,
  type LogOwner,
  readLineHorizon,
  readLines,
  readNewest,
} from './store/lines.ts'
import type { Tails } from './tail.ts'
import { LineWriter } from './writer.ts'

export type ActivityLogOptions<Line extends KeyedLine, NewLine, Filter> = {
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
  readonly tails: Tails
  readonly schema: LogSchema<Line, NewLine, Filter>
  /** Places of lines beside the table. */
  readonly sources?: readonly LineSource<Line>[]
}

export type FollowOptions<Filter> = {
  readonly filter?: Filter
  /** The id of a line. */
  readonly after?: string | undefined
}

const usPerHour = 3_600_000_000

/** The logs of all connectors, of all solutions, or of all assets. */
export class ActivityLog<Line extends KeyedLine, NewLine, Filter> {
  readonly #options: ActivityLogOptions<Line, NewLine, Filter>
  readonly #sources: readonly LineSource<Line>[]
  readonly #writer: LineWriter

  constructor(options: ActivityLogOptions<Line, NewLine, Filter>) {
    const { sources = [], tails } = options
    this.#options = options
    this.#sources = [this.#stored(), ...sources]
    this.#writer = new LineWriter({ ...options, written: (ownerIds) => tails.notify(ownerIds) })
  }

  /**
   * Adds a line, best effort: it returns at once and never fails; the line is written within
   * `lineFlushMs`.
   */
  write(line: NewLine): void {
    this.#writer.write(this.#toStored(line))
  }

  /**
   * Adds lines in the caller's transaction. Each log that gets a line keeps its newest `kept`
   * lines.
   */
  async writeIn(
    queryable: Queryable,
    lines: readonly NewLine[],
    { kept }: { readonly kept: number },
  ): Promise<void> {
    if (lines.length === 0) return
    const { owner } = this.#options.schema
    const stored = lines.map((line) => this.#toStored(line))
    await insertLines(queryable, owner, stored)
    for (const ownerId of new Set(stored.map((line) => line.ownerId))) {
      await deleteSurplusLines(queryable, owner, ownerId, kept, limits.retentionBatchMax)
    }
  }

  /** Returns a page of a log, newest first. */
  lines(
    businessId: string,
    ownerId: string,
    query: Filter & PageOptions = {} as Filter & PageOptions,
  ): Promise<LinePage<Line>> {
    const { clock, schema } = this.#options
    const log = { businessId, ownerId }
    return readPage(this.#sources, log, schema.toFilter(query), query, clock.nowUs())
  }

  /** Returns part of the lines of the table, newest first. */
  async list(
    businessId: string,
    ownerId: string,
    part: { readonly limit: number; readonly offset: number },
  ): Promise<Line[]> {
    const { database, schema } = this.#options
    const rows = await readNewest(database, this.#owner(businessId, ownerId), part, storedPart)
    return rows.map(schema.fromStored)
  }

  /**
   * Calls the listener with new lines, oldest first, until the returned function is called.
   * @throws Fault `invalid_argument` for a line that is none.
   */
  follow(
    businessId: string,
    ownerId: string,
    listener: (lines: readonly Line[]) => void,
    { filter, after }: FollowOptions<Filter> = {},
  ): () => void {
    const { tails, schema } = this.#options
    const afterKey = after === undefined ? undefined : parseKey(after)
    if (after !== undefined && afterKey === undefined) {
      throw new Fault('invalid_argument', 'after must be the position of a line.')
    }
    return tails.follow({
      sources: this.#sources,
      log: { businessId, ownerId },
      filter: filter === undefined ? {} : schema.toFilter(filter),
      after: afterKey,
      listener,
      skipped: (key) => {
        const { code, text } = notices.skipped
        const line = { ...schema.about, subject: null, code, text, count: 1, details: {} }
        return schema.fromStored({ ...line, at: key.at, part: key.part, seq: key.seq })
      },
    })
  }

  /** Logs that a live view ended because its reader, at this address, was too slow. */
  reportSlowReader(businessId: string, ownerId: string, ip: string): void {
    const { clock, schema } = this.#options
    const owner = { businessId, ownerId, at: clock.nowUs() }
    const line = { ...schema.about, ...notices.slowReader, subject: null, count: 1 }
    this.#writer.write({ ...owner, ...line, details: { ip, protocol: 'api' } })
  }

  /** Resolves once every line that was added before is written, or could not be. */
  flush(): Promise<void> {
    return this.#writer.flush()
  }

  /** Removes one owner's log in the caller's transaction. */
  async remove(queryable: Queryable, businessId: string, ownerId: string): Promise<void> {
    await deleteLog(queryable, this.#owner(businessId, ownerId))
  }

  /** Removes what is older than its period; that of the schema if none is set. */
  async removeOld(periods: PeriodsByBusiness): Promise<void> {
    const { database, clock, schema } = this.#options
    const nowUs = clock.nowUs()
    await removeByPeriods(periods, schema.retentionHours(), (part, hours, count) =>
      deleteOldLines(database, schema.owner, part, nowUs - hours * usPerHour, count),
    )
  }

  close(): Promise<void> {
    return this.#writer.close()
  }

  #toStored(line: NewLine): NewStoredLine {
    return this.#options.schema.toStored(line, this.#options.clock.nowUs())
  }

  #owner(businessId: string, ownerId: string): LogOwner {
    return { owner: this.#options.schema.owner, businessId, ownerId }
  }

  #stored(): LineSource<Line> {
    const { database, schema } = this.#options
    return {
      async read({ businessId, ownerId }, filter, range) {
        const owner = { owner: schema.owner, businessId, ownerId }
        const rows = await readLines(database, owner, filter, range, storedPart)
        return rows.map(schema.fromStored)
      },
      horizon: (...range) => readLineHorizon(database, schema.owner, ...range),
      hasAfter: (...range) => hasLineAfter(database, schema.owner, ...range),
    }
  }
}

/** Lines about a log itself. */
const notices = {
  skipped: {
    code: 'lines_skipped',
    text: 'Lines were skipped here: more came than a live view shows. The list has them all.',
  },
  slowReader: {
    code: 'slow_reader',
    text: 'A live view of this log was cut: its reader was too slow.',
  },
} as const
