import { limits } from '../../../kernel/index.ts'
import type { Needs } from '../needs.ts'
import { channelNames } from '../sending/channel.ts'
import { holdLane, keepLane, releaseLanes, renewLanes } from '../store/lanes.ts'
import { ChannelQueue, type QueueName } from './channel-queue.ts'
import type { TakenJob } from './job.ts'

const usPerMs = 1_000

/** What is with a provider now. */
export type UnderWay = {
  isUnderWay(name: QueueName, job: Pick<TakenJob, 'number'>): boolean
  countUnderWay(solutionId: string, notificationSid: string): number
}

/** The lanes that this process knows, and those that it alone may send from. */
export class ChannelQueues implements UnderWay {
  readonly #needs: Pick<Needs, 'database' | 'clock' | 'logger'>
  readonly #owner: string
  /** The one that was used last stands last. */
  readonly #lanes = new Map<string, ChannelQueue>()
  readonly #keeping = new Map<ChannelQueue, Promise<void>>()
  #renewing: NodeJS.Timeout | undefined

  constructor(needs: Pick<Needs, 'database' | 'clock' | 'logger'>, owner: string) {
    this.#needs = needs
    this.#owner = owner
  }

  start(): void {
    this.#renewing ??= setInterval(() => this.#renew(), limits.deliveryRenewMs).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#renewing)
    await releaseLanes(this.#needs.database, this.#owner).catch((error) => {
      this.#needs.logger.warn({ err: error }, 'lanes of notifications are left to run out')
    })
  }

  /** Jobs that are read ahead, in all lanes. */
  get ready(): number {
    return [...this.#lanes.values()].reduce((sum, lane) => sum + lane.ready, 0)
  }

  of(name: QueueName): ChannelQueue {
    const place = placeOf(name)
    const lane = this.#lanes.get(place) ?? new ChannelQueue(name)
    this.#lanes.delete(place)
    this.#lanes.set(place, lane)
    if (this.#lanes.size > limits.notificationLanesMax) this.#forget()
    return lane
  }

  /** The clock was set back. */
  rewind(): void {
    for (const lane of this.#lanes.values()) lane.rewind()
  }

  /** Forgets what was read ahead for bindings that were deleted or replaced. */
  forgetBindings(solutionId: string, sids: readonly string[]): void {
    const set = new Set(sids)
    for (const channel of channelNames) {
      this.#lanes.get(placeOf({ solutionId, channel }))?.forget(set)
    }
  }

  /** Whether this process has given a job to its provider, and waits. */
  readonly isUnderWay: UnderWay['isUnderWay'] = (name, job) => {
    return this.#lanes.get(placeOf(name))?.has(job) ?? false
  }

  /** How many jobs of a notification are so. */
  readonly countUnderWay: UnderWay['countUnderWay'] = (solutionId, sid) => {
    const of = channelNames.map((channel) => this.#lanes.get(placeOf({ solutionId, channel })))
    return of.reduce((sum, lane) => sum + (lane?.countOf(sid) ?? 0), 0)
  }

  /** @returns whether this process may send from the lane. */
  async hold(lane: ChannelQueue): Promise<boolean> {
    const lease = this.#lease()
    lane.usedAtUs = lease.nowUs
    if (lease.nowUs < lane.leasedUntilUs) return true
    const state = await holdLane(this.#needs.database, lane.name, lease)
    if (state === undefined) {
      lane.drop()
      return false
    }
    lane.leasedUntilUs = lease.untilUs
    lane.restore(state)
    return true
  }

  /** Writes down what a lane is now; those who ask while that is done wait for the next time. */
  async keep(lane: ChannelQueue): Promise<void> {
    const before = this.#keeping.get(lane)
    const write = async () => {
      await before
      await keepLane(this.#needs.database, lane.name, this.#owner, lane.state)
    }
    const written = write().catch((error) => {
      this.#needs.logger.warn({ err: error }, 'the state of a lane could not be kept')
    })
    this.#keeping.set(lane, written)
    await written
    if (this.#keeping.get(lane) === written) this.#keeping.delete(lane)
  }

  /** One that rests; what of it must last is written down. */
  #forget(): void {
    for (const [place, lane] of this.#lanes) {
      if (!lane.isResting) continue
      this.#lanes.delete(place)
      return
    }
  }

  /** What rests is left to others. */
  #renew(): void {
    const { database, logger } = this.#needs
    const lease = this.#lease()
    const restingUs = lease.nowUs - limits.deliveryLeaseMs * usPerMs
    const used = [...this.#lanes.values()].filter(
      (lane) => !lane.isResting || (lane.leasedUntilUs > 0 && lane.usedAtUs > restingUs),
    )
    if (used.length === 0) return
    const names = used.map(({ name }) => name)
    renewLanes(database, names, lease)
      .then((renewed) => {
        for (const name of renewed) {
          const lane = this.#lanes.get(placeOf(name))
          if (lane !== undefined) lane.leasedUntilUs = lease.untilUs
        }
      })
      .catch((error) => {
        logger.warn({ err: error }, 'the leases of notifications could not be renewed')
      })
  }

  #lease() {
    const nowUs = this.#needs.clock.nowUs()
    const untilUs = nowUs + limits.deliveryLeaseMs * usPerMs
    return { owner: this.#owner, nowUs, untilUs }
  }
}

function placeOf({ solutionId, channel }: QueueName): string {
  return `${solutionId} ${channel}`
}
