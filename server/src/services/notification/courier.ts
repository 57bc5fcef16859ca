import { type Batches, limits, newId } from '../../kernel/index.ts'
import { audienceOf } from './audience.ts'
import type { Account, Message, Outcome } from './channel.ts'
import type { Settlement, TakenJob } from './job.ts'
import { keyOf, type Lane } from './lane.ts'
import { Lanes, type UnderWay } from './lanes.ts'
import { countJobs, type Needs } from './needs.ts'
import { createSettler } from './settle.ts'
import { setupOf, type Way, wayOf } from './setup.ts'
import { readDue } from './store/jobs.ts'
import { readBacklogged } from './store/lanes.ts'
import { expand, readMessages, takeExpanding } from './store/notifications.ts'
import { tryJob } from './try-job.ts'

const usPerMs = 1_000

/** What the jobs of one look at a lane have in common. */
type Load = {
  readonly messages: ReadonlyMap<string, Message>
  readonly messagingServiceSid: string | undefined
  way(): Way | undefined
  account(): Account
}

/** Makes jobs of what was accepted, and gives them to their providers, lane by lane. */
export class Courier {
  readonly #needs: Needs
  readonly #settler: Batches<Settlement, void>
  readonly #lanes: Lanes
  readonly #under = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  #awake = false
  /** When a lane may go on that time alone holds. */
  #soonestUs = 0
  #resume = () => {}
  #walking: Promise<void> | undefined

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
    this.#closing.abort()
    this.#resume()
    await this.#walking
    await Promise.all(this.#under)
    if (this.#walking !== undefined) await this.#lanes.stop()
  }

  async #walk(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      this.#awake = false
      await this.#pass().catch((error) => {
        this.#needs.logger.warn({ err: error }, 'notifications could not be looked at')
      })
      if (!this.#closing.signal.aborted && !this.#awake) await this.#rest()
    }
  }

  /** A part of what is to be expanded, and then a look at every lane that has jobs. */
  async #pass(): Promise<void> {
    this.#soonestUs = Number.MAX_SAFE_INTEGER
    if (await this.#expandSome()) this.#awake = true
    const count = limits.deliverySolutionsMax
    let after = { solutionId: '', channel: '' }
    for (;;) {
      const names = await readBacklogged(this.#needs.database, after, count)
      for (const name of names) await this.#serve(this.#lanes.of(name))
      after = names.at(-1) ?? after
      if (names.length < count || this.#closing.signal.aborted) return
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

  /** Begins what of a lane is due and may begin, where this process holds the lane. */
  async #serve(lane: Lane): Promise<void> {
    const { database, clock } = this.#needs
    const room = this.#roomOf(lane)
    if (room === 0 || this.#closing.signal.aborted || this.#allowed(lane) === 0) return
    if (!(await this.#lanes.hold(lane))) return
    const { solutionId, channel } = lane.name
    const setup = await setupOf(this.#needs, solutionId)
    const way = once(() => wayOf(this.#needs, setup, channel))
    const changed = lane.configure(setup.version, rateOf(way))
    if (changed) await this.#lanes.keep(lane)
    const count = Math.min(room, this.#allowed(lane))
    if (count === 0) return
    // What ends while they are read is still among them.
    const busy = lane.busy()
    const due = await readDue(database, lane.name, clock.nowUs(), busy.size + count)
    const jobs = due.filter((job) => !busy.has(keyOf(job))).slice(0, count)
    if (jobs.length === 0) return
    const sids = [...new Set(jobs.map(({ notificationSid }) => notificationSid))]
    const messages = await readMessages(database, solutionId, sids)
    const { messagingServiceSid } = setup
    const account = once(() => setup.account())
    this.#begin(lane, jobs, { messages, messagingServiceSid, way, account })
  }

  /** No lane takes more than half of what is left, so that there is always room for another. */
  #roomOf(lane: Lane): number {
    const left = limits.notificationRunsMax - this.#under.size
    const own = limits.notificationRunsOfLaneMax - lane.underWay
    const room = Math.min(own, Math.ceil(left / 2))
    // What ends one by one is not replaced one by one: that would be a look at the database each.
    const worthWhile = lane.underWay === 0 || room >= limits.notificationTakeMin
    return worthWhile ? Math.max(0, room) : 0
  }

  /** How many may begin, and where time alone holds them, when it is to be looked at again. */
  #allowed(lane: Lane): number {
    const nowUs = this.#needs.clock.nowUs()
    const count = lane.allowed(nowUs)
    const nextUs = lane.nextUs(nowUs)
    if (count === 0 && nextUs > nowUs) this.#soonestUs = Math.min(this.#soonestUs, nextUs)
    return count
  }

  #begin(lane: Lane, jobs: readonly TakenJob[], load: Load): void {
    lane.begin(jobs)
    for (const job of jobs) {
      const ended = this.#run(lane, job, load).finally(() => {
        this.#under.delete(ended)
        lane.end(job)
        this.wake()
      })
      this.#under.add(ended)
    }
  }

  async #run(lane: Lane, job: TakenJob, load: Load): Promise<void> {
    const settlement = await tryJob(this.#needs, {
      ...{ job, message: load.messages.get(job.notificationSid), closing: this.#closing.signal },
      ...{ way: load.way, account: load.account },
      messagingServiceSid: load.messagingServiceSid,
      heard: (outcome) => this.#heard(lane, job, outcome),
    })
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
        if (this.#closing.signal.aborted) return
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
