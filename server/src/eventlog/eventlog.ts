import type { Database, Statement, Transaction } from '../database/index.ts'
import { type Clock, type Logger, limits } from '../kernel/index.ts'
import type { Consumer, Entry, Position } from './entry.ts'
import { Follower } from './follow.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { byPart, partOf, positionsOf } from './part.ts'
import { Reader } from './reader.ts'
import { expire } from './retention.ts'
import { type PositionOf, Shard } from './shard.ts'
import {
  appendStatement,
  countPartsStatement,
  countStage,
  encodeEntry,
  type PartCounts,
  type StageCounts,
} from './store/append.ts'
import {
  type ConnectorEntriesQuery,
  type ConnectorEntry,
  hasConnectorEntriesAfter,
  readConnectorEntries,
  readConnectorHorizon,
} from './store/connector-entries.ts'
import { readHeads } from './store/consume.ts'
import type { Listener } from './watch.ts'

export type EventLogOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
  /** Statements that are committed with the entries; they may not fail for valid entries. */
  readonly effects: (entries: readonly Entry[]) => readonly Statement[]
}

export type RunningConsumer = {
  /** Resolves once everything that is in the log now was dealt with. */
  caughtUp(): Promise<void>
  stop(): Promise<void>
}

/** The entries in order. The commit point of the platform. */
export type EventLog = {
  /**
   * Keeps an entry; resolves after its COMMIT.
   * @throws Fault `overloaded` where too much waits already, `log_unavailable` where the database
   *   is away; in both cases nothing is promised, and trying again is right.
   */
  append(entry: Entry): Promise<Position>
  /** The same inside a transaction of the caller's, for a transition that must be said with it. */
  appendIn(transaction: Transaction, entries: readonly Entry[]): Promise<Position[]>
  partOf(connectorId: string, identity: string): number
  consume<Prepared>(consumer: Consumer<Prepared>): RunningConsumer
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
  readonly ledger: Ledger
  /** One connector's entries by time, for its activity log. */
  readonly connectorEntries: ConnectorEntries
  /** Calls `listener` after each commit of `append`, with the connectors that have new entries. */
  onAppended(listener: (connectorIds: ReadonlySet<string>) => void): void
  /** Removes entries that are old and that every consumer has passed. */
  removeOld(): Promise<void>
  /** Waits for what is under way and ends the consumers. The database stays open. */
  close(): Promise<void>
}

export type ConnectorEntries = {
  /** Newest first. */
  read(query: ConnectorEntriesQuery): Promise<ConnectorEntry[]>
  /** Returns the time down to which the newest `rows` entries reach; 0 if there are fewer. */
  horizon(connectorId: string, beforeUs: number, rows: number): Promise<number>
  hasAfter(connectorId: string, atUs: number): Promise<boolean>
}

export function createEventLog(options: EventLogOptions): EventLog {
  const { database, clock, logger, effects } = options
  const follower = new Follower({ database, logger })
  const readers = new Map<string, Walk[]>()
  const appendedListeners: ((connectorIds: ReadonlySet<string>) => void)[] = []

  function committed(entries: readonly Entry[], positionOf: PositionOf): void {
    const parts = new Set<number>()
    for (const entry of entries) {
      parts.add(partOf(entry.connectorId, entry.identity))
      follower.tell(entry, positionOf(entry))
    }
    const connectorIds = new Set(entries.map(({ connectorId }) => connectorId))
    for (const listener of appendedListeners) listener(connectorIds)
    for (const those of readers.values()) for (const part of parts) those[part]?.notify()
  }

  const shards = Array.from(
    { length: limits.logWriters },
    () => new Shard({ writer: database.writer(), clock, logger, effects, committed }),
  )
  const retention = { database, clock, consumers: () => [...readers.keys()] }

  function consume<Prepared>(consumer: Consumer<Prepared>): RunningConsumer {
    const those = openReaders(options, consumer)
    readers.set(consumer.name, those)
    return {
      caughtUp: () => catchUp(database, those),
      async stop() {
        await Promise.all(those.map((reader) => reader.stop()))
      },
    }
  }

  return {
    append(entry) {
      const shard = shards[partOf(entry.connectorId, entry.identity) % shards.length]
      return shard?.append(entry) ?? Promise.reject(new Error('no such partition'))
    },
    appendIn: (transaction, entries) => appendIn(options, transaction, entries),
    partOf,
    consume,
    watch: (...who) => follower.watch(...who),
    countStage: (transaction, stage, part, counts) =>
      countStage(transaction, stage, part, clock.nowUs(), counts),
    countStatement: (stage, counts) => countPartsStatement(stage, clock.nowUs(), counts),
    ledger: createLedger(database),
    connectorEntries: {
      read: (query) => readConnectorEntries(database, query),
      horizon: (...range) => readConnectorHorizon(database, ...range),
      hasAfter: (...range) => hasConnectorEntriesAfter(database, ...range),
    },
    onAppended: (listener) => void appendedListeners.push(listener),
    async removeOld() {
      await expire(retention)
    },
    async close() {
      await follower.stop()
      await Promise.all([...readers.values()].flat().map((reader) => reader.stop()))
      await Promise.all(shards.map((shard) => shard.close()))
    },
  }
}

/** One for each partition, in their order. */
function openReaders<Prepared>(
  { database, clock, logger }: EventLogOptions,
  consumer: Consumer<Prepared>,
): Reader<Prepared>[] {
  return Array.from(
    { length: limits.logPartitions },
    (_, part) => new Reader({ part, consumer, database, clock, logger }),
  )
}

/** The part of a reader that the log uses, whatever its consumer prepares. */
type Walk = Pick<Reader<unknown>, 'notify' | 'reached' | 'stop'>

async function appendIn(
  { clock, effects }: EventLogOptions,
  transaction: Transaction,
  entries: readonly Entry[],
): Promise<Position[]> {
  const parts = byPart(entries.map(encodeEntry))
  const rows: { base: number }[][] = []
  for (const [part, those] of parts) {
    const { text, values } = appendStatement(part, those, clock.nowUs())
    rows.push(await transaction.rows<{ base: number }>(text, values))
  }
  for (const { text, values } of effects(entries)) await transaction.run(text, values)
  return entries.map(positionsOf(parts, rows))
}

async function catchUp(database: Database, readers: readonly Walk[]): Promise<void> {
  const heads = await readHeads(database)
  await Promise.all(
    readers.map((reader, part) => {
      reader.notify()
      return reader.reached(heads.get(part) ?? 0)
    }),
  )
}
