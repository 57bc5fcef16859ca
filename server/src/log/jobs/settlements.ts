import type { Statement } from '../../foundation/database/index.ts'
import { connectionLost, lostRace, type Transaction } from '../../foundation/database/index.ts'
import { type Batcher, createBatcher, pauseUnlessAborted } from '../../foundation/kernel/index.ts'
import type { EventLog, PartCounts } from '../eventlog/index.ts'
import type { Job, JobOutcome, JobRef } from './job.ts'
import { jobLimits } from './limits.ts'
import { boundedFailure, type ResolvedOutcome, resolveOutcome } from './outcome.ts'
import type { InputCodec, JobQueueOptions } from './queue-options.ts'
import { deadLetter, deleteEnded, type RequeuedJob, requeue } from './store/settle.ts'

type Settlement<Input, Result> = {
  readonly job: Job<Input>
  readonly outcome: ResolvedOutcome<Result, Input>
  /** Jobs that ran as one with it: they are done. */
  readonly doneWith: readonly Job<Input>[]
}

/** Some jobs of a settlement were this process's no longer, so that none of it may be written. */
class LeaseLost extends Error {}

/** An error of the queue's own `settled`, not of the database. */
class EffectError extends Error {}

/** Writes the outcomes of jobs; those that end together share a transaction. */
export class Settlements<Input, Result> {
  readonly #options: JobQueueOptions<Input, Result>
  readonly #batcher: Batcher<Settlement<Input, Result>, ResolvedOutcome<Result, Input>>
  readonly #closing = new AbortController()
  readonly #unwritten = new Set<Promise<unknown>>()

  constructor(options: JobQueueOptions<Input, Result>) {
    this.#options = options
    this.#batcher = createBatcher({
      batchMax: jobLimits.jobSettleBatchMax,
      waitingMax: Number.MAX_SAFE_INTEGER,
      run: async (batch) => {
        const written = await this.#write(batch)
        return written.map(({ outcome }) => ({ value: outcome }))
      },
    })
  }

  /** Applies the retry policy to the outcome of an attempt. */
  resolve(job: Job<Input>, outcome: JobOutcome<Result, Input>): ResolvedOutcome<Result, Input> {
    const { queue, clock } = this.#options
    const attempts = job.attempts + 1
    return resolveOutcome(outcome, queue.retry, { attempts, nowUs: clock.nowUs() })
  }

  /**
   * Resolves once the outcome is written, or dropped by `close`. Retries while the database is
   * unavailable: no other process has the job meanwhile. @returns the outcome that was written.
   */
  settle(
    job: Job<Input>,
    outcome: ResolvedOutcome<Result, Input>,
    doneWith: readonly Job<Input>[] = [],
  ): Promise<ResolvedOutcome<Result, Input>> {
    const written = this.#settle({ job, outcome, doneWith }).finally(() =>
      this.#unwritten.delete(written),
    )
    this.#unwritten.add(written)
    return written
  }

  /** Waits for writes in flight; what cannot be written now is dropped. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#unwritten)
  }

  async #settle(settlement: Settlement<Input, Result>): Promise<ResolvedOutcome<Result, Input>> {
    const { signal } = this.#closing
    for (;;) {
      try {
        return await this.#batcher.add(settlement)
      } catch (error) {
        this.#warn(error, 'outcomes of jobs could not be written; retrying')
        if (signal.aborted) return { kind: 'released' }
        await pauseUnlessAborted(jobLimits.jobPollMs, signal)
      }
    }
  }

  /** Halves a batch of which an effect fails, until the job whose effect it is stands alone. */
  async #write(
    batch: readonly Settlement<Input, Result>[],
  ): Promise<readonly Settlement<Input, Result>[]> {
    try {
      const { database } = this.#options
      return await database.transaction((transaction) => this.#writeIn(transaction, batch))
    } catch (error) {
      if (!(error instanceof EffectError || error instanceof LeaseLost)) throw error
      const [first] = batch
      if (first === undefined) return []
      if (batch.length === 1 && error instanceof LeaseLost) return this.#release(first)
      if (batch.length === 1) return [await this.#failEffect(first, error)]
      const half = batch.length >> 1
      const before = await this.#write(batch.slice(0, half))
      return before.concat(await this.#write(batch.slice(half)))
    }
  }

  /** Jobs that ran together with it wait behind it. */
  async #failEffect(
    { job, doneWith }: Settlement<Input, Result>,
    error: EffectError,
  ): Promise<Settlement<Input, Result>> {
    this.#warn(error.cause, 'the outcome of a job has an effect that fails')
    const failure = { step: 'settle', reason: error.message }
    const outcome = this.resolve(job, { kind: 'retry', failure })
    const { database } = this.#options
    const others = released<Input, Result>(doneWith)
    const failed = [{ job, outcome, doneWith: [] }, ...others]
    await database.transaction(async (transaction) => {
      const ended = await this.#writeRows(transaction, failed)
      await transaction.finish(this.#makeCounts(ended))
    })
    return { job, outcome, doneWith }
  }

  /** Lets what is left of a settlement wait again, behind those that another process has. */
  async #release({ job, doneWith }: Settlement<Input, Result>) {
    const { database } = this.#options
    const all = released<Input, Result>([job, ...doneWith])
    await database.transaction((transaction) => this.#writeRows(transaction, all))
    return all.slice(0, 1)
  }

  async #writeIn(
    transaction: Transaction,
    batch: readonly Settlement<Input, Result>[],
  ): Promise<readonly Settlement<Input, Result>[]> {
    const { queue } = this.#options
    const ended = await this.#writeRows(transaction, batch)
    const counts: Statement[] = []
    if (queue.settled !== undefined && ended.length > 0) {
      counts.push(...((await effect(queue.settled(transaction, ended))) ?? []))
    }
    // Last, since others who count in the same parts wait from then until the commit.
    await transaction.finish([...counts, ...this.#makeCounts(ended)])
    return batch
  }

  /** Returns those of which the lease still was this process's. */
  async #writeRows(
    transaction: Transaction,
    batch: readonly Settlement<Input, Result>[],
  ): Promise<Settlement<Input, Result>[]> {
    const { queue, owner, clock, codec } = this.#options
    const of = groupOutcomes(batch, codec)
    const [name, nowUs] = [queue.name, clock.nowUs()]
    const deleted =
      of.deleted.length > 0 ? await deleteEnded(transaction, name, owner, of.deleted) : []
    const dead =
      of.dead.length > 0 ? await deadLetter(transaction, name, owner, of.dead, nowUs) : []
    this.#publishDead(transaction, batch)
    const waiting =
      of.requeued.length > 0 ? await requeue(transaction, name, owner, of.requeued, nowUs) : []
    const written = new Set([...deleted, ...dead, ...waiting].map(refKey))
    const isWritten = (job: JobRef) => written.has(refKey(job))
    const ended = batch.filter(({ job }) => isWritten(job))
    const together = batch.filter(({ doneWith }) => doneWith.length > 0)
    if (together.some(({ job, doneWith }) => ![job, ...doneWith].every(isWritten))) {
      throw new LeaseLost('jobs that ran as one are not all leased any more')
    }
    return ended
  }

  #publishDead(transaction: Transaction, batch: readonly Settlement<Input, Result>[]): void {
    const dead = batch.filter(({ outcome }) => outcome.kind === 'dead')
    for (const id of new Set(dead.map(({ job }) => job.businessId))) {
      this.#options.changes.publish(transaction, id, 'failures')
    }
  }

  #makeCounts(ended: readonly Settlement<Input, Result>[]): readonly Statement[] {
    const done = ended.filter(({ outcome }) => outcome.kind === 'done')
    const failed = ended.filter(({ outcome }) => ['dead', 'cancelled'].includes(outcome.kind))
    const cancelled = ended.filter(({ outcome }) => outcome.kind === 'cancelled')
    return countStatements(this.#options, {
      settled: cancelled.map(({ job }) => job),
      done: [...done.map(({ job }) => job), ...ended.flatMap(({ doneWith }) => doneWith)],
      failed: failed.map(({ job }) => job),
    })
  }

  #warn(error: unknown, text: string): void {
    this.#options.logger.warn({ err: error, queue: this.#options.queue.name }, text)
  }
}

/** @throws EffectError what the queue's own code throws, unless it is the database's trouble. */
async function effect<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    if (lostRace(error) || connectionLost(error)) throw error
    throw new EffectError(String(error), { cause: error })
  }
}

function released<Input, Result>(jobs: readonly Job<Input>[]): Settlement<Input, Result>[] {
  return jobs.map((job) => ({ job, outcome: { kind: 'released' }, doneWith: [] }))
}

function refKey({ tenant, id }: JobRef): string {
  return `${tenant}\0${id}`
}

function groupOutcomes<Input>(
  batch: readonly Settlement<Input, unknown>[],
  codec: InputCodec<Input>,
) {
  const deleted: JobRef[] = []
  const dead: Parameters<typeof deadLetter>[3][number][] = []
  const requeued: RequeuedJob[] = []
  for (const { job, outcome, doneWith } of batch) {
    deleted.push(...doneWith)
    const { tenant, id } = job
    if (outcome.kind === 'done' || outcome.kind === 'cancelled') deleted.push(job)
    else if (outcome.kind === 'dead') {
      const input = outcome.input === undefined ? undefined : codec.encode(outcome.input)
      dead.push({ tenant, id, failure: boundedFailure(outcome.failure), input })
    } else requeued.push(toRequeued(job, outcome, codec))
  }
  return { deleted, dead, requeued }
}

function toRequeued<Input>(
  { tenant, id }: JobRef,
  outcome: Extract<
    ResolvedOutcome<unknown, Input>,
    { readonly kind: 'retry' | 'snooze' | 'released' }
  >,
  codec: InputCodec<Input>,
): RequeuedJob {
  if (outcome.kind === 'released') {
    return { tenant, id, dueAtUs: 0, failure: undefined, isAttempt: false }
  }
  const failure = outcome.failure && boundedFailure(outcome.failure)
  if (outcome.kind === 'snooze') {
    return { tenant, id, dueAtUs: outcome.untilUs, failure, isAttempt: false }
  }
  const input = outcome.input === undefined ? undefined : codec.encode(outcome.input)
  return { tenant, id, dueAtUs: outcome.atUs, failure, isAttempt: true, input }
}

/** Parts of the ledger, one for each job. */
type Parts = readonly { readonly part: number }[]

/** `settled`: those that failed and have no row any more. */
const countNames = ['taken', 'done', 'failed', 'settled'] as const

const noCounts = (part: number) => ({ part, taken: 0, done: 0, failed: 0, settled: 0 })

/** Returns the statement that counts jobs of a stage in the ledger; none if there are none. */
export function countStatements(
  { eventlog, stage }: { eventlog: Pick<EventLog, 'countStatement'>; stage: string },
  counted: { readonly [Name in (typeof countNames)[number]]?: Parts },
): readonly Statement[] {
  const counts = new Map<number, ReturnType<typeof noCounts>>()
  for (const name of countNames) {
    for (const { part } of counted[name] ?? []) {
      const of = counts.get(part) ?? noCounts(part)
      of[name] += 1
      counts.set(part, of)
    }
  }
  const all: readonly PartCounts[] = [...counts.values()]
  return all.length === 0 ? [] : [eventlog.countStatement(stage, all)]
}

/** Returns the ledger's counts of jobs that are removed with their owner: those not done fail. */
export function countRemoval(
  removed: readonly { readonly part: number; readonly state: string }[],
) {
  return { failed: removed.filter(({ state }) => state !== 'dead'), settled: removed }
}
