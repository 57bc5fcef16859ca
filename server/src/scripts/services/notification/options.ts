import type { Database, Queryable, Transaction } from '../../../foundation/database/index.ts'
import type { Clock, Logger, Random } from '../../../foundation/kernel/index.ts'
import type { ConfigurationReads, ServiceSecrets } from '../../scripting/index.ts'
import type { Provider } from './sending/channel.ts'

type Counts = {
  readonly taken: number
  readonly done: number
  readonly failed: number
  /** The number of those that ended and have no row any more. */
  readonly settled: number
}

type CountRows = (queryable: Queryable) => Promise<ReadonlyMap<number, number>>

type CountedStage = {
  readonly stage: string
  readonly pending: CountRows
  readonly kept: { readonly of: 'all'; readonly count: CountRows }
}

/** The part of the event log that counts the jobs of a stage in the ledger. */
export type StageCounter = {
  partitionFor(solutionId: string, key: string): number
  countStage(transaction: Transaction, stage: string, part: number, counts: Counts): Promise<void>
  readonly ledger: { addStage(stage: CountedStage): void }
}

export type NotificationOptions = {
  readonly database: Database
  readonly configurations: Pick<ConfigurationReads, 'ofSolution' | 'ofService'>
  readonly secrets: ServiceSecrets
  readonly ledger: StageCounter
  readonly providers: readonly Provider[]
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** The base of the URLs of bindings. */
  readonly baseUrl: string
  /** The platform's public URL; undefined: it is not configured. */
  readonly publicUrl?: string | undefined
}

export const notificationsStage = 'notifications'

/** Counts jobs in the part of their solution. */
export function countJobs(
  ledger: StageCounter,
  transaction: Transaction,
  part: number,
  counts: Partial<Counts>,
): Promise<void> {
  const all = { taken: 0, done: 0, failed: 0, settled: 0, ...counts }
  return ledger.countStage(transaction, notificationsStage, part, all)
}

/** The two names of the service. */
export const serviceNames = ['notification', 'twilionotify'] as const

/** Counts jobs that are removed, in the order of their parts; those that were queued failed. */
export async function settleJobs(
  ledger: StageCounter,
  transaction: Transaction,
  removed: readonly { readonly part: number; readonly count: number; readonly queued?: number }[],
): Promise<void> {
  for (const { part, count, queued = 0 } of removed) {
    await countJobs(ledger, transaction, part, { failed: queued, settled: count })
  }
}
