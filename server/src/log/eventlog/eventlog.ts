import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Statement, Transaction } from '../../foundation/database/index.ts'
import { limits } from '../../foundation/kernel/index.ts'
import { Consumers, type EventLogOptions, type RunningConsumer } from './consumers.ts'
import { encodeEntry, partitionFor } from './encoded-entry.ts'
import type { Consumer, Entry, LoggedEntry, Position } from './entry.ts'
import { createEntryFailures, type EntryFailures } from './entry-failures.ts'
import { Follower } from './follow.ts'
import { createLedger, type Ledger } from './ledger.ts'
import type { ConnectorEntries, LogStore } from './log-store/log-store.ts'
import { Publisher } from './publisher.ts'
import { RecentEntries } from './recent-entries.ts'
import { expire } from './retention.ts'
import { Shard } from './shard.ts'
import { blankFailed } from './store/business.ts'
import {
  countPartsStatement,
  countStage,
  type PartCounts,
  type StageCounts,
} from './store/counts.ts'
import { readLowestPosition } from './store/cursors.ts'
import type { Listener } from './watch.ts'

/** The entries in order. The commit point of the platform. */
export type EventLog = {
  /**
   * Keeps an entry; resolves once it is durable. Inside a joined transaction it is durable with
   * all of that.
   * @throws Fault `overloaded` where too much waits already, `log_unavailable` where the store
   *   is away; in both cases nothing is promised, and trying again is right.
   */
  append(entry: Entry): Promise<Position>
  /** The same inside a transaction of the caller's, for a transition that must be said with it. */
  appendIn(transaction: Transaction, entries: readonly Entry[]): Promise<Position[]>
  partitionFor(connectorId: string, identity: string): number
  consume<Prepared>(consumer: Consumer<Prepared>): RunningConsumer
  /** Returns the epoch of this process's lease on a partition; undefined if it has none. */
  epochFor(part: number): number | undefined
  /** Returns at most `count` entries of a partition directly after a number, in order. */
  read(part: number, after: number, count: number): Promise<readonly LoggedEntry[]>
  /** Returns whether a consumer has stored its place at a position or behind it. */
  hasPassed(consumer: string, position: Position): Promise<boolean>
  /**
   * Keeps the entries of a partition above the number that `lowest` returns, beside those that
   * consumers still need; undefined: it needs none.
   */
  keepFrom(lowest: (part: number) => Promise<number | undefined>): void
  /**
   * Calls `listener` with each entry that `append` commits about the device in this process, and
   * without one when another process has set something of it, until the returned function is
   * called.
   */
  watch(connectorId: string, identity: string, listener: Listener): () => void
  /** Counts the work of a stage that is not a consumer of the log. */
  countStage(
    transaction: Transaction,
    stage: string,
    part: number,
    counts: StageCounts,
  ): Promise<void>
  /** Returns the statement that counts the work of such a stage, each part once. */
  countStatement(stage: string, counts: readonly PartCounts[]): Statement
  /**
   * Blanks the entries of a business that is deleted, once every consumer has passed those that are
   * in the log now; what they could not deal with, too. The ledger counts all of them as before.
   * Yields the number of entries of each step; it yields 0 while it waits.
   */
  removeBusiness(businessId: string): AsyncGenerator<number>
  readonly ledger: Ledger
  readonly failures: EntryFailures
  /** Counts the entries of a business in ranges of partitions. */
  readonly countRanges: LogStore['countRanges']
  /** The entries of a connector by time, for its activity log. */
  readonly connectorEntries: ConnectorEntries
  /** Calls `listener` after a commit with entries, with the connectors that have them. */
  onAppended(listener: (connectorIds: ReadonlySet<string>) => void): void
  /** Removes entries that all consumers passed and that are old, by the limits or these hours. */
  removeOld(hours?: number): Promise<void>
  /** Waits for what is under way and ends the consumers. The database stays open. */
  close(): Promise<void>
}

export function createEventLog(options: EventLogOptions): EventLog {
  const { database, store, clock, logger } = options
  const partitions = store.partitionCount
  const partition = (...[connectorId, identity]: Parameters<EventLog['partitionFor']>) =>
    partitionFor(connectorId, identity, partitions)
  const follower = new Follower({ store, hints: database.hints, logger })
  const recent = new RecentEntries({ passed: (part) => consumers.passed(part) })
  const consumers: Consumers = new Consumers(options, recent)
  const { readers } = consumers
  const isRead = (part: number) => consumers.isRead(part)
  const publisher = new Publisher({ recent, follower, readers, isRead, hints: database.hints })
  let stopListening: (() => void) | undefined
  const committed: Publisher['appended'] = (...those) => publisher.appended(...those)
  const shards = store.writers.map((writer) => new Shard({ writer, partitions, logger, committed }))
  const lowestPositions: ((part: number) => Promise<number | undefined>)[] = []
  const names = () => [...readers.keys()]
  const retention = { database, store, clock, consumers: names, lowestPositions }

  function consume<Prepared>(consumer: Consumer<Prepared>): RunningConsumer {
    stopListening ??= database.hints.listen('entries', (parts) => publisher.appendedByOthers(parts))
    return consumers.consume(consumer)
  }

  return {
    append(entry) {
      if (database.isJoined()) return appendJoined(options, publisher, entry)
      const shard = shards[partition(entry.connectorId, entry.identity) % shards.length]
      return shard?.append(entry) ?? Promise.reject(new Error('no such partition'))
    },
    async appendIn(transaction, entries) {
      const encoded = entries.map((entry) => encodeEntry(entry, partitions))
      const positions = await store.appendIn(transaction, encoded)
      transaction.afterCommit(() => publisher.shown(encoded, positions))
      return positions
    },
    partitionFor: partition,
    consume,
    epochFor: (part) => consumers.epochFor(part),
    read: (...where) => readAfter(recent, store, where),
    async hasPassed(consumer, { part, seq }) {
      const own = readers.get(consumer)?.[part]?.stored ?? 0
      return own >= seq || (await readLowestPosition(database, part, [consumer])) >= seq
    },
    keepFrom: (lowest) => void lowestPositions.push(lowest),
    watch: (...who) => follower.watch(...who),
    countStage: (transaction, stage, part, counts) =>
      countStage(transaction, stage, part, clock.nowUs(), counts),
    countStatement: (stage, counts) => countPartsStatement(stage, clock.nowUs(), counts),
    removeBusiness: (businessId) => removeBusiness(retention, businessId),
    ledger: createLedger(database, store),
    failures: createEntryFailures(options),
    countRanges: store.countRanges,
    connectorEntries: store.connectorEntries,
    onAppended: (listener) => publisher.onAppended(listener),
    async removeOld(hours = limits.logRetentionHours) {
      await expire(retention, hours)
    },
    async close() {
      stopListening?.()
      await follower.stop()
      await consumers.stop()
      await Promise.all(shards.map((shard) => shard.close()))
      await store.close()
      await consumers.close()
    },
  }
}

/** A batch has a connection of its own, so what is to be undone with others is no part of one. */
async function appendJoined(
  { database, store }: EventLogOptions,
  publisher: Publisher,
  entry: Entry,
): Promise<Position> {
  const entries = [encodeEntry(entry, store.partitionCount)]
  const positions = await database.transaction((held) => store.appendIn(held, entries))
  database.afterCommit(() => publisher.committed(entries, positions))
  const [position] = positions
  if (position === undefined) throw new Error('the log gave an entry no position')
  return position
}

async function readAfter(
  recent: Pick<RecentEntries, 'after'>,
  store: Pick<LogStore, 'read'>,
  where: Parameters<EventLog['read']>,
): Promise<readonly LoggedEntry[]> {
  const entries = recent.after(...where)
  return entries.length > 0 ? entries : store.read(...where)
}

type BusinessRemoval = {
  readonly database: Database
  readonly store: Pick<LogStore, 'heads' | 'blank'>
  readonly consumers: () => readonly string[]
}

async function* removeBusiness(
  { database, store, consumers }: BusinessRemoval,
  businessId: string,
): AsyncGenerator<number> {
  const heads = await store.heads()
  for (const [part, head] of heads) {
    const names = consumers()
    while (names.length > 0 && (await readLowestPosition(database, part, names)) < head) {
      yield 0
      await pause(limits.tailPollMs)
    }
  }
  yield await blankFailed(database, businessId)
  yield* store.blank(businessId, heads)
}
