import type { Database } from '../../database/index.ts'
import { elapsedMs, type Logger, limits } from '../../kernel/index.ts'
import {
  acquirePartitionLease,
  releaseAllPartitionLeases,
  releasePartitionLeases,
} from '../store/partition-leases.ts'

export type PartitionTurnsOptions = {
  readonly database: Database
  readonly logger: Logger
  /** The owner of this process's partition leases. */
  readonly owner: string
}

const usPerMs = 1_000

/**
 * The leases of this process on the partitions whose events it hands to scripts. An epoch lasts
 * until another process has had the partition.
 */
export class PartitionTurns {
  readonly #options: PartitionTurnsOptions
  readonly #held = new Map<number, { readonly epoch: number; readonly askedMs: number }>()
  #recovered: Promise<void> | undefined

  constructor(options: PartitionTurnsOptions) {
    this.#options = options
  }

  /** Acquires or renews the lease. @returns its epoch; undefined if another process has it. */
  async take(part: number): Promise<number | undefined> {
    const known = this.#held.get(part)
    const nowMs = elapsedMs()
    if (known !== undefined && nowMs - known.askedMs < limits.scriptPartitionLeaseRenewMs) {
      return known.epoch
    }
    this.#recovered ??= this.#recover()
    await this.#recovered
    const { database, owner } = this.#options
    const lease = { owner, forUs: limits.scriptPartitionLeaseMs * usPerMs }
    const epoch = await acquirePartitionLease(database, part, lease)
    if (epoch === undefined) this.#held.delete(part)
    else this.#held.set(part, { epoch, askedMs: nowMs })
    return epoch
  }

  async release(): Promise<void> {
    const { database, owner, logger } = this.#options
    await releasePartitionLeases(database, owner).catch((error) => {
      logger.warn({ err: error }, 'failed to release partition leases; they will expire')
    })
  }

  /**
   * Releases the partitions of a process that was killed, if no other process can be running: the
   * embedded engine has one. On a server others may run; there the leases expire.
   */
  async #recover(): Promise<void> {
    const { database, logger } = this.#options
    if (database.engine !== 'embedded') return
    await releaseAllPartitionLeases(database).catch((error) => {
      logger.warn({ err: error }, 'failed to release the partitions of an earlier process')
    })
  }
}
