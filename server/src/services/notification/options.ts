import type { Database, Transaction } from '../../database/index.ts'
import type { Clock, Logger, Random } from '../../kernel/index.ts'
import type { ConfigurationReads, ServiceSecrets } from '../../scripting/index.ts'
import type { Provider } from './sending/channel.ts'
import type { countOpen } from './store/jobs.ts'

type Counts = { readonly taken: number; readonly done: number; readonly failed: number }

/** The part of the event log that counts the jobs of a stage in the ledger. */
export type StageCounter = {
  partOf(solutionId: string, key: string): number
  countStage(transaction: Transaction, stage: string, part: number, counts: Counts): Promise<void>
  readonly ledger: { addStage(stage: { stage: string; pending: typeof countOpen }): void }
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
  const all = { taken: 0, done: 0, failed: 0, ...counts }
  return ledger.countStage(transaction, notificationsStage, part, all)
}

/** One service, two names. */
export const serviceNames = ['notification', 'twilionotify'] as const
