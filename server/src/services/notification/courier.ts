import { type Batches, limits, newId } from '../../kernel/index.ts'
import { audienceOf } from './audience.ts'
import type { Outcome } from './channel.ts'
import type { Settlement, TakenJob } from './job.ts'
import type { Lane, Ready } from './lane.ts'
import { Lanes, type UnderWay } from './lanes.ts'
import { countJobs, type Needs } from './needs.ts'
import { createSettler } from './settle.ts'
import { setupOf, type Way, wayOf } from './setup.ts'
import { readDue } from './store/jobs.ts'
import { readBacklogged } from './store/lanes.ts'
import { expand, readMessages, takeExpanding } from './store/notifications.ts'
import { tryJob } from './try-job.ts'

const usPerMs = 1_000

/** Makes jobs of what was accepted, and gives them to their providers, lane by lane. */
export class Courier {
  readonly #needs: Needs
  readonly #settler: Batches<Settlement, void>
  readonly #lanes: Lanes
  readonly #under = new Set<Promise<void>>()
  readonly #closing = { closed: false, ends: new Set<() => void>() }
  #awake = false
  /** When a lane may go on that time alone holds. */
  #soonestUs = 0
  #resume = () => {}
  #walking: Promise<void> | undefined
  #expanding: Promise<void> | undefined
  #running = 0

  constructor(needs: Needs) {
    this.#needs = needs
    this.#lanes = new Lanes(needs, newId(needs.random))
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
    this.#expanding ??= this.#expandAll()
    const count = limits.deliverySolutionsMax
    let after = { solutionId: '', channel: '' }
    for (;;) {
      const names = await readBacklogged(this.#needs.database, after, count)
      for (const name of names) await this.#serve(this.#lanes.of(name))
      after = names.at(-1) ?? after
      if (names.length < count || this.#closing.closed) return
    }
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
      const { count } = await expand(transaction, audience, next, clock.nowUs(), most)
      await countJobs(ledger, transaction, part, { taken: count })
      return true
    })
  }

  /** Begins what of a lane is due, where this process holds the lane. */
  async #serve(lane: Lane): Promise<void> {
    if (this.#closing.closed) return
    if (this.#isHeld(lane) && !lane.isToBeChecked(this.#needs.clock.nowUs())) return
    if (!(await this.#lanes.hold(lane))) return
    const few = lane.ready * 2 <= limits.notificationReadyOfLaneMax
    if (few || this.#isHeld(lane)) await this.#readAhead(lane)
    this.#begin(lane)
  }

  async #readAhead(lane: Lane): Promise<void> {
    const { database, clock } = this.#needs
    const { solutionId, channel } = lane.name
    const setup = await setupOf(this.#needs, solutionId)
    const way = once(() => wayOf(this.#needs, setup, channel))
    if (lane.configure(setup.version, rateOf(way))) await this.#lanes.keep(lane)
    const left = Math.ceil((limits.notificationReadyMax - this.#lanes.ready) / 2)
    const count = Math.min(limits.notificationReadyOfLaneMax - lane.ready, left)
    if (count <= 0) return
    // What ends while they are read is still among them.
    const [from, busy] = [lane.from(clock.nowUs()), lane.busy()]
    const many = count + (from === lane.beginning ? busy.size : 0)
    const due = await readDue(database, lane.name, from, clock.nowUs(), many)
    const jobs = due.filter(({ number }) => !busy.has(number))
    const sids = [...new Set(jobs.map(({ notificationSid }) => notificationSid))]
    const messages = await readMessages(database, solutionId, sids)
    const { messagingServiceSid } = setup
    const load = { messages, messagingServiceSid, way, account: once(() => setup.account()) }
    const last = due.length < many ? undefined : due.at(-1)
    lane.add(
      jobs.map((job) => ({ job, load })),
      last,
    )
  }

  /** Where time alone holds a lane it is noted when it is to be looked at again. */
  #isHeld(lane: Lane): boolean {
    const nowUs = this.#needs.clock.nowUs()
    const nextUs = lane.nextUs(nowUs)
    if (nextUs <= nowUs) return false
    this.#soonestUs = Math.min(this.#soonestUs, nextUs)
    return true
  }

  /** No lane takes more than half of what is left, so that there is always room for another. */
  #begin(lane: Lane): void {
    const nowUs = this.#needs.clock.nowUs()
    if (this.#closing.closed || lane.leasedUntilUs < nowUs) return
    const left = limits.notificationRunsMax - this.#running
    const unsettled = limits.notificationUnsettledMax - this.#under.size
    const own = limits.notificationRunsOfLaneMax - lane.running
    const room = Math.max(0, Math.min(own, Math.ceil(left / 2), unsettled))
    for (const ready of lane.begin(Math.min(room, lane.allowed(nowUs)))) {
      const ended = this.#run(lane, ready).finally(() => {
        this.#under.delete(ended)
        lane.settled(ready.job)
      })
      this.#under.add(ended)
    }
  }

  async #run(lane: Lane, { job, load }: Ready): Promise<void> {
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

  async #heard(lane: Lane, { credentialSid }: TakenJob, outcome: Outcome): Promise<Outcome> {
    const heard = lane.heard(outcome, credentialSid, this.#needs.clock.nowUs())
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

/** Secrets that cannot be read are the try's trouble, not the lane's. */
function rateOf(way: () => Way | undefined): number | undefined {
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
