import {
  type Batcher,
  limits,
  newId,
  PollLoop,
  presentUntil,
} from '../../../../foundation/kernel/index.ts'
import { notificationLimits } from '../limits.ts'
import { countJobs, type NotificationOptions } from '../options.ts'
import { type ProviderRoute, readProviderConfiguration, routeFor } from '../providers/route.ts'
import type { DeliveryOutcome } from '../sending/channel.ts'
import { readDue, rescheduleFutureJobs } from '../store/jobs.ts'
import { readMessages } from '../store/notifications.ts'
import { readBacklogged } from '../store/queues.ts'
import { endOnceJobs, readWaiting } from '../store/waiting-jobs.ts'
import { attemptJob } from './attempt.ts'
import type { ChannelQueue, ReadyJob } from './channel-queue.ts'
import { ChannelQueues, type JobsInFlight } from './channel-queues.ts'
import { Expander } from './expander.ts'
import type { Settlement, TakenJob } from './job.ts'
import { createSettlements } from './settle.ts'
import { deferredSettlement, makeSettlement, tooLate } from './settlement.ts'

/** Solutions whose waiting deliveries one poll reads. */
const deliverySolutionsMax = 200
/** Jobs that a process reads ahead. */
const notificationReadyMax = 2_000
/** Of these, those of one queue. */
const notificationReadyOfQueueMax = 500
/** The shortest pause between two polls of the queues. */
const notificationPollMsMin = 10

const usPerMs = 1_000

/** Sends the due jobs of each queue. */
export class Dispatcher {
  readonly #options: NotificationOptions
  readonly #settlements: Batcher<Settlement, void>
  readonly #queues: ChannelQueues
  readonly #expander: Expander
  readonly #unsettled = new Set<Promise<void>>()
  readonly #closing = { closed: false, aborts: new Set<() => void>() }
  readonly #loop: PollLoop
  #started = false
  /** The earliest end of a pause, or of a wait for a rate. */
  #nextPollUs = 0
  #stopListening = () => {}
  /** The clock at the last poll. */
  #polledAtUs = 0
  #running = 0

  constructor(options: NotificationOptions) {
    this.#options = options
    this.#queues = new ChannelQueues(options, newId(options.random))
    this.#settlements = createSettlements(options)
    this.#expander = new Expander(options, () => this.wake())
    this.#loop = new PollLoop({
      look: (dueIn) => this.#poll(dueIn),
      failed: (error) => options.logger.warn({ err: error }, 'notification poll failed; retrying'),
      pollMs: limits.deliveryPollMs,
      pauseMs: 0,
    })
  }

  start(): void {
    if (this.#started) return
    this.#started = true
    this.#queues.start()
    const { hints } = this.#options.database
    this.#stopListening = hints.listen('notifications', () => this.wake())
    void this.#loop.run()
  }

  /** Polls now: there may be new jobs. */
  wake(): void {
    // Another process sends what is queued here.
    if (!this.#started) this.#options.database.hints.notify('notifications', 'any')
    this.#loop.notify()
  }

  /** Drops the jobs that were read ahead for bindings that were deleted or replaced. */
  invalidateBindings(solutionId: string, sids: readonly string[]): void {
    this.#queues.invalidateBindings(solutionId, sids)
    this.wake()
  }

  get inFlight(): JobsInFlight {
    return this.#queues
  }

  /** Aborts the attempts in flight: their jobs stay queued, as after a crash. */
  async stop(): Promise<void> {
    this.#stopListening()
    this.#closing.closed = true
    for (const abort of this.#closing.aborts) abort()
    await Promise.all([this.#loop.stop(), this.#expander.stop()])
    await Promise.all(this.#unsettled)
    if (this.#started) await this.#queues.stop()
  }

  /** Dispatches every queue that has jobs. */
  async #poll(dueIn: (ms: number) => void): Promise<void> {
    this.#nextPollUs = Number.MAX_SAFE_INTEGER
    this.#detectClockStep()
    // Runs beside the sending of the jobs that there are.
    this.#expander.start()
    const count = deliverySolutionsMax
    let after = { solutionId: '', channel: '' }
    for (;;) {
      const names = await readBacklogged(this.#options.database, after, count)
      for (const name of names) await this.#dispatch(this.#queues.get(name), name.once)
      after = names.at(-1) ?? after
      if (names.length < count || this.#closing.closed) break
    }
    const soonMs = (this.#nextPollUs - this.#options.clock.nowUs()) / usPerMs
    dueIn(Math.max(soonMs, notificationPollMsMin))
  }

  /** After a step back of the clock, queues would wait for times far ahead. */
  #detectClockStep(): void {
    const nowUs = this.#options.clock.nowUs()
    if (presentUntil(nowUs) < this.#polledAtUs) this.#queues.resetTimes()
    this.#polledAtUs = nowUs
  }

  /** Begins the due jobs of a queue, if this process has its lease. */
  async #dispatch(queue: ChannelQueue, once: boolean): Promise<void> {
    if (this.#closing.closed) return
    if (once) await this.#failLateOnceJobs(queue)
    if (this.#isDelayed(queue) && !queue.isCheckDue(this.#options.clock.nowUs())) return
    if (!(await this.#queues.acquire(queue))) return
    const nowUs = this.#options.clock.nowUs()
    if (queue.isRescheduleDue(nowUs))
      await rescheduleFutureJobs(this.#options.database, queue.name, nowUs)
    await this.#refresh(queue)
    const few = queue.readyCount * 2 <= notificationReadyOfQueueMax
    if (few || this.#isDelayed(queue)) await this.#readAhead(queue)
    this.#beginJobs(queue)
  }

  /** Jobs with a Ttl of 0 do not wait for the end of a pause, or behind other jobs for long. */
  async #failLateOnceJobs(queue: ChannelQueue): Promise<void> {
    if (!(await this.#queues.acquire(queue))) return
    const { database, ledger, clock } = this.#options
    const at = clock.nowUs()
    const paused = queue.throttle.isPaused(at)
    const beforeUs = paused ? at : at - notificationLimits.notificationOnceMsMax * usPerMs
    queue.retain(({ once, queuedAtUs }) => !once || queuedAtUs > beforeUs)
    const text = paused ? `${tooLate}: its channel is paused` : tooLate
    const range = { beforeUs, except: queue.inFlightNumbers() }
    await database.transaction(async (transaction) => {
      const event = { at, event: 'failed', text } as const
      const ended = await endOnceJobs(transaction, queue.name, range, event)
      for (const { part, count } of ended) {
        await countJobs(ledger, transaction, part, { failed: count })
      }
    })
  }

  /** Drops jobs whose bindings another process has deleted or replaced. */
  async #refresh(queue: ChannelQueue): Promise<void> {
    const { database, clock } = this.#options
    if (!queue.isStale(clock.nowUs())) return
    const waiting = await readWaiting(database, queue.readyNumbers())
    queue.retain(({ number, bindingSid, address }) => {
      const found = waiting.get(number)
      return found?.bindingSid === bindingSid && found.address === address
    })
    queue.markRefreshed(clock.nowUs())
  }

  async #readAhead(queue: ChannelQueue): Promise<void> {
    const { database, clock } = this.#options
    const { solutionId, channel } = queue.name
    const configuration = await readProviderConfiguration(this.#options, solutionId)
    const route = once(() => routeFor(this.#options, configuration, channel))
    if (queue.configure(configuration.version, readRate(route))) {
      await this.#queues.saveState(queue)
      // The solution may be another one with the id of one that was removed with its queues.
      queue.leasedUntilUs = 0
      if (!(await this.#queues.acquire(queue))) return
    }
    const left = Math.ceil((notificationReadyMax - this.#queues.readyCount) / 2)
    const count = Math.min(notificationReadyOfQueueMax - queue.readyCount, left)
    if (count <= 0) return
    // Jobs that end while they are read are still among the rows.
    const [from, busy] = [queue.nextPosition(clock.nowUs()), queue.cachedNumbers()]
    const changes = queue.invalidations
    const many = count + (from === queue.startPosition ? busy.size : 0)
    const due = await readDue(database, queue.name, from, clock.nowUs(), many)
    const jobs = due.filter(({ number }) => !busy.has(number))
    const sids = [...new Set(jobs.map(({ notificationSid }) => notificationSid))]
    const messages = await readMessages(database, solutionId, sids)
    const { messagingServiceSid } = configuration
    const context = {
      messages,
      messagingServiceSid,
      route,
      account: once(() => configuration.account()),
    }
    if (queue.invalidations !== changes) return this.wake()
    const last = due.length < many ? undefined : due.at(-1)
    const ready = jobs.map((job) => ({ job, context }))
    queue.add(ready, last, clock.nowUs())
  }

  /** Returns whether a queue waits for a time only, at which the next poll is due. */
  #isDelayed(queue: ChannelQueue): boolean {
    const nowUs = this.#options.clock.nowUs()
    const nextUs = queue.throttle.nextUs(nowUs)
    if (nextUs <= nowUs) return false
    this.#nextPollUs = Math.min(this.#nextPollUs, nextUs)
    return true
  }

  /** A queue takes at most half of the free slots, so that there is always room for another. */
  #beginJobs(queue: ChannelQueue): void {
    const nowUs = this.#options.clock.nowUs()
    if (this.#closing.closed || queue.leasedUntilUs < nowUs) return
    if (queue.isStale(nowUs)) {
      this.wake()
      return
    }
    const left = limits.notificationRunsMax - this.#running
    const unsettled = limits.notificationUnsettledMax - this.#unsettled.size
    const own = limits.notificationRunsOfQueueMax - queue.runningCount
    const room = Math.max(0, Math.min(own, Math.ceil(left / 2), unsettled))
    const { begun, deferred } = queue.begin(Math.min(room, queue.allowed(nowUs)), nowUs)
    for (const ready of begun) this.#track(queue, ready.job, this.#runJob(queue, ready))
    for (const { job, untilUs } of deferred) {
      this.#track(queue, job, this.#settle(deferredSettlement(job, untilUs, nowUs)))
    }
    if (deferred.length > 0) this.wake()
  }

  #track(queue: ChannelQueue, job: TakenJob, work: Promise<void>): void {
    const ended = work.finally(() => {
      this.#unsettled.delete(ended)
      queue.markSettled(job)
    })
    this.#unsettled.add(ended)
  }

  async #runJob(queue: ChannelQueue, ready: ReadyJob): Promise<void> {
    this.#running += 1
    const settlement = await this.#attempt(queue, ready)
    this.#running -= 1
    queue.markAnswered(ready.job)
    this.#beginJobs(queue)
    if (queue.readyCount * 2 <= notificationReadyOfQueueMax) this.wake()
    await this.#settle(settlement)
  }

  async #attempt(queue: ChannelQueue, { job, context }: ReadyJob): Promise<Settlement> {
    const { messages, ...others } = context
    const message = messages.get(job.notificationSid)
    const attempt = { ...others, job, message, closing: this.#closing }
    const result = await attemptJob(this.#options, attempt)
    if ('settlement' in result) return result.settlement
    const outcome = await this.#record(queue, job, result.attempted.outcome)
    return makeSettlement(result.attempted, outcome, this.#options.clock.nowUs())
  }

  /** Returns the outcome as the queue judges it by the answers before. */
  async #record(
    queue: ChannelQueue,
    job: TakenJob,
    outcome: DeliveryOutcome,
  ): Promise<DeliveryOutcome> {
    const recorded = queue.throttle.record(outcome, job, this.#options.clock.nowUs())
    if (recorded.fault !== undefined) {
      const context = { ...queue.name, fault: recorded.fault }
      this.#options.logger.warn(context, 'notification channel is faulty')
    }
    if (recorded.changed) await this.#queues.saveState(queue)
    return recorded.outcome
  }

  /** Retries until it is written or the platform closes: no other process has this job. */
  async #settle(settlement: Settlement): Promise<void> {
    for (;;) {
      try {
        return await this.#settlements.add(settlement)
      } catch (error) {
        this.#options.logger.warn(
          { err: error },
          'writing of notification outcomes failed; retrying',
        )
        if (this.#closing.closed) return
        await new Promise((resolve) => setTimeout(resolve, limits.deliveryPollMs))
      }
    }
  }
}

/** Secrets that cannot be read fail the attempt, not the queue. */
function readRate(route: () => ProviderRoute | undefined): number | undefined {
  try {
    return route()?.rate
  } catch {
    return undefined
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
