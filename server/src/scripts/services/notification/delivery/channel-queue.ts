import { notificationLimits } from '../limits.ts'
import type { ProviderRoute } from '../providers/route.ts'
import type { Account, Message } from '../sending/channel.ts'
import { ChannelThrottle, type QueueName } from './channel-throttle.ts'
import type { JobPosition, TakenJob } from './job.ts'

/**
 * The time for which jobs that were read ahead are not compared with the database. A binding that
 * another process deletes gets nothing more after that.
 */
const notificationReadyMsMax = 1_000

/** A job that was read ahead. */
export type ReadyJob = { readonly job: TakenJob; readonly context: JobContext }

/** Shared by the jobs that were read together. */
export type JobContext = {
  readonly messages: ReadonlyMap<string, Message>
  readonly messagingServiceSid: string | undefined
  /** @throws Fault if the secrets of the configuration cannot be read. */
  route(): ProviderRoute | undefined
  account(): Account
}

/** A job of a busy device, and the end of its wait in microseconds. */
export type Deferred = { readonly job: TakenJob; readonly untilUs: number }

export type BegunJobs = {
  readonly begun: readonly ReadyJob[]
  readonly deferred: readonly Deferred[]
}

const usPerMs = 1_000

const startPosition: JobPosition = { dueAtUs: -1, number: 0 }

/** The jobs of one channel of one solution, in the process that has the queue's lease. */
export class ChannelQueue {
  readonly name: QueueName
  /** The end of this process's lease. */
  leasedUntilUs = 0
  /** The last time that it had jobs. */
  usedAtUs = 0
  readonly throttle = new ChannelThrottle()
  /** Waiting for the provider; answered, but not written yet. */
  readonly #running = new Map<number, TakenJob>()
  readonly #answered = new Map<number, TakenJob>()
  /** Read ahead, in order of due time; and the last comparison with the database. */
  #ready: ReadyJob[] = []
  #refreshedAtUs = 0
  /** Counts removals from them: the result of a read that began before one is discarded. */
  #invalidations = 0
  /** The position after which the next jobs are read. */
  #readAfter: JobPosition = startPosition
  #rewoundAtUs = 0
  #checkedAtUs = 0
  #rescheduledAtUs = 0

  constructor(name: QueueName) {
    this.name = name
  }

  get runningCount(): number {
    return this.#running.size
  }

  get readyCount(): number {
    return this.#ready.length
  }

  get isIdle(): boolean {
    return this.#running.size + this.#answered.size + this.#ready.length === 0
  }

  /** Returns whether the configuration is another one, for which the state was reset. */
  configure(version: string, rate: number | undefined): boolean {
    if (!this.throttle.configure(version, rate)) return false
    this.dropReady()
    return true
  }

  /** Returns whether the configuration is to be read again: another one may end a pause. */
  isCheckDue(nowUs: number): boolean {
    if (nowUs - this.#checkedAtUs < notificationLimits.deliveryLeaseMs * 1_000) return false
    this.#checkedAtUs = nowUs
    return true
  }

  /** Drops all times: the clock was set back, and they may lie far ahead. */
  resetTimes(): void {
    this.leasedUntilUs = 0
    this.usedAtUs = 0
    this.#checkedAtUs = 0
    this.#rewoundAtUs = 0
    this.#rescheduledAtUs = 0
    this.#invalidations += 1
    this.throttle.resetTimes()
    this.dropReady()
  }

  /** Returns whether jobs that are due in the future are to be looked up again. */
  isRescheduleDue(nowUs: number): boolean {
    if (nowUs - this.#rescheduledAtUs < notificationLimits.deliveryRenewMs * usPerMs) return false
    this.#rescheduledAtUs = nowUs
    return true
  }

  /** Returns how many jobs may begin, beside those in flight. */
  allowed(nowUs: number): number {
    return this.throttle.allowed(this.#running.size, nowUs)
  }

  /** Restarts at the first job now and then: transactions may commit out of order. */
  nextPosition(nowUs: number): JobPosition {
    if (nowUs - this.#rewoundAtUs < notificationLimits.deliveryRenewMs * 1_000)
      return this.#readAfter
    this.#rewoundAtUs = nowUs
    return startPosition
  }

  /** The position before all jobs. */
  get startPosition(): JobPosition {
    return startPosition
  }

  get invalidations(): number {
    return this.#invalidations
  }

  /** Returns whether another process may have changed the jobs that were read ahead. */
  isStale(nowUs: number): boolean {
    const ageUs = nowUs - this.#refreshedAtUs
    return this.#ready.length > 0 && ageUs > notificationReadyMsMax * usPerMs
  }

  readyNumbers(): readonly number[] {
    return this.#ready.map(({ job }) => job.number)
  }

  /** Jobs that wait for the provider, or whose outcome is not written yet. */
  inFlightNumbers(): readonly number[] {
    return [...this.#running.keys(), ...this.#answered.keys()]
  }

  /** Drops the jobs that were read ahead and fail a test; they may be read again. */
  retain(test: (job: TakenJob) => boolean): void {
    const retained = this.#ready.filter(({ job }) => test(job))
    if (retained.length === this.#ready.length) return
    this.#ready = retained
    this.#readAfter = startPosition
  }

  /** Drops the jobs of bindings that were deleted or replaced. */
  invalidateBindings(bindingSids: ReadonlySet<string>): void {
    this.#invalidations += 1
    this.retain(({ bindingSid }) => !bindingSids.has(bindingSid))
  }

  markRefreshed(nowUs: number): void {
    this.#refreshedAtUs = nowUs
  }

  /** Jobs that this process has already, and that a read would return again. */
  cachedNumbers(): ReadonlySet<number> {
    const ready = this.#ready.map(({ job }) => job.number)
    return new Set([...this.#running.keys(), ...this.#answered.keys(), ...ready])
  }

  /** Adds jobs that were read; `last`: the last of them, undefined if there are no more. */
  add(ready: readonly ReadyJob[], last: TakenJob | undefined, nowUs: number): void {
    if (this.#ready.length === 0) this.#refreshedAtUs = nowUs
    this.#ready.push(...ready)
    this.#readAfter = last ?? startPosition
  }

  /** Drops the jobs that were read ahead: they are read again when they may be sent. */
  dropReady(): void {
    this.#ready = []
    this.#readAfter = startPosition
  }

  /** Takes the next jobs that were read ahead; `deferred`: those of busy devices. */
  begin(count: number, nowUs: number): BegunJobs {
    const begun: ReadyJob[] = []
    const deferred: Deferred[] = []
    let taken = 0
    while (begun.length < count && taken < this.#ready.length) {
      const ready = this.#ready[taken] as ReadyJob
      taken += 1
      const { job } = ready
      const untilUs = this.throttle.begin(job.address, nowUs)
      if (untilUs === undefined) {
        this.#running.set(job.number, job)
        begun.push(ready)
      } else {
        this.#answered.set(job.number, job)
        deferred.push({ job, untilUs })
      }
    }
    this.#ready.splice(0, taken)
    this.throttle.markBegun(begun.length)
    return { begun, deferred }
  }

  markAnswered(job: TakenJob): void {
    this.#running.delete(job.number)
    this.#answered.set(job.number, job)
  }

  markSettled(job: TakenJob): void {
    this.#answered.delete(job.number)
  }

  countInFlight(notificationSid: string): number {
    const all = [...this.#running.values(), ...this.#answered.values()]
    return all.filter((job) => job.notificationSid === notificationSid).length
  }

  isInFlight({ number }: Pick<TakenJob, 'number'>): boolean {
    return this.#running.has(number) || this.#answered.has(number)
  }
}
