import type { Database, Transaction } from '../../../foundation/database/index.ts'
import {
  errorCatalogue,
  type Logger,
  limits,
  PollLoop,
  pauseUnlessAborted,
} from '../../../foundation/kernel/index.ts'
import type { EventLog } from '../../../log/eventlog/index.ts'
import { scriptingLimits } from '../limits.ts'
import { scriptError } from '../runtime/script-error.ts'
import {
  type BehindSolution,
  countLeft,
  deletePlaces,
  extendPlaces,
  moveSolution,
  readBehind,
  readLowestPlace,
  readPlace,
  type SolutionPlace,
} from '../store/solution-cursors.ts'
import { toFailure } from './delivery.ts'
import {
  EventBatch,
  type EventDeliveries,
  eventKey,
  placeAfter,
  type RunEvent,
} from './event-batches.ts'
import type { EventPlanner, PlannedEvent } from './planned-events.ts'
import { runWhileMoving } from './time-slices.ts'

/**
 * Jobs of a solution that is behind (calls that run long, or that wait for one of their device) at
 * which it reads no further entries of the log.
 */
const scriptBehindJobsMax = 256
/** The pause of a solution that is behind while all it could run waits for the same devices. */
const scriptBehindPauseMs = 25
/** The interval at which a process looks for solutions that others have left behind. */
const scriptBehindPollMs = 1_500

/**
 * The solutions that are behind: each reads the log with a cursor of its own until it has caught
 * up. So a slow solution or a busy machine writes no events to the database, and a solution that is
 * behind delays no other.
 */
export class CatchUp {
  readonly #options: CatchUpOptions
  readonly #readers = new Map<string, CatchUpReader>()
  /**
   * Solutions without a reader at the moment: a lease that is renewed late ends their readers, even
   * if no other process had the partition meanwhile.
   */
  readonly #interrupted = new Set<string>()
  readonly #loop: PollLoop
  #polling: Promise<void> | undefined
  #stopped = false

  constructor(options: CatchUpOptions) {
    this.#options = options
    const { database, eventlog, logger } = options
    eventlog.keepFrom((part) => readLowestPlace(database, part))
    eventlog.ledger.addStage({ stage: catchUpStage, pending: countLeft })
    this.#loop = new PollLoop({
      look: () => this.#look(),
      failed: (error) =>
        logger.warn({ err: error }, 'failed to look for solutions that are behind'),
      pollMs: scriptBehindPollMs,
    })
  }

  /** Takes over the unread entries of partitions that this process has, or that no process has. */
  start(): void {
    this.#polling ??= this.#loop.run()
  }

  isBehind(part: number, solutionId: string): boolean {
    const key = readerKey(part, solutionId)
    return this.#readers.has(key) || this.#interrupted.has(key)
  }

  /** To be called when this process has acquired a partition, before it reads there. */
  async load(part: number): Promise<void> {
    await this.leave(part)
    const behind = await readBehind(this.#options.database)
    for (const one of behind.get(part) ?? []) this.#readerFor(part, one)
  }

  /** To be called before another process acquires a partition: nothing of it is read afterwards. */
  async leave(part: number): Promise<void> {
    await this.#stopReaders((reader) => reader.part === part)
    for (const key of this.#interrupted) {
      if (key.startsWith(readerKey(part, ''))) this.#interrupted.delete(key)
    }
  }

  /** Lets events wait in the log, in the transaction of the shared cursor. */
  async extendIn(
    transaction: Transaction,
    part: number,
    places: readonly (BehindSolution & SolutionPlace)[],
  ): Promise<void> {
    if (places.length === 0) return
    const taken = await extendPlaces(transaction, part, places)
    const counts = { taken, done: 0, failed: 0 }
    await this.#options.eventlog.countStage(transaction, catchUpStage, part, counts)
  }

  /** To be called after the commit of `extendIn`. */
  extended(part: number, solutions: readonly BehindSolution[]): void {
    for (const one of solutions) this.#readerFor(part, one)?.notify()
  }

  /**
   * Counts the unread events of a solution as failed. Call it in the transaction that removes the
   * solution.
   */
  async removeIn(transaction: Transaction, solutionId: string): Promise<void> {
    const left = await deletePlaces(transaction, solutionId)
    // In the order of the partitions, as every writer counts.
    for (const { part, left: failed } of left.toSorted((one, other) => one.part - other.part)) {
      const counts = { taken: 0, done: 0, failed }
      await this.#options.eventlog.countStage(transaction, catchUpStage, part, counts)
    }
  }

  /** Resolves once no solution is behind in this process. */
  async caughtUp(): Promise<void> {
    while (this.#readers.size > 0) {
      await Promise.all([...this.#readers.values()].map(({ ended }) => ended))
    }
  }

  /** Ends all reading; unread entries are read after a restart, or by another process. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#loop.stop()
    await this.#polling
    await this.#stopReaders(() => true)
  }

  /** Other processes may have left solutions behind. */
  async #look(): Promise<void> {
    const { database, eventlog } = this.#options
    for (const [part, solutions] of await readBehind(database)) {
      if (eventlog.epochFor(part) === undefined) continue
      for (const one of solutions) this.#readerFor(part, one)
    }
  }

  #readerFor(part: number, solution: BehindSolution): CatchUpReader | undefined {
    if (this.#stopped) return undefined
    const key = readerKey(part, solution.solutionId)
    const known = this.#readers.get(key)
    if (known !== undefined) return known
    const reader = new CatchUpReader(this.#options, part, solution, (isBehind) => {
      this.#readers.delete(key)
      if (isBehind) this.#interrupted.add(key)
    })
    this.#interrupted.delete(key)
    this.#readers.set(key, reader)
    return reader
  }

  async #stopReaders(which: (reader: CatchUpReader) => boolean): Promise<void> {
    await Promise.all([...this.#readers.values()].filter(which).map((reader) => reader.stop()))
  }
}

function readerKey(part: number, solutionId: string): string {
  return `${part}/${solutionId}`
}

export type CatchUpOptions = {
  readonly database: Database
  readonly eventlog: Pick<EventLog, 'read' | 'epochFor' | 'keepFrom' | 'countStage' | 'ledger'>
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
  toFailure(
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
        const now = eventlog.epochFor(this.part)
        epoch ??= now
        // Another process has, or had, the partition: the backlog is read again.
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

  /**
   * Handles a batch.
   * @returns false if the solution is not behind.
   */
  async #step(): Promise<boolean> {
    const { database, eventlog, deliveries } = this.#options
    const { solutionId } = this.#solution
    if (await deliveries.isBehind(solutionId, scriptBehindJobsMax)) {
      await this.#pause(limits.deliveryPollMs)
      return true
    }
    const place = await readPlace(database, this.part, solutionId)
    if (place === undefined) return false
    const count = Math.min(scriptingLimits.scriptEventsBatchMax, place.until - place.position)
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
      await this.#pause(scriptBehindPauseMs)
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
