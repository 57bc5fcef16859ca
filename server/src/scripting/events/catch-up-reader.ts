import type { Database } from '../../database/index.ts'
import type { EventLog } from '../../eventlog/index.ts'
import { errorCatalogue, type Logger, limits, pauseUnlessAborted } from '../../kernel/index.ts'
import { scriptError } from '../runtime/script-error.ts'
import {
  type BehindSolution,
  moveSolution,
  readPlace,
  type SolutionPlace,
} from '../store/solution-cursors.ts'
import { EventBatch, type EventDeliveries, eventKey, placeAfter } from './event-batch.ts'
import type { EventPlanner, PlannedEvent } from './event-plan.ts'
import type { RunEvent } from './event-run.ts'
import { failureOf } from './outcome.ts'
import { runWhileMoving } from './time-slices.ts'

export type CatchUpOptions = {
  readonly database: Database
  readonly eventlog: Pick<EventLog, 'read' | 'epochOf' | 'keepFrom' | 'countStage' | 'ledger'>
  readonly planner: EventPlanner
  readonly run: RunEvent
  readonly deliveries: EventDeliveries
  readonly logger: Logger
  readonly nowUs: () => number
}

/** The stage of the ledger that counts entries which solutions that are behind have left. */
export const catchUpStage = 'scripts.behind'

const usPerHour = 3_600_000_000
const retryFirstMs = 10

const tooLate = () =>
  failureOf(
    'enqueue',
    scriptError(
      errorCatalogue.overloaded.status,
      `overloaded: the solution was more than ${limits.scriptBehindHours} hours behind.`,
    ),
  )

/**
 * Goes through the entries of a partition for one solution that is behind, until it has reached
 * the shared cursor. A batch goes on as long as events end; the next one waits while too many
 * events of the solution are jobs that wait or run.
 */
export class CatchUpReader {
  readonly part: number
  /** Resolves once the solution is not behind any more, or the reader was stopped. */
  readonly ended: Promise<void>
  readonly #options: CatchUpOptions
  readonly #solution: BehindSolution
  readonly #stopped = new AbortController()
  #notified = false
  #failures = 0

  /**
   * @param onEnd called at the end, in the same turn as the last check; `isBehind` if the solution
   * may still be behind, since the reading was stopped or the lease on the partition was lost.
   */
  constructor(
    options: CatchUpOptions,
    part: number,
    solution: BehindSolution,
    onEnd: (isBehind: boolean) => void,
  ) {
    this.#options = options
    this.part = part
    this.#solution = solution
    this.ended = this.#readAll().then(onEnd)
  }

  /** There is more to go through. */
  notify(): void {
    this.#notified = true
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.ended
  }

  /** @returns whether the solution may still be behind. */
  async #readAll(): Promise<boolean> {
    const { logger, eventlog } = this.#options
    let epoch: number | undefined
    while (!this.#stopped.signal.aborted) {
      try {
        const now = eventlog.epochOf(this.part)
        epoch ??= now
        // Another process has, or had, the partition: what is left is read anew.
        if (now === undefined || now !== epoch) return true
        this.#notified = false
        const moved = await this.#step()
        this.#failures = 0
        if (!moved && !this.#notified) return false
      } catch (error) {
        this.#failures += 1
        const where = { solution: this.#solution.solutionId, part: this.part }
        logger.warn({ err: error, ...where }, 'a solution that is behind could not go on; retrying')
        await this.#pause(Math.min(limits.consumerRetryMsMax, retryFirstMs * 2 ** this.#failures))
      }
    }
    return true
  }

  /** One batch. @returns false if the solution is not behind. */
  async #step(): Promise<boolean> {
    const { database, eventlog, deliveries } = this.#options
    const { solutionId } = this.#solution
    if (await deliveries.isBehind(solutionId, limits.scriptBehindJobsMax)) {
      await this.#pause(limits.deliveryPollMs)
      return true
    }
    const place = await readPlace(database, this.part, solutionId)
    if (place === undefined) return false
    const count = Math.min(limits.scriptEventsBatchMax, place.until - place.position)
    const entries = await eventlog.read(this.part, place.position, count)
    const end = entries.at(-1)?.seq
    if (end === undefined) throw new Error(`entries after ${place.position} are not in the log`)
    const skipped = new Set(place.skipped)
    const planned = await this.#options.planner.plan(entries, this.#solution)
    const batch = await this.#run(planned.filter((event) => !skipped.has(eventKey(event))))
    const left = batch.close()
    const after = placeAfter(batch.runs, left, end)
    const earlier = place.skipped.filter((key) => Number.parseInt(key, 10) > after.position)
    if (!batch.hasMoved && after.position === place.position) {
      // All of them wait for earlier events of their devices, which run.
      await this.#pause(limits.scriptBehindPauseMs)
      return true
    }
    await this.#write(place, { ...after, skipped: [...earlier, ...after.skipped] }, batch)
    return true
  }

  async #run(planned: readonly PlannedEvent[]): Promise<EventBatch> {
    const { database, deliveries, run, nowUs } = this.#options
    const oldest = nowUs() - limits.scriptBehindHours * usPerHour
    const runUnlessTooOld = (event: PlannedEvent) =>
      event.at < oldest
        ? Promise.resolve({ kind: 'dead', failure: tooLate() } as const)
        : run(event)
    const batch = await EventBatch.of(planned, runUnlessTooOld, deliveries, database)
    await runWhileMoving(batch.ready, () => this.#stopped.signal.aborted)
    return batch
  }

  async #write(
    from: SolutionPlace,
    to: Pick<SolutionPlace, 'position' | 'skipped'>,
    batch: EventBatch,
  ): Promise<void> {
    const { database, deliveries, eventlog, logger } = this.#options
    const { part } = this
    const moved = database.transaction(async (transaction) => {
      const { solutionId } = this.#solution
      if (!(await moveSolution(transaction, part, solutionId, from, to))) return false
      await batch.storeIn(transaction, deliveries)
      const done = to.position - from.position
      await eventlog.countStage(transaction, catchUpStage, part, { taken: 0, done, failed: 0 })
      return true
    })
    try {
      if (await moved) batch.committed(deliveries, logger)
    } catch (error) {
      // If only the answer to the COMMIT was lost, its running events are to be settled.
      batch.committed(deliveries, logger)
      throw error
    }
  }

  async #pause(ms: number): Promise<void> {
    await pauseUnlessAborted(ms, this.#stopped.signal)
  }
}
