import type { Database, Transaction } from '../../database/index.ts'
import type { Clock, Logger, Random } from '../../kernel/index.ts'
import type { ConfigurationReads } from '../../scripting/index.ts'
import type { Secrets } from './providers/configuration.ts'
import type { Channel } from './sending/channel.ts'

type Counts = { readonly taken: number; readonly done: number; readonly failed: number }

/** Where the platform counts what came in and what became of it. */
export type Ledger = {
  partOf(solutionId: string, key: string): number
  countStage(transaction: Transaction, stage: string, part: number, counts: Counts): Promise<void>
}

export type Needs = {
  readonly database: Database
  readonly configurations: Pick<ConfigurationReads, 'ofSolution' | 'ofService'>
  readonly secrets: Secrets
  readonly ledger: Ledger
  readonly channels: readonly Channel[]
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** What the URLs of bindings begin with. */
  readonly baseUrl: string
  /** What others outside are told to call; undefined: it is not known. */
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
