import { type Batcher, limits, newId, presentUntil } from '../../../kernel/index.ts'
import { audienceOf } from '../bindings/audience.ts'
import { countJobs, type Needs } from '../needs.ts'
import { type ProviderRoute, routeOf, setupOf } from '../providers/setup.ts'
import type { Outcome } from '../sending/channel.ts'
import { holdBindings } from '../store/bindings.ts'
import { readDue, setJobsAnew } from '../store/jobs.ts'
import { readBacklogged } from '../store/lanes.ts'
import { expand, readMessages, takeExpanding } from '../store/notifications.ts'
import { endOnceJobs, readWaiting } from '../store/waiting.ts'
import { ended, tooLate, tryJob } from './attempt.ts'
import type { ChannelQueue, Ready } from './channel-queue.ts'
import { ChannelQueues, type UnderWay } from './channel-queues.ts'
import type { Settlement, TakenJob } from './job.ts'
import { createSettler } from './settle.ts'

const usPerMs = 1_000

/** Makes jobs of what was accepted, and gives them to their providers, lane by lane. */
export class Dispatcher {
  readonly #needs: Needs
  readonly #settler: Batcher<Settlement, void>
  readonly #lanes: ChannelQueues
  readonly #under = new Set<Promise<void>>()
  readonly #closing = { closed: false, ends: new Set<() => void>() }
  #awake = false
  /** When a lane may go on that time alone holds. */
  #soonestUs = 0
  #resume = () => {}
  /** The clock at the last look. */
  #lookedAtUs = 0
  #walking: Promise<void> | undefined
  #expanding: Promise<void> | undefined
  #running = 0

  constructor(needs: Needs) {
    this.#needs = needs
    this.#lanes = new ChannelQueues(needs, newId(needs.random))
    this.#settler = createSettler(needs)
  }

  start(): void {
    this.#lanes.start()
    this.#walking ??= this.#walk()
  }

  /** There may be something new. */
  wake(): void {
    this.#awake = true
    this.#resume()
  }

  /** Bindings were deleted or replaced: what waits for them is not what was read ahead. */
  forget(solutionId: string, sids: readonly string[]): void {
    this.#lanes.forgetBindings(solutionId, sids)
    this.wake()
  }

  get underWay(): UnderWay {
    return this.#lanes
  }

  /** Begins nothing more, and ends what is under way: that is tried again, as after a fall. */
  async stop(): Promise<void> {
    this.#closing.closed = true
    for (const end of this.#closing.ends) end()
    this.#resume()
    await this.#walking
    await this.#expanding
    await Promise.all(this.#under)
    if (this.#walking !== undefined) await this.#lanes.stop()
  }

  async #walk(): Promise<void> {
    while (!this.#closing.closed) {
      this.#awake = false
      await this.#pass().catch((error) => {
        this.#needs.logger.warn({ err: error }, 'notifications could not be looked at')
      })
      if (!this.#closing.closed && !this.#awake) await this.#rest()
    }
  }

  /** A look at every lane that has jobs. */
  async #pass(): Promise<void> {
    this.#soonestUs = Number.MAX_SAFE_INTEGER
    this.#followClock()
    this.#expanding ??= this.#expandAll()
    const count = limits.deliverySolutionsMax
    let after = { solutionId: '', channel: '' }
    for (;;) {
      const names = await readBacklogged(this.#needs.database, after, count)
      for (const name of names) await this.#serve(this.#lanes.of(name), name.once)
      after = names.at(-1) ?? after
      if (names.length < count || this.#closing.closed) return
    }
  }

  /** After a step back lanes would wait for times that are years ahead. */
  #followClock(): void {
    const nowUs = this.#needs.clock.nowUs()
    if (presentUntil(nowUs) < this.#lookedAtUs) this.#lanes.rewind()
    this.#lookedAtUs = nowUs
  }

  /** Beside the sending, which goes on meanwhile with what there is. */
  async #expandAll(): Promise<void> {
    try {
      while (!this.#closing.closed && (await this.#expandSome())) this.wake()
    } catch (error) {
      this.#needs.logger.warn({ err: error }, 'notifications could not be expanded')
    } finally {
      this.#expanding = undefined
    }
  }

  /** @returns whether there was anything. */
  #expandSome(): Promise<boolean> {
    const { database, ledger, clock } = this.#needs
    return database.transaction(async (transaction) => {
      const next = await takeExpanding(transaction)
      if (next === undefined) return false
      const { solutionId, part } = next
      const audience = audienceOf(solutionId, next)
      const most = limits.notificationExpandMax
      await holdBindings(transaction, solutionId)
      const { count } = await expand(transaction, audience, next, clock.nowUs(), most)
      await countJobs(ledger, transaction, part, { taken: count })
      return true
    })
  }

  /** Begins what of a lane is due, where this process holds the lane. */
  async #serve(lane: ChannelQueue, once: boolean): Promise<void> {
    if (this.#closing.closed) return
    if (once) await this.#endOnce(lane)
    if (this.#isHeld(lane) && !lane.isToBeChecked(this.#needs.clock.nowUs())) return
    if (!(await this.#lanes.hold(lane))) return
    const nowUs = this.#needs.clock.nowUs()
    if (lane.isToBeSetAnew(nowUs)) await setJobsAnew(this.#needs.database, lane.name, nowUs)
    await this.#refresh(lane)
    const few = lane.ready * 2 <= limits.notificationReadyOfLaneMax
    if (few || this.#isHeld(lane)) await this.#readAhead(lane)
    this.#begin(lane)
  }

  /** What is tried at once or not at all does not wait for the end of a pause, or for its turn. */
  async #endOnce(lane: ChannelQueue): Promise<void> {
    if (!(await this.#lanes.hold(lane))) return
    const { database, ledger, clock } = this.#needs
    const at = clock.nowUs()
    const paused = lane.isPaused(at)
    const beforeUs = paused ? at : at - limits.notificationOnceMsMax * usPerMs
    lane.keep(({ once, queuedAtUs }) => !once || queuedAtUs > beforeUs)
    const text = paused ? `${tooLate}: its channel is paused` : tooLate
    const range = { beforeUs, except: lane.underWay() }
    await database.transaction(async (transaction) => {
      const moment = { at, event: 'failed', text } as const
      const ended = await endOnceJobs(transaction, lane.name, range, moment)
      for (const { part, count } of ended) {
        await countJobs(ledger, transaction, part, { failed: count })
      }
    })
  }

  /** Another process may have deleted or replaced bindings since. */
  async #refresh(lane: ChannelQueue): Promise<void> {
    const { database, clock } = this.#needs
    if (!lane.isStale(clock.nowUs())) return
    const waiting = await readWaiting(database, lane.readyNumbers())
    lane.keep(({ number, bindingSid, address }) => {
      const found = waiting.get(number)
      return found?.bindingSid === bindingSid && found.address === address
    })
    lane.refreshed(clock.nowUs())
  }

  async #readAhead(lane: ChannelQueue): Promise<void> {
    const { database, clock } = this.#needs
    const { solutionId, channel } = lane.name
    const setup = await setupOf(this.#needs, solutionId)
    const way = once(() => routeOf(this.#needs, setup, channel))
    if (lane.configure(setup.version, rateOf(way))) await this.#lanes.keep(lane)
    const left = Math.ceil((limits.notificationReadyMax - this.#lanes.ready) / 2)
    const count = Math.min(limits.notificationReadyOfLaneMax - lane.ready, left)
    if (count <= 0) return
    // What ends while they are read is still among them.
    const [from, busy] = [lane.from(clock.nowUs()), lane.busy()]
    const changes = lane.changes
    const many = count + (from === lane.beginning ? busy.size : 0)
    const due = await readDue(database, lane.name, from, clock.nowUs(), many)
    const jobs = due.filter(({ number }) => !busy.has(number))
    const sids = [...new Set(jobs.map(({ notificationSid }) => notificationSid))]
    const messages = await readMessages(database, solutionId, sids)
    const { messagingServiceSid } = setup
    const load = { messages, messagingServiceSid, way, account: once(() => setup.account()) }
    if (lane.changes !== changes) return this.wake()
    const last = due.length < many ? undefined : due.at(-1)
    const ready = jobs.map((job) => ({ job, load }))
    lane.add(ready, last, clock.nowUs())
  }

  /** Where time alone holds a lane it is noted when it is to be looked at again. */
  #isHeld(lane: ChannelQueue): boolean {
    const nowUs = this.#needs.clock.nowUs()
    const nextUs = lane.nextUs(nowUs)
    if (nextUs <= nowUs) return false
    this.#soonestUs = Math.min(this.#soonestUs, nextUs)
    return true
  }

  /** No lane takes more than half of what is left, so that there is always room for another. */
  #begin(lane: ChannelQueue): void {
    const nowUs = this.#needs.clock.nowUs()
    if (this.#closing.closed || lane.leasedUntilUs < nowUs) return
    if (lane.isStale(nowUs)) {
      this.wake()
      return
    }
    const left = limits.notificationRunsMax - this.#running
    const unsettled = limits.notificationUnsettledMax - this.#under.size
    const own = limits.notificationRunsOfLaneMax - lane.running
    const room = Math.max(0, Math.min(own, Math.ceil(left / 2), unsettled))
    const { begun, deferred } = lane.begin(Math.min(room, lane.allowed(nowUs)), nowUs)
    for (const ready of begun) this.#track(lane, ready.job, this.#run(lane, ready))
    for (const { job, untilUs } of deferred) {
      const settlement = deferredBy(job, untilUs, nowUs)
      this.#track(
        lane,
        job,
        this.#insist(() => this.#settler.add(settlement)),
      )
    }
    if (deferred.length > 0) this.wake()
  }

  #track(lane: ChannelQueue, job: TakenJob, work: Promise<void>): void {
    const ended = work.finally(() => {
      this.#under.delete(ended)
      lane.settled(job)
    })
    this.#under.add(ended)
  }

  async #run(lane: ChannelQueue, { job, load }: Ready): Promise<void> {
    this.#running += 1
    const { messages, ...others } = load
    const settlement = await tryJob(this.#needs, {
      ...{ ...others, job, message: messages.get(job.notificationSid) },
      closing: this.#closing,
      heard: (outcome) => this.#heard(lane, job, outcome),
    })
    this.#running -= 1
    lane.answered(job)
    this.#begin(lane)
    if (lane.ready * 2 <= limits.notificationReadyOfLaneMax) this.wake()
    await this.#insist(() => this.#settler.add(settlement))
  }

  async #heard(lane: ChannelQueue, job: TakenJob, outcome: Outcome): Promise<Outcome> {
    const heard = lane.heard(outcome, job, this.#needs.clock.nowUs())
    if (heard.fault !== undefined) {
      this.#needs.logger.warn({ ...lane.name, fault: heard.fault }, 'notifications do not arrive')
    }
    if (heard.changed) await this.#lanes.keep(lane)
    return heard.outcome
  }

  /** What this process has nobody else looks at: it goes on until it is done, or the end. */
  async #insist(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        this.#needs.logger.warn({ err: error }, 'notifications wait for the database')
        if (this.#closing.closed) return
        await new Promise((resolve) => setTimeout(resolve, limits.deliveryPollMs))
      }
    }
  }

  #rest(): Promise<void> {
    const soonMs = (this.#soonestUs - this.#needs.clock.nowUs()) / usPerMs
    const ms = Math.min(limits.deliveryPollMs, Math.max(soonMs, limits.notificationRestMsMin))
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref()
      this.#resume = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** Without an attempt: its device was told not to be asked before. */
function deferredBy(job: TakenJob, dueAtUs: number, nowUs: number): Settlement {
  const reason = 'its device takes no more for now'
  if (job.once) return ended(job, nowUs, `${tooLate}: ${reason}`)
  return { job, state: 'queued', begun: false, moments: [], reason, dueAtUs }
}

/** Secrets that cannot be read are the try's trouble, not the lane's. */
function rateOf(way: () => ProviderRoute | undefined): number | undefined {
  try {
    return way()?.rate
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
