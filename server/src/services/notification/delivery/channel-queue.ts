import { limits } from '../../../kernel/index.ts'
import type { ProviderRoute } from '../providers/setup.ts'
import type { Account, ChannelName, Message, Outcome } from '../sending/channel.ts'
import type { Place } from '../store/jobs.ts'
import { AdaptiveRateLimiter } from './adaptive-rate-limiter.ts'
import { BusyDevices } from './busy-devices.ts'
import { FailureRateMonitor } from './failure-rate.ts'
import type { TakenJob } from './job.ts'

/** One channel of one solution. */
export type QueueName = { readonly solutionId: string; readonly channel: ChannelName }

/** What of a lane outlives its process. Microseconds. */
export type QueueState = {
  readonly pausedUntilUs: number
  readonly pauseReason: string | undefined
  readonly fault: string | undefined
  readonly faultAtUs: number | undefined
}

/** A job with what it takes to send it. */
export type Ready = { readonly job: TakenJob; readonly load: Load }

/** What jobs that were read together have in common. */
export type Load = {
  readonly messages: ReadonlyMap<string, Message>
  readonly messagingServiceSid: string | undefined
  /** @throws Fault where the secrets of the configuration cannot be read. */
  way(): ProviderRoute | undefined
  account(): Account
}

/** A job of a busy device, and until when it waits. Microseconds. */
export type Deferred = { readonly job: TakenJob; readonly untilUs: number }

export type Begun = { readonly begun: readonly Ready[]; readonly deferred: readonly Deferred[] }

const usPerMs = 1_000

const start: Place = { dueAtUs: -1, number: 0 }

export type Heard = {
  readonly outcome: Outcome
  readonly changed: boolean
  readonly fault: string | undefined
}

/** A lane as the process knows it that sends its jobs. */
export class ChannelQueue {
  readonly name: QueueName
  /** Until then nobody else sends them. */
  leasedUntilUs = 0
  /** When it last had something to do. */
  usedAtUs = 0
  readonly #pace = new AdaptiveRateLimiter()
  readonly #doubt = new FailureRateMonitor()
  readonly #devices = new BusyDevices()
  /** With the provider, and with an answer that is not written down yet. */
  readonly #running = new Map<number, TakenJob>()
  readonly #answered = new Map<number, TakenJob>()
  /** Read ahead, in their order, and when they were compared with the database. */
  #ready: Ready[] = []
  #freshAtUs = 0
  /** Counts what was taken out of them: a reading that began before is not used. */
  #changes = 0
  /** Where the next ones are read from. */
  #after: Place = start
  #rewoundAtUs = 0
  #checkedAtUs = 0
  #setAnewAtUs = 0
  #version: string | undefined
  #rate: number | undefined
  #faultAtUs: number | undefined

  constructor(name: QueueName) {
    this.name = name
  }

  get running(): number {
    return this.#running.size
  }

  get ready(): number {
    return this.#ready.length
  }

  get isResting(): boolean {
    return this.#running.size + this.#answered.size + this.#ready.length === 0
  }

  get state(): QueueState {
    const { untilUs, reason } = this.#pace.pause
    const fault = this.#doubt.fault
    const known = { pausedUntilUs: untilUs, pauseReason: reason }
    return { ...known, fault, faultAtUs: fault === undefined ? undefined : this.#faultAtUs }
  }

  /** What is written down, by a process before this one or by itself. */
  restore({ pausedUntilUs, pauseReason, fault, faultAtUs }: QueueState): void {
    if (pausedUntilUs !== this.#pace.pause.untilUs) {
      this.#pace.restore({ untilUs: pausedUntilUs, reason: pauseReason })
    }
    if (fault === this.#doubt.fault) return
    this.#doubt.restore(fault)
    this.#faultAtUs = faultAtUs
  }

  /** @returns whether what another configuration was told is forgotten. */
  configure(version: string, rate: number | undefined): boolean {
    this.#rate = rate
    const changed = this.#version !== undefined && this.#version !== version
    this.#version = version
    if (!changed) return false
    this.#pace.reset()
    this.#doubt.reset()
    this.#devices.reset()
    this.drop()
    return true
  }

  /** Whether the configuration was not looked at for a while: another one may end a pause. */
  isToBeChecked(nowUs: number): boolean {
    if (nowUs - this.#checkedAtUs < limits.deliveryLeaseMs * 1_000) return false
    this.#checkedAtUs = nowUs
    return true
  }

  /** The clock was set back: what is remembered of its future does not count. */
  rewind(): void {
    this.leasedUntilUs = 0
    this.usedAtUs = 0
    this.#checkedAtUs = 0
    this.#rewoundAtUs = 0
    this.#setAnewAtUs = 0
    this.#changes += 1
    this.#pace.restore({ untilUs: 0, reason: undefined })
    this.#devices.reset()
    this.drop()
  }

  /** Whether jobs of the future were not looked for in a while. */
  isToBeSetAnew(nowUs: number): boolean {
    if (nowUs - this.#setAnewAtUs < limits.deliveryRenewMs * usPerMs) return false
    this.#setAnewAtUs = nowUs
    return true
  }

  /** How many may begin, beside those under way. */
  allowed(nowUs: number): number {
    return this.#pace.allowed(this.#running.size, this.#rate, nowUs)
  }

  /** When it may go on, where time alone holds it. */
  nextUs(nowUs: number): number {
    return this.#pace.nextUs(this.#rate, nowUs)
  }

  /** From the beginning now and then: what was accepted first may be there last. */
  from(nowUs: number): Place {
    if (nowUs - this.#rewoundAtUs < limits.deliveryRenewMs * 1_000) return this.#after
    this.#rewoundAtUs = nowUs
    return start
  }

  /** The place from which everything is read. */
  get beginning(): Place {
    return start
  }

  /** Whether nothing may begin before time alone allows it, whatever the rate. */
  isPaused(nowUs: number): boolean {
    return nowUs < this.#pace.pause.untilUs
  }

  get changes(): number {
    return this.#changes
  }

  /** Whether another process may have ended or changed what was read ahead. */
  isStale(nowUs: number): boolean {
    const ageUs = nowUs - this.#freshAtUs
    return this.#ready.length > 0 && ageUs > limits.notificationReadyMsMax * usPerMs
  }

  readyNumbers(): readonly number[] {
    return this.#ready.map(({ job }) => job.number)
  }

  /** With a provider, or with an answer that is not written down yet. */
  underWay(): readonly number[] {
    return [...this.#running.keys(), ...this.#answered.keys()]
  }

  /** Keeps of what was read ahead what `isIt` names; the rest may be read again. */
  keep(isIt: (job: TakenJob) => boolean): void {
    const kept = this.#ready.filter(({ job }) => isIt(job))
    if (kept.length === this.#ready.length) return
    this.#ready = kept
    this.#after = start
  }

  /** Another binding, or none, is in the place of these. */
  forget(bindingSids: ReadonlySet<string>): void {
    this.#changes += 1
    this.keep(({ bindingSid }) => !bindingSids.has(bindingSid))
  }

  refreshed(nowUs: number): void {
    this.#freshAtUs = nowUs
  }

  /** What this process has already, and would be read again. */
  busy(): ReadonlySet<number> {
    const ready = this.#ready.map(({ job }) => job.number)
    return new Set([...this.#running.keys(), ...this.#answered.keys(), ...ready])
  }

  /** Keeps what was read; `last` is the last of it, undefined where nothing is behind it. */
  add(ready: readonly Ready[], last: TakenJob | undefined, nowUs: number): void {
    if (this.#ready.length === 0) this.#freshAtUs = nowUs
    this.#ready.push(...ready)
    this.#after = last ?? start
  }

  /** What was read ahead is read again when it may be sent. */
  drop(): void {
    this.#ready = []
    this.#after = start
  }

  /** Takes the next ones of those that were read ahead; `deferred` are those of busy devices. */
  begin(count: number, nowUs: number): Begun {
    const begun: Ready[] = []
    const deferred: Deferred[] = []
    let taken = 0
    while (begun.length < count && taken < this.#ready.length) {
      const ready = this.#ready[taken] as Ready
      taken += 1
      const { job } = ready
      const untilUs = this.#devices.waitUntilUs(job.address, nowUs)
      if (untilUs === undefined) {
        this.#devices.begin(job.address, nowUs)
        this.#running.set(job.number, job)
        begun.push(ready)
      } else {
        this.#answered.set(job.number, job)
        deferred.push({ job, untilUs })
      }
    }
    this.#ready.splice(0, taken)
    this.#pace.begun(begun.length)
    return { begun, deferred }
  }

  answered(job: TakenJob): void {
    this.#running.delete(job.number)
    this.#answered.set(job.number, job)
  }

  settled(job: TakenJob): void {
    this.#answered.delete(job.number)
  }

  countOf(notificationSid: string): number {
    const all = [...this.#running.values(), ...this.#answered.values()]
    return all.filter((job) => job.notificationSid === notificationSid).length
  }

  has({ number }: Pick<TakenJob, 'number'>): boolean {
    return this.#running.has(number) || this.#answered.has(number)
  }

  /**
   * @returns what is to be done about an answer, whether the lane's state is another, and the fault
   * that it has since then.
   */
  heard(outcome: Outcome, { address, credentialSid }: TakenJob, nowUs: number): Heard {
    const before = this.#doubt.fault
    const judged = this.#doubt.judge(outcome, credentialSid)
    const busy = outcome.kind === 'retry' && outcome.busy === true ? outcome : undefined
    const device = busy && this.#devices.occupy(address, busy.afterMs ?? 0, nowUs)
    if (outcome.kind !== 'retry') this.#devices.free(address, nowUs)
    // A device that was busy before says nothing new of its provider.
    const many = device?.turned === true && this.#devices.areMany(nowUs)
    const paused = this.#pace.heard(outcome, address, many, nowUs)
    const fault = this.#doubt.fault
    const turned = (before === undefined) !== (fault === undefined)
    if (turned && fault !== undefined) this.#faultAtUs = nowUs
    const others = { changed: paused || turned, fault: turned ? fault : undefined }
    if (busy === undefined || device === undefined) return { ...others, outcome: judged }
    // Behind the pause: then those that nobody was told of go first.
    const dueAtUs = Math.max(device.untilUs, this.#pace.pause.untilUs + 1)
    return { ...others, outcome: { ...busy, afterMs: (dueAtUs - nowUs) / usPerMs } }
  }
}
