import type { Database, Transaction } from '../../foundation/database/index.ts'
import type { Clock, FailureKey } from '../../foundation/kernel/index.ts'
import type { Changes } from '../changes/index.ts'
import type { EntryFailure, LoggedEntry } from './entry.ts'
import type { LogStore } from './log-store/log-store.ts'
import { countFailures, readFailure, readFailures, settleFailures } from './store/failures.ts'

/** The entries that consumers of the log could not handle and that are still open, by business. */
export type EntryFailures = {
  /** Newest first; an id is `<part>-<seq>`. */
  list(
    businessId: string,
    stage: string,
    before: FailureKey | undefined,
    limit: number,
  ): Promise<EntryFailure[]>
  /** Returns how many there are, at most `most`. */
  count(businessId: string, stage: string, most: number): Promise<number>
  /** Undefined if there is none with this id. */
  find(businessId: string, stage: string, id: string): Promise<EntryFailure | undefined>
  /** Their entries, by the ids of the failures; the log removes them after a time. */
  readEntries(failures: readonly EntryFailure[]): Promise<ReadonlyMap<string, LoggedEntry>>
  /** Takes one out of the list, or all. @returns how many were in it. */
  settle(transaction: Transaction, businessId: string, stage: string, id?: string): Promise<number>
}

export function createEntryFailures({
  database,
  store,
  changes,
  clock,
}: {
  readonly database: Database
  readonly store: Pick<LogStore, 'readAt'>
  readonly changes: Pick<Changes, 'publish'>
  readonly clock: Pick<Clock, 'nowUs'>
}): EntryFailures {
  return {
    list: (...asked) => readFailures(database, ...asked),
    count: (...asked) => countFailures(database, ...asked),
    find: (...asked) => readFailure(database, ...asked),
    async readEntries(those) {
      const entries = those.length === 0 ? [] : await store.readAt(those)
      return new Map(entries.map((entry) => [failureId(entry), entry]))
    },
    async settle(transaction, businessId, stage, id) {
      const settled = await settleFailures(transaction, businessId, stage, id, clock.nowUs())
      changes.publish(transaction, businessId, 'failures')
      return settled
    },
  }
}

export function failureId({ part, seq }: Pick<EntryFailure, 'part' | 'seq'>): string {
  return `${part}-${seq}`
}
