import type { Channel, DeliveryOutcome } from '../sending/channel.ts'
import { AdaptiveRateLimiter } from './adaptive-rate-limiter.ts'
import { BusyDevices } from './busy-devices.ts'
import { FailureRateMonitor } from './failure-rate.ts'
import type { TakenJob } from './job.ts'

/** A channel of a solution. */
export type QueueName = { readonly solutionId: string; readonly channel: Channel }

/** The part of a queue's state that is stored. Microseconds. */
export type QueueState = {
  readonly pausedUntilUs: number
  readonly pauseReason: string | undefined
  readonly fault: string | undefined
  readonly faultAtUs: number | undefined
}

/** An outcome as its channel judges it. */
export type RecordedOutcome = {
  readonly outcome: DeliveryOutcome
  /** The stored part of the state has changed. */
  readonly changed: boolean
  /** In words, if the channel became faulty by this outcome. */
  readonly fault: string | undefined
}

const usPerMs = 1_000

/**
 * Limits how fast a channel sends, by its configuration and by the outcomes of its attempts: its
 * rate and pauses, its busy devices, its failure rate.
 */
export class ChannelThrottle {
  readonly #rateLimiter = new AdaptiveRateLimiter()
  readonly #failureRate = new FailureRateMonitor()
  readonly #busyDevices = new BusyDevices()
  /** The version of the configuration, and its rate. */
  #version: string | undefined
  #rate: number | undefined
  #faultAtUs: number | undefined

  get state(): QueueState {
    const { untilUs, reason } = this.#rateLimiter.pause
    const fault = this.#failureRate.fault
    const pause = { pausedUntilUs: untilUs, pauseReason: reason }
    return { ...pause, fault, faultAtUs: fault === undefined ? undefined : this.#faultAtUs }
  }

  /** Takes over the stored state. */
  restore({ pausedUntilUs, pauseReason, fault, faultAtUs }: QueueState): void {
    if (pausedUntilUs !== this.#rateLimiter.pause.untilUs) {
      this.#rateLimiter.restore({ untilUs: pausedUntilUs, reason: pauseReason })
    }
    if (fault === this.#failureRate.fault) return
    this.#failureRate.restore(fault)
    this.#faultAtUs = faultAtUs
  }

  /** Returns whether the configuration is another one, for which the state was reset. */
  configure(version: string, rate: number | undefined): boolean {
    this.#rate = rate
    const changed = this.#version !== undefined && this.#version !== version
    this.#version = version
    if (!changed) return false
    this.#rateLimiter.reset()
    this.#failureRate.reset()
    this.#busyDevices.reset()
    return true
  }

  /** Drops all times: the clock was set back, and they may lie far ahead. */
  resetTimes(): void {
    this.#rateLimiter.restore({ untilUs: 0, reason: undefined })
    this.#busyDevices.reset()
  }

  /** Returns how many jobs may begin, beside so many in flight. */
  allowed(inFlight: number, nowUs: number): number {
    return this.#rateLimiter.allowed(inFlight, this.#rate, nowUs)
  }

  /** Returns when the next job may begin, if only time prevents it. */
  nextUs(nowUs: number): number {
    return this.#rateLimiter.nextUs(this.#rate, nowUs)
  }

  /** Returns whether the channel is paused, whatever its rate. */
  isPaused(nowUs: number): boolean {
    return nowUs < this.#rateLimiter.pause.untilUs
  }

  /**
   * Begins an attempt, unless its device is busy. `markBegun` takes it from the rate.
   * @returns until when the device is busy; undefined: the attempt begins.
   */
  begin(address: string, nowUs: number): number | undefined {
    const untilUs = this.#busyDevices.waitUntilUs(address, nowUs)
    if (untilUs === undefined) this.#busyDevices.begin(address, nowUs)
    return untilUs
  }

  markBegun(count: number): void {
    this.#rateLimiter.markBegun(count)
  }

  /** Updates the rate, the failure rate and the busy devices by an outcome. */
  record(
    outcome: DeliveryOutcome,
    { address, credentialSid }: TakenJob,
    nowUs: number,
  ): RecordedOutcome {
    const before = this.#failureRate.fault
    const judged = this.#failureRate.judge(outcome, credentialSid)
    const busy = outcome.kind === 'retry' && outcome.busy === true ? outcome : undefined
    const device = busy && this.#busyDevices.markBusy(address, busy.afterMs ?? 0, nowUs)
    if (outcome.kind !== 'retry') this.#busyDevices.markFree(address, nowUs)
    // A device that was busy before is no new sign of a busy provider.
    const many = device?.turned === true && this.#busyDevices.areMany(nowUs)
    const paused = this.#rateLimiter.record(outcome, address, many, nowUs)
    const fault = this.#failureRate.fault
    const turned = (before === undefined) !== (fault === undefined)
    if (turned && fault !== undefined) this.#faultAtUs = nowUs
    const others = { changed: paused || turned, fault: turned ? fault : undefined }
    if (busy === undefined || device === undefined) return { ...others, outcome: judged }
    // Behind the pause, so that jobs of other devices go first.
    const dueAtUs = Math.max(device.untilUs, this.#rateLimiter.pause.untilUs + 1)
    return { ...others, outcome: { ...busy, afterMs: (dueAtUs - nowUs) / usPerMs } }
  }
}
