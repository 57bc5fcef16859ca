import { connectionLost, type Database, lostRace } from '../../database/index.ts'
import { type Clock, DelayedFlush, type Logger, limits } from '../../kernel/index.ts'
import { insertLines, type NewScriptLine } from '../store/lines.ts'
import { createLineBudgets, type LineBudgets } from './line-budget.ts'

export type LineWriterNeeds = {
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
}

/** Lines on their way to solutions' logs: kept in memory, written in batches. */
export class LineWriter {
  readonly #needs: LineWriterNeeds
  /** Told which solutions have new lines, after each batch. */
  readonly #written: (solutionIds: ReadonlySet<string>) => void
  readonly #budgets: LineBudgets
  #waiting: NewScriptLine[] = []
  readonly #flushing = new DelayedFlush(() => this.#writeBatches(), limits.noteFlushMs)

  constructor(needs: LineWriterNeeds, written: (solutionIds: ReadonlySet<string>) => void) {
    this.#needs = needs
    this.#budgets = createLineBudgets(needs.clock)
    this.#written = written
  }

  /** Returns at once; it never fails and never waits. */
  write(line: Omit<NewScriptLine, 'at'>): void {
    if (this.#flushing.closed) return
    this.#flushing.schedule()
    const at = this.#needs.clock.nowUs()
    if (!this.#budgets.take(line)) return
    if (this.#waiting.length < limits.scriptLinesWaitingMax) this.#waiting.push({ ...line, at })
    else this.#budgets.recordDropped(line)
  }

  /** Resolves once everything that was said is written, or could not be. */
  flush(): Promise<void> {
    return this.#flushing.flush()
  }

  close(): Promise<void> {
    return this.#flushing.close()
  }

  async #writeBatches(): Promise<void> {
    this.#waiting.push(...this.#budgets.due(this.#flushing.closed))
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, limits.noteBatchMax)
      this.#waiting = this.#waiting.slice(batch.length)
      if (!(await this.#store(batch))) break
    }
    if (this.#waiting.length > 0 || this.#budgets.isCounting()) this.#flushing.schedule()
  }

  /** False where the database is away: the batch waits with what comes meanwhile. */
  async #store(batch: readonly NewScriptLine[]): Promise<boolean> {
    try {
      await insertLines(this.#needs.database, batch)
    } catch (error) {
      const away = connectionLost(error) || lostRace(error)
      const what = { err: error, lines: batch.length, away }
      this.#needs.logger.warn(what, "scripts' lines could not be written")
      const room = Math.max(0, limits.scriptLinesWaitingMax - batch.length)
      if (away) this.#waiting = [...batch, ...this.#waiting.slice(0, room)]
      return !away
    }
    this.#written(new Set(batch.map(({ solutionId }) => solutionId)))
    return true
  }
}
