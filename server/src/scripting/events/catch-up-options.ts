import type { Database, Transaction } from '../../database/index.ts'
import type { EventLog, PartCounts } from '../../eventlog/index.ts'
import type { Logger } from '../../kernel/index.ts'
import type { EventDeliveries } from './event-batch.ts'
import type { EventPlanner } from './event-plan.ts'
import type { RunEvent } from './event-run.ts'
import type { PartitionTurns } from './partition-turns.ts'

export type CatchUpOptions = {
  readonly database: Database
  readonly eventlog: Pick<EventLog, 'read' | 'keepFrom' | 'countStatement' | 'ledger'>
  readonly planner: EventPlanner
  readonly run: RunEvent
  readonly deliveries: EventDeliveries
  readonly turns: PartitionTurns
  readonly logger: Logger
  readonly nowUs: () => number
}

/** The stage of the ledger that counts entries which solutions that are behind have left. */
export const catchUpStage = 'scripts.behind'

export async function countCatchUp(
  transaction: Transaction,
  eventlog: Pick<EventLog, 'countStatement'>,
  counts: readonly PartCounts[],
): Promise<void> {
  const { text, values } = eventlog.countStatement(catchUpStage, counts)
  await transaction.run(text, values)
}
