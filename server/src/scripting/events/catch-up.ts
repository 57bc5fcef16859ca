import type { Transaction } from '../../database/index.ts'
import { limits, PollLoop } from '../../kernel/index.ts'
import {
  type BehindSolution,
  countLeft,
  deletePlaces,
  extendPlaces,
  readBehind,
  readLowestPlace,
  type SolutionPlace,
} from '../store/solution-cursors.ts'
import { type CatchUpOptions, CatchUpReader, catchUpStage } from './catch-up-reader.ts'

/**
 * The solutions that are behind: each reads the log by itself, from a place of its own, until it
 * has reached the others. So a slow solution, or a busy machine, writes no events to the database,
 * and a solution that is behind delays nobody else.
 */
export class CatchUp {
  readonly #options: CatchUpOptions
  readonly #readers = new Map<string, CatchUpReader>()
  /**
   * Solutions that nobody reads for at the moment: a lease that is renewed late ends their readers,
   * and the partition need not have been another's meanwhile.
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
      pollMs: limits.scriptBehindPollMs,
    })
  }

  /** Takes over what is left of partitions that this process has, or that no process has. */
  start(): void {
    this.#polling ??= this.#loop.run()
  }

  isBehind(part: number, solutionId: string): boolean {
    const key = keyOf(part, solutionId)
    return this.#readers.has(key) || this.#interrupted.has(key)
  }

  /** To be called when this process has acquired a partition, before it reads there. */
  async load(part: number): Promise<void> {
    await this.leave(part)
    const behind = await readBehind(this.#options.database)
    for (const one of behind.get(part) ?? []) this.#readOf(part, one)
  }

  /** To be called before another process acquires a partition: nothing of it is read afterwards. */
  async leave(part: number): Promise<void> {
    await this.#stopReaders((reader) => reader.part === part)
    for (const key of this.#interrupted) {
      if (key.startsWith(keyOf(part, ''))) this.#interrupted.delete(key)
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
    for (const one of solutions) this.#readOf(part, one)?.notify()
  }

  /** To be called in the transaction that removes a solution: what it had left counts as failed. */
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

  /** Ends all reading; what is left is read after a restart, or by another process. */
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
      if (eventlog.epochOf(part) === undefined) continue
      for (const one of solutions) this.#readOf(part, one)
    }
  }

  #readOf(part: number, solution: BehindSolution): CatchUpReader | undefined {
    if (this.#stopped) return undefined
    const key = keyOf(part, solution.solutionId)
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

function keyOf(part: number, solutionId: string): string {
  return `${part}/${solutionId}`
}
