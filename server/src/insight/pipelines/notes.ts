import type { Transaction } from '../../foundation/database/index.ts'
import { type Clock, RateLimiter } from '../../foundation/kernel/index.ts'
import type { Failure, LoggedEntry } from '../../log/eventlog/index.ts'
import type { Assets, NewLogLine } from '../assets/index.ts'
import { pipelineLimits } from './limits.ts'

/** Failures that are remembered to fold repetitions. */
const moduleNotesRememberedMax = 10_000

/** A line for an asset's log. */
export type Note = NewLogLine & { readonly businessId: string; readonly assetId: string }

/** Writes lines into assets' logs, but not the same line again and again. */
export type Notes = {
  write(transaction: Transaction, notes: readonly Note[]): Promise<void>
}

/** A device or a module fails with every message: one line in a while is enough. */
export function createNotes(assets: Assets, clock: Clock): Notes {
  const limiter = new RateLimiter(clock, moduleNotesRememberedMax)
  const rate = { count: 1, windowMs: pipelineLimits.moduleNoteRepeatMs }
  const isNew = ({ assetId, text }: Note) => limiter.take(`${assetId} ${text}`, rate) === 0

  return {
    async write(transaction, notes) {
      for (const { businessId, assetId, ...line } of notes.filter(isNew)) {
        await assets.log(transaction, businessId, assetId, line)
      }
    },
  }
}

/** The entry as failed, where there is a reason. */
export function toFailures(entry: LoggedEntry, reason: string | undefined): Failure[] {
  return reason === undefined ? [] : [{ entry, reason }]
}
