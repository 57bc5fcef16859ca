import type { Database } from '../../foundation/database/index.ts'
import { createBatcher, limits } from '../../foundation/kernel/index.ts'
import type { EventLog } from '../eventlog/index.ts'
import type { NewConnectorLine } from './connector.ts'

export type RejectionsOptions = {
  readonly database: Database
  readonly eventlog: Pick<EventLog, 'partitionFor' | 'countStage'>
  readonly write: (line: NewConnectorLine) => void
}

/** A message of a device that was acknowledged and not written, with its stage of the ledger. */
export type Rejection = NewConnectorLine & { readonly stage: string; readonly identity: string }

/**
 * Counts rejections in the ledger as taken and failed, those that come together in one transaction,
 * and writes the line of each. It resolves once they are counted.
 */
export function createRejections({ database, eventlog, write }: RejectionsOptions) {
  const batches = createBatcher<Rejection, void>({
    batchMax: limits.flushMessagesMax,
    waitingMax: limits.pendingMessagesMax,
    async run(rejections) {
      const groups = Map.groupBy(
        rejections,
        ({ stage, connectorId, identity }) =>
          `${eventlog.partitionFor(connectorId, identity)} ${stage}`,
      )
      await database.transaction(async (transaction) => {
        for (const [key, { length }] of [...groups].sort()) {
          const [part = '', stage = ''] = key.split(' ')
          const counts = { taken: length, done: 0, failed: length }
          await eventlog.countStage(transaction, stage, Number(part), counts)
        }
      })
      return rejections.map(() => ({ value: undefined }))
    },
  })
  return async ({ stage, ...line }: Rejection): Promise<void> => {
    await batches.add({ stage, ...line })
    write(line)
  }
}
