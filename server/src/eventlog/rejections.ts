import type { Database } from '../database/index.ts'
import { type Clock, createBatcher, limits } from '../kernel/index.ts'
import type { Note } from './line.ts'
import { partOf } from './part.ts'
import { countStage } from './store/append.ts'

export type RejectionsOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly note: (note: Note) => void
}

/** A message of a device that was acknowledged and not written. */
export type Rejection = Note & { readonly stage: string; readonly identity: string }

/**
 * Counts rejections in the ledger as taken and failed, those that come together in one transaction,
 * and notes the line of each. It resolves once they are counted.
 */
export function createRejections({ database, clock, note }: RejectionsOptions) {
  const batches = createBatcher<Rejection, void>({
    batchMax: limits.flushMessagesMax,
    waitingMax: limits.pendingMessagesMax,
    async run(rejections) {
      const groups = Map.groupBy(
        rejections,
        ({ stage, connectorId, identity }) => `${partOf(connectorId, identity)} ${stage}`,
      )
      await database.transaction(async (transaction) => {
        for (const [key, { length }] of [...groups].sort()) {
          const [part = '', stage = ''] = key.split(' ')
          const counts = { taken: length, done: 0, failed: length }
          await countStage(transaction, stage, Number(part), clock.nowUs(), counts)
        }
      })
      return rejections.map(() => ({ value: undefined }))
    },
  })
  return async ({ stage, ...line }: Rejection): Promise<void> => {
    await batches.add({ stage, ...line })
    note(line)
  }
}
