import type { Database, Transaction } from '../database/index.ts'
import type { Clock } from '../kernel/index.ts'
import type { EntryFailure, EntryFailureKey, LoggedEntry } from './entry.ts'
import type { LogStore } from './log-store/log-store.ts'
import { readFailure, readFailures, settleFailures } from './store/failures.ts'

/** What the consumers of the log could not deal with and nobody has settled, by business. */
export type EntryFailures = {
  /** Newest first. */
  list(
    businessId: string,
    stage: string,
    before: EntryFailureKey | undefined,
    limit: number,
  ): Promise<EntryFailure[]>
  /** Undefined if there is none with this id. */
  find(businessId: string, stage: string, id: string): Promise<EntryFailure | undefined>
  /** The entry itself; undefined once the log has removed it. */
  entryOf(failure: EntryFailure): Promise<LoggedEntry | undefined>
  /** Takes one out of the list, or all. @returns how many were in it. */
  settle(transaction: Transaction, businessId: string, stage: string, id?: string): Promise<number>
}

export function createEntryFailures({
  database,
  store,
  clock,
}: {
  readonly database: Database
  readonly store: Pick<LogStore, 'read'>
  readonly clock: Pick<Clock, 'nowUs'>
}): EntryFailures {
  return {
    list: (...asked) => readFailures(database, ...asked),
    find: (...asked) => readFailure(database, ...asked),
    async entryOf({ part, seq }) {
      const [entry] = await store.read(part, seq - 1, 1)
      return entry?.seq === seq ? entry : undefined
    },
    settle: (transaction, businessId, stage, id) =>
      settleFailures(transaction, businessId, stage, id, clock.nowUs()),
  }
}

export function failureIdOf({ part, seq }: Pick<EntryFailure, 'part' | 'seq'>): string {
  return `${part}-${seq}`
}
