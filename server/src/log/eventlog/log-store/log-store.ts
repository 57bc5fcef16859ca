import type { Transaction } from '../../../foundation/database/index.ts'
import type { EncodedEntry } from '../encoded-entry.ts'
import type { EntryKind, LoggedEntry, Position } from '../entry.ts'

/**
 * Keeps the entries of the log, and nothing else: the cursors, failures and counts of consumers are
 * in the database, whatever the store. The numbers of a partition begin at 1 and have no gaps, and
 * no entry appears at or below a number that was read.
 */
export type LogStore = {
  /** The number of partitions: 0 to one less. It never changes. */
  readonly partitionCount: number
  /**
   * Each appends one batch at a time, so that the entries of a device keep their order. The entries
   * of partition p go through the writer at p modulo the number of writers.
   */
  readonly writers: readonly LogWriter[]
  /** Appends entries with what the caller's transaction writes, or not at all. */
  appendIn(transaction: Transaction, entries: readonly EncodedEntry[]): Promise<Position[]>
  /** Reads at most `count` entries of a partition that have numbers above `after`, in order. */
  read(part: number, after: number, count: number): Promise<LoggedEntry[]>
  /** Reads the entries with these numbers; those that were removed are missing. */
  readAt(positions: readonly Position[]): Promise<LoggedEntry[]>
  /** Returns the last number that was given in each partition; 0 if none was. */
  heads(): Promise<Map<number, number>>
  /** Finds entries of kind `set` above these numbers, in order, at most `count` a partition. */
  findSets(after: ReadonlyMap<number, number>, count: number): Promise<SetEntry[]>
  /**
   * Counts entries of a business in these ranges, each of which has a key; of one range those in
   * its first `logRangeCountedMax` numbers.
   */
  countRanges(businessId: string, ranges: readonly EntryRange[]): Promise<CountedRange[]>
  readonly connectorEntries: ConnectorEntries
  /**
   * Removes old entries from the beginning of a partition, at most `count` of them: those before
   * the first one that is to stay. An entry that a clock which ran ahead has stamped goes with the
   * next old one; one that a clock which was behind has stamped takes none with it that is younger.
   * @returns how many were removed.
   */
  trim(part: number, range: TrimRange): Promise<number>
  /**
   * Blanks the entries of a business up to these numbers of partitions, some in each step: they
   * keep their numbers, times and kinds. Yields the number of entries of each step.
   */
  blank(businessId: string, upTo: ReadonlyMap<number, number>): AsyncGenerator<number>
  /**
   * Returns what the ledger compares, of every partition in order.
   * @param snapshot the transaction in which the ledger reads; a store in the same database reads
   *   in it, any other one after it has begun.
   */
  partitions(snapshot: Transaction): Promise<PartitionState[]>
  /** To be called when nothing is appended or read any more. */
  close(): Promise<void>
}

export type LogWriter = {
  /**
   * Appends a batch; resolves once all of it is durable, with the positions in its order.
   * @throws Fault `log_unavailable` if the entries are not at fault: nothing is promised, and
   *   trying again is right. After any other error nothing was stored, and a part of the batch
   *   may succeed.
   */
  append(batch: readonly EncodedEntry[]): Promise<Position[]>
}

/** The entries of a partition with numbers above `after`, up to `until`. */
export type EntryRange = {
  readonly key: string
  readonly part: number
  readonly after: number
  readonly until: number
}

/** The counts of all ranges of a key together; absent if they have no such entry. */
export type CountedRange = {
  readonly key: string
  readonly count: number
  /** The time of the oldest one. */
  readonly oldestAt: number
}

/** The position of an entry that set values, and its device. */
export type SetEntry = Position & { readonly connectorId: string; readonly identity: string }

export type TrimRange = {
  /** The last number that may go. */
  readonly upTo: number
  /** Entries that are stamped at this time or later stay. Microseconds, as all times here. */
  readonly beforeUs: number
  /** A stamp after this one is of a clock that ran ahead. */
  readonly presentUntilUs: number
  readonly count: number
}

export type PartitionState = {
  readonly part: number
  /** The last number that was given. */
  readonly head: number
  /** The number of entries that are there. */
  readonly rows: number
  /** The number of the oldest one; null if there is none. */
  readonly lowest: number | null
  /** The last number that `trim` removed. */
  readonly expired: number
}

/** The entries of a connector by time, for its activity log. */
export type ConnectorEntries = {
  /**
   * Newest first. The range is to be one of which it is known that it holds few entries: all of it
   * may be read.
   */
  read(query: ConnectorEntriesQuery): Promise<ConnectorEntry[]>
  /** Returns the time down to which the newest `rows` entries reach; 0 if there are fewer. */
  horizon(connectorId: string, beforeUs: number, rows: number): Promise<number>
  /** Returns whether the connector has entries at a time or later. */
  hasAfter(connectorId: string, atUs: number): Promise<boolean>
}

/** The position of an entry in the order of one connector's entries, which is by time. */
export type EntryKey = Position & { readonly at: number }

/** Entries of one connector, between two keys (neither included), newest first. */
export type ConnectorEntriesQuery = {
  readonly businessId: string
  readonly connectorId: string
  readonly newerThan: EntryKey
  readonly olderThan: EntryKey
  readonly kinds: readonly EntryKind[]
  readonly identity: string | undefined
  /** Part of the body's JSON, in lower case. */
  readonly text: string | undefined
  /** The size up to which bodies are read. */
  readonly bodyBytesMax: number
  readonly limit: number
}

export type ConnectorEntry = EntryKey & {
  readonly identity: string
  readonly kind: EntryKind
  readonly bytes: number
  /** Null if it is longer than `bodyBytesMax`; only then `ip` and `protocol` are given. */
  readonly body: string | null
  readonly ip: string | null
  readonly protocol: string | null
}
