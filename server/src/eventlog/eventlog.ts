import type { Database, Statement, Transaction } from '../database/index.ts'
import { type Clock, type Logger, limits } from '../kernel/index.ts'
import type { Consumer, Entry, Position } from './entry.ts'
import { Follower } from './follow.ts'
import { createLedger, type Ledger } from './ledger.ts'
import type { LineKey, Note } from './line.ts'
import { type LineFilter, type LinePage, type LinesAsked, readPage } from './lines.ts'
import { createNotes } from './notes.ts'
import { byPart, partOf, positionsOf } from './part.ts'
import { Reader } from './reader.ts'
import { createRejections, type Rejection } from './rejections.ts'
import { expire, expireNotes } from './retention.ts'
import { type PositionOf, Shard } from './shard.ts'
import {
  appendStatement,
  countPartsStatement,
  countStage,
  encodeEntry,
  type PartCounts,
  type StageCounts,
} from './store/append.ts'
import { readHeads } from './store/consume.ts'
import { createTails, type Tail } from './tail.ts'
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

/** What was said, in order. The commit point of the platform. */
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
  /**
   * Adds a line to a connector's log about what is no entry: a refusal, a read. It returns at once
   * and never fails; the line is written within `limits.noteFlushMs`, repetitions as one line.
   */
  note(note: Note): void
  /**
   * Counts a message that was refused for its content, and is to be acknowledged, as failed in a
   * stage of the ledger, and notes its line.
   * @throws what the database throws, and Fault `overloaded`; then it is not to be acknowledged.
   */
  reject(rejection: Rejection): Promise<void>
  /** A connector's log, newest first: its entries and what was noted, in one order. */
  lines(businessId: string, connectorId: string, asked?: LinesAsked): Promise<LinePage>
  /** Calls the listener with new lines of a connector's log; the returned function ends it. */
  tail(
    businessId: string,
    connectorId: string,
    listener: Tail['listener'],
    options?: { readonly filter?: LineFilter; readonly after?: LineKey | undefined },
  ): () => void
  /** Writes what was noted so far. */
  flushNotes(): Promise<void>
  /** Removes entries that are old and that every consumer has passed, and old notes. */
  removeOld(): Promise<void>
  /** Waits for what is under way and ends the consumers. The database stays open. */
  close(): Promise<void>
}

export function createEventLog(options: EventLogOptions): EventLog {
  const { database, clock, logger, effects } = options
  const follower = new Follower({ database, logger })
  const readers = new Map<string, Walk[]>()
  const tails = createTails({ database, clock, logger })
  const notes = createNotes({
    ...{ database, clock, logger },
    written: (connectorIds) => connectorIds.forEach(tails.tell),
  })

  function committed(entries: readonly Entry[], positionOf: PositionOf): void {
    const parts = new Set<number>()
    for (const entry of entries) {
      parts.add(partOf(entry.connectorId, entry.identity))
      follower.tell(entry, positionOf(entry))
      tails.tell(entry.connectorId)
    }
    for (const those of readers.values()) for (const part of parts) those[part]?.wake()
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
    note: notes.note,
    reject: createRejections({ database, clock, note: notes.note }),
    flushNotes: notes.flush,
    lines: (businessId, connectorId, asked = {}) =>
      readPage(database, businessId, connectorId, asked, clock.nowUs()),
    tail: (businessId, connectorId, listener, { filter = {}, after } = {}) =>
      tails.follow({ businessId, connectorId, filter, after, listener }),
    async removeOld() {
      await Promise.all([expire(retention), expireNotes(retention)])
    },
    async close() {
      await Promise.all([follower.stop(), tails.close()])
      await notes.close()
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

/** What the log needs of a reader, whatever its consumer prepares. */
type Walk = Pick<Reader<unknown>, 'wake' | 'reached' | 'stop'>

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
      reader.wake()
      return reader.reached(heads.get(part) ?? 0)
    }),
  )
}
