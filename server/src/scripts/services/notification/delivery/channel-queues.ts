import { PollLoop } from '../../../../foundation/kernel/index.ts'
import { notificationLimits } from '../limits.ts'
import type { NotificationOptions } from '../options.ts'
import { channels } from '../sending/channel.ts'
import { acquireQueue, releaseQueues, renewQueues, saveQueueState } from '../store/queues.ts'
import { ChannelQueue } from './channel-queue.ts'
import type { QueueName } from './channel-throttle.ts'
import type { TakenJob } from './job.ts'

/**
 * Queues that a process caches, one for each channel of a solution. Their state is in the database.
 */
const notificationQueuesMax = 2_000

const usPerMs = 1_000

/** The jobs that this process has given to their providers. */
export type JobsInFlight = {
  isInFlight(name: QueueName, job: Pick<TakenJob, 'number'>): boolean
  countInFlight(solutionId: string, notificationSid: string): number
}

/** The queues that this process has cached, and the leases that it has. */
export class ChannelQueues implements JobsInFlight {
  readonly #options: Pick<NotificationOptions, 'database' | 'clock' | 'logger'>
  readonly #owner: string
  /** In order of use, the latest last. */
  readonly #queues = new Map<string, ChannelQueue>()
  readonly #saving = new Map<ChannelQueue, Promise<void>>()
  readonly #renewals: PollLoop

  constructor(options: Pick<NotificationOptions, 'database' | 'clock' | 'logger'>, owner: string) {
    this.#options = options
    this.#owner = owner
    this.#renewals = new PollLoop({
      look: () => this.#renewLeases(),
      failed: (error) => {
        options.logger.warn({ err: error }, 'failed to renew notification queue leases')
      },
      pollMs: notificationLimits.deliveryRenewMs,
    })
  }

  /** To be called once. */
  start(): void {
    this.#renewals.startLater()
  }

  async stop(): Promise<void> {
    await this.#renewals.stop()
    await releaseQueues(this.#options.database, this.#owner).catch((error) => {
      this.#options.logger.warn(
        { err: error },
        'failed to release notification queue leases; they will expire',
      )
    })
  }

  /** Jobs that were read ahead, in all queues. */
  get readyCount(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.readyCount, 0)
  }

  get(name: QueueName): ChannelQueue {
    const key = queueKey(name)
    const queue = this.#queues.get(key) ?? new ChannelQueue(name)
    this.#queues.delete(key)
    this.#queues.set(key, queue)
    if (this.#queues.size > notificationQueuesMax) this.#evictIdle()
    return queue
  }

  /** Drops the times of all queues after the clock was set back. */
  resetTimes(): void {
    for (const queue of this.#queues.values()) queue.resetTimes()
  }

  /** Drops the jobs that were read ahead for bindings that were deleted or replaced. */
  invalidateBindings(solutionId: string, sids: readonly string[]): void {
    const set = new Set(sids)
    for (const channel of channels) {
      this.#queues.get(queueKey({ solutionId, channel }))?.invalidateBindings(set)
    }
  }

  /** Returns whether this process has given a job to its provider, and waits. */
  readonly isInFlight: JobsInFlight['isInFlight'] = (name, job) => {
    return this.#queues.get(queueKey(name))?.isInFlight(job) ?? false
  }

  /** Counts such jobs of a notification. */
  readonly countInFlight: JobsInFlight['countInFlight'] = (solutionId, sid) => {
    const of = channels.map((channel) => this.#queues.get(queueKey({ solutionId, channel })))
    return of.reduce((sum, queue) => sum + (queue?.countInFlight(sid) ?? 0), 0)
  }

  /** Takes the lease of a queue, or returns false: another process has it. */
  async acquire(queue: ChannelQueue): Promise<boolean> {
    const lease = this.#lease()
    queue.usedAtUs = lease.nowUs
    if (lease.nowUs < queue.leasedUntilUs) return true
    const state = await acquireQueue(this.#options.database, queue.name, lease)
    if (state === undefined) {
      queue.dropReady()
      return false
    }
    queue.leasedUntilUs = lease.untilUs
    queue.throttle.restore(state)
    return true
  }

  /** Writes the state of a queue; writes of the same queue follow one another. */
  async saveState(queue: ChannelQueue): Promise<void> {
    const before = this.#saving.get(queue)
    const write = async () => {
      await before
      await saveQueueState(this.#options.database, queue.name, this.#owner, queue.throttle.state)
    }
    const written = write().catch((error) => {
      this.#options.logger.warn({ err: error }, 'failed to write the state of a notification queue')
    })
    this.#saving.set(queue, written)
    await written
    if (this.#saving.get(queue) === written) this.#saving.delete(queue)
  }

  /** Removes the idle queue that was used least recently; its state is stored. */
  #evictIdle(): void {
    for (const [key, queue] of this.#queues) {
      if (!queue.isIdle) continue
      this.#queues.delete(key)
      return
    }
  }

  /** Renews the leases in use; those of idle queues expire. */
  async #renewLeases(): Promise<void> {
    const lease = this.#lease()
    const idleSinceUs = lease.nowUs - notificationLimits.deliveryLeaseMs * usPerMs
    const used = [...this.#queues.values()].filter(
      (queue) => !queue.isIdle || (queue.leasedUntilUs > 0 && queue.usedAtUs > idleSinceUs),
    )
    if (used.length === 0) return
    const names = used.map(({ name }) => name)
    for (const name of await renewQueues(this.#options.database, names, lease)) {
      const queue = this.#queues.get(queueKey(name))
      if (queue !== undefined) queue.leasedUntilUs = lease.untilUs
    }
  }

  #lease() {
    const nowUs = this.#options.clock.nowUs()
    const untilUs = nowUs + notificationLimits.deliveryLeaseMs * usPerMs
    return { owner: this.#owner, nowUs, untilUs }
  }
}

function queueKey({ solutionId, channel }: QueueName): string {
  return `${solutionId} ${channel}`
}
