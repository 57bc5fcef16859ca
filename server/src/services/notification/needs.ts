import type { Database, Transaction } from '../../database/index.ts'
import type { Clock, Logger, Random } from '../../kernel/index.ts'
import type { ConfigurationReads } from '../../scripting/index.ts'
import type { Secrets } from './providers/configuration.ts'
import type { Provider } from './sending/channel.ts'

type Counts = { readonly taken: number; readonly done: number; readonly failed: number }

/** The platform's ledger of jobs: taken, done and failed. */
export type Ledger = {
  partOf(solutionId: string, key: string): number
  countStage(transaction: Transaction, stage: string, part: number, counts: Counts): Promise<void>
}

export type NotificationNeeds = {
  readonly database: Database
  readonly configurations: Pick<ConfigurationReads, 'ofSolution' | 'ofService'>
  readonly secrets: Secrets
  readonly ledger: Ledger
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
  ledger: Ledger,
  transaction: Transaction,
  part: number,
  counts: Partial<Counts>,
): Promise<void> {
  const all = { taken: 0, done: 0, failed: 0, ...counts }
  return ledger.countStage(transaction, notificationsStage, part, all)
}

/** One service, two names. */
export const serviceNames = ['notification', 'twilionotify'] as const
