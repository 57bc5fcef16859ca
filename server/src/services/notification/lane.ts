import type { ChannelName, Outcome } from './channel.ts'
import { Doubt } from './doubt.ts'
import type { TakenJob } from './job.ts'
import { Pace } from './pace.ts'

/** One channel of one solution. */
export type LaneName = { readonly solutionId: string; readonly channel: ChannelName }

/** What of a lane outlives its process. Microseconds. */
export type LaneState = {
  readonly pausedUntilUs: number
  readonly pauseReason: string | undefined
  readonly fault: string | undefined
  readonly faultAtUs: number | undefined
}

export type Heard = {
  readonly outcome: Outcome
  readonly changed: boolean
  readonly fault: string | undefined
}

/** A lane as the process knows it that sends its jobs. */
export class Lane {
  readonly name: LaneName
  /** Until then nobody else sends them. */
  leasedUntilUs = 0
  /** When it last had something to do. */
  usedAtUs = 0
  readonly #pace = new Pace()
  readonly #doubt = new Doubt()
  readonly #running = new Set<string>()
  #version: string | undefined
  #rate: number | undefined
  #faultAtUs: number | undefined

  constructor(name: LaneName) {
    this.name = name
  }

  get underWay(): number {
    return this.#running.size
  }

  get state(): LaneState {
    const { untilUs, reason } = this.#pace.pause
    const fault = this.#doubt.fault
    const known = { pausedUntilUs: untilUs, pauseReason: reason }
    return { ...known, fault, faultAtUs: fault === undefined ? undefined : this.#faultAtUs }
  }

  /** What is written down, by a process before this one or by itself. */
  restore({ pausedUntilUs, pauseReason, fault, faultAtUs }: LaneState): void {
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
    return true
  }

  allowed(nowUs: number): number {
    return this.#pace.allowed(this.#running.size, this.#rate, nowUs)
  }

  /** When it may go on, where time alone holds it. */
  nextUs(nowUs: number): number {
    return this.#pace.nextUs(this.#rate, nowUs)
  }

  /** The keys of the jobs that are under way now. */
  busy(): ReadonlySet<string> {
    return new Set(this.#running)
  }

  countOf(notificationSid: string): number {
    const of = [...this.#running].filter((key) => key.startsWith(notificationSid))
    return of.length
  }

  has(job: JobName): boolean {
    return this.#running.has(keyOf(job))
  }

  begin(jobs: readonly TakenJob[]): void {
    for (const job of jobs) this.#running.add(keyOf(job))
    this.#pace.begun(jobs.length)
  }

  end(job: TakenJob): void {
    this.#running.delete(keyOf(job))
  }

  /**
   * @returns what is to be done about an answer, whether the lane's state is another, and the fault
   * that it has since then.
   */
  heard(outcome: Outcome, credentialSid: string | undefined, nowUs: number): Heard {
    const before = this.#doubt.fault
    const judged = this.#doubt.judge(outcome, credentialSid)
    const paused = this.#pace.heard(outcome, nowUs)
    const fault = this.#doubt.fault
    const turned = (before === undefined) !== (fault === undefined)
    if (turned && fault !== undefined) this.#faultAtUs = nowUs
    return { outcome: judged, changed: paused || turned, fault: turned ? fault : undefined }
  }
}

type JobName = Pick<TakenJob, 'notificationSid' | 'bindingSid'>

export function keyOf(job: JobName): string {
  return `${job.notificationSid} ${job.bindingSid}`
}
