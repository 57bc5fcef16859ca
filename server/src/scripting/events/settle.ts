import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Transaction } from '../../database/index.ts'
import type { EventLog } from '../../eventlog/index.ts'
import { type Clock, type Logger, limits } from '../../kernel/index.ts'
import { deadLetter, deleteClaimed, type RequeuedDelivery, requeue } from '../store/deliveries.ts'
import type { Settlement } from './delivery.ts'

export const deliveriesStage = 'deliveries'

/** Writes the outcomes of claimed deliveries; those that end together share a transaction. */
export type Settler = {
  /**
   * Resolves once it is written, or dropped by `close`. Retries while the database is
   * unavailable.
   */
  settle(settlement: Settlement): Promise<void>
  /** Waits for writes in flight; what cannot be written now is dropped. */
  close(): Promise<void>
}

export type SettlerNeeds = {
  readonly database: Database
  readonly eventlog: Pick<EventLog, 'countStage'>
  readonly clock: Clock
  readonly logger: Logger
  /** The owner of the leases of this process. */
  readonly owner: string
}

type PendingSettlement = { readonly settlement: Settlement; readonly resolve: () => void }

export function createSettler(needs: SettlerNeeds): Settler {
  const { database, logger } = needs
  const closing = new AbortController()
  let waiting: PendingSettlement[] = []
  let draining: Promise<void> | undefined

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, limits.lineBatchMax)
      waiting = waiting.slice(batch.length)
      try {
        const settlements = batch.map(({ settlement }) => settlement)
        await database.transaction((transaction) => write(needs, transaction, settlements))
      } catch (error) {
        logger.warn({ err: error }, 'failed to settle deliveries; retrying')
        if (!closing.signal.aborted) {
          waiting = [...batch, ...waiting]
          await pause(limits.deliveryPollMs, undefined, { signal: closing.signal }).catch(() => {})
          continue
        }
      }
      for (const { resolve } of batch) resolve()
    }
  }

  return {
    settle: (settlement) =>
      new Promise((resolve) => {
        waiting.push({ settlement, resolve })
        draining ??= drain().finally(() => {
          draining = undefined
        })
      }),
    async close() {
      closing.abort()
      await draining
    },
  }
}

async function write(
  needs: SettlerNeeds,
  transaction: Transaction,
  settlements: readonly Settlement[],
): Promise<void> {
  const { owner, clock } = needs
  const nowUs = clock.nowUs()
  const done = settlements.filter(({ outcome }) => outcome.kind === 'done')
  const dead = settlements.flatMap(({ outcome, ...key }) =>
    outcome.kind === 'dead' ? [{ ...key, error: JSON.stringify(outcome.error) }] : [],
  )
  const requeued = settlements.flatMap(({ outcome, ...key }): RequeuedDelivery[] => {
    if (outcome.kind === 'released') return [{ ...key, dueAtUs: 0, error: null, began: false }]
    if (outcome.kind !== 'later') return []
    const { dueAtUs, error, began } = outcome
    return [{ ...key, dueAtUs, error: JSON.stringify(error), began }]
  })
  const acknowledged = done.length > 0 ? await deleteClaimed(transaction, owner, done) : []
  const deadLettered = dead.length > 0 ? await deadLetter(transaction, owner, dead, nowUs) : []
  if (requeued.length > 0) await requeue(transaction, owner, requeued)
  await countParts(needs, transaction, { done: acknowledged, failed: deadLettered })
}

type Parts = readonly { readonly part: number }[]

/** Counts deliveries in the ledger, each in its part; in the order of parts, as everybody does. */
export async function countParts(
  { eventlog }: Pick<SettlerNeeds, 'eventlog'>,
  transaction: Transaction,
  { taken = [], done = [], failed = [] }: { taken?: Parts; done?: Parts; failed?: Parts },
): Promise<void> {
  const parts = new Set([...taken, ...done, ...failed].map(({ part }) => part))
  const of = (part: number, all: Parts) => all.filter((one) => one.part === part).length
  for (const part of [...parts].sort((a, b) => a - b)) {
    const counts = { taken: of(part, taken), done: of(part, done), failed: of(part, failed) }
    await eventlog.countStage(transaction, deliveriesStage, part, counts)
  }
}
