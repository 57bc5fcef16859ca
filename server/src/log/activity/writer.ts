import { connectionLost, type Database, lostRace } from '../../foundation/database/index.ts'
import { type Clock, DelayedFlush, type Logger } from '../../foundation/kernel/index.ts'
import { createFolder, type FoldSchema, type LineFold } from './fold.ts'
import { activityLimits } from './limits.ts'
import type { NewStoredLine } from './line.ts'
import { insertLines } from './store/lines.ts'

/** Lines that one statement writes. */
const lineBatchMax = 1_000
/**
 * Lines of connectors, and as many of solutions, that wait in a process to be written; past it they
 * are left out, and counted.
 */
const linesWaitingMax = 10_000

export type LineWriterOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
  readonly schema: FoldSchema & { readonly owner: string }
  /** Called with the owners that have new lines, after each batch. */
  readonly written: (ownerIds: ReadonlySet<string>) => void
}

/** Gathers lines in memory and writes them in batches; a cut loses the last ones. */
export class LineWriter {
  readonly #options: LineWriterOptions
  readonly #folder: LineFold
  readonly #flushing = new DelayedFlush(() => this.#writeBatches(), activityLimits.lineFlushMs)
  #waiting: NewStoredLine[] = []

  constructor(options: LineWriterOptions) {
    this.#options = options
    this.#folder = createFolder(options.schema, options.clock)
  }

  /** Returns at once; never fails and never waits. */
  write(line: NewStoredLine): void {
    if (this.#flushing.closed) return
    const taken = this.#folder.take(line)
    if (taken !== undefined) this.#queue(taken)
    this.#flushing.schedule()
  }

  /** Resolves once every line before is written, or could not be. */
  flush(): Promise<void> {
    return this.#flushing.flush()
  }

  /** Writes what waits, with the counts of what was folded or left out. */
  close(): Promise<void> {
    return this.#flushing.close()
  }

  #queue(line: NewStoredLine): void {
    if (this.#waiting.length < linesWaitingMax) this.#waiting.push(line)
    else this.#folder.leaveOut(line)
  }

  async #writeBatches(): Promise<void> {
    for (const line of this.#folder.due(this.#flushing.closed)) this.#queue(line)
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, lineBatchMax)
      this.#waiting = this.#waiting.slice(batch.length)
      if (!(await this.#store(batch))) break
    }
    if (this.#waiting.length > 0 || this.#folder.isCounting()) this.#flushing.schedule()
  }

  /** Returns false if the database is away: the batch waits with what comes meanwhile. */
  async #store(batch: readonly NewStoredLine[]): Promise<boolean> {
    const { database, logger, schema, written } = this.#options
    try {
      await insertLines(database, schema.owner, batch)
    } catch (error) {
      const away = connectionLost(error) || lostRace(error)
      const what = { err: error, log: schema.owner, lines: batch.length, away }
      logger.warn(what, 'activity could not be logged')
      if (!away) for (const line of batch) this.#folder.leaveOut(line)
      else {
        const since = this.#waiting
        this.#waiting = [...batch]
        for (const line of since) this.#queue(line)
      }
      return !away
    }
    written(new Set(batch.map(({ ownerId }) => ownerId)))
    return true
  }
}
