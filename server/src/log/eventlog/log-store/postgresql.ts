import {
  connectionLost,
  type Database,
  lostRace,
  type Statement,
  type Transaction,
  type Writer,
} from '../../../foundation/database/index.ts'
import { type Clock, Fault, limits } from '../../../foundation/kernel/index.ts'
import { assignPositions, byPart, type EncodedEntry } from '../encoded-entry.ts'
import type { Entry, Position } from '../entry.ts'
import { blankBusiness } from '../store/business.ts'
import { appendStatement, type BaseRow, toBases } from '../store/log/append.ts'
import {
  hasConnectorEntriesAfter,
  readConnectorEntries,
  readConnectorHorizon,
} from '../store/log/connector-entries.ts'
import { readPartitions, trim } from '../store/log/partitions.ts'
import {
  countRanges,
  findSets,
  readEntries,
  readEntriesAt,
  readHeads,
  readPartitionCount,
} from '../store/log/read.ts'
import type { LogStore } from './log-store.ts'

/** Transactions that append to the log at once; each serves some of the partitions. */
const logWriters = 2

export type PostgresqlLogOptions = {
  readonly database: Database
  readonly clock: Clock
  /** The number that the database has recorded. */
  readonly partitionCount: number
  /** Statements that are committed with the entries; they may not fail for valid entries. */
  readonly effects: (entries: readonly Entry[]) => readonly Statement[]
}

/**
 * Creates the store in the platform's own database, which several processes may share: an append is
 * a transaction, in which the state that the entries change is written too.
 */
export function createPostgresqlLog(options: PostgresqlLogOptions): LogStore {
  const { database, partitionCount } = options
  const writers = Array.from({ length: logWriters }, () => database.writer())
  return {
    partitionCount,
    writers: writers.map((writer) => ({ append: (batch) => append(options, writer, batch) })),
    appendIn: (transaction, entries) => appendIn(options, transaction, entries),
    read: (...range) => readEntries(database, ...range),
    readAt: (positions) => readEntriesAt(database, positions),
    heads: () => readHeads(database),
    findSets: (...range) => findSets(database, ...range),
    countRanges: (...those) => countRanges(database, ...those),
    connectorEntries: {
      read: (query) => readConnectorEntries(database, query),
      horizon: (...range) => readConnectorHorizon(database, ...range),
      hasAfter: (...range) => hasConnectorEntriesAfter(database, ...range),
    },
    trim: (...range) => trim(database, ...range),
    blank: (...which) => blankBusiness(database, ...which),
    partitions: readPartitions,
    async close() {
      await Promise.all(writers.map((writer) => writer.close()))
    },
  }
}

/** Creates the store with the number of partitions that the database has. */
export async function openPostgresqlLog(
  options: Omit<PostgresqlLogOptions, 'partitionCount'>,
): Promise<LogStore> {
  const partitionCount = await readPartitionCount(options.database)
  return createPostgresqlLog({ ...options, partitionCount })
}

async function append(
  { clock, effects }: PostgresqlLogOptions,
  writer: Writer,
  batch: readonly EncodedEntry[],
): Promise<Position[]> {
  const parts = byPart(batch)
  const nowUs = clock.nowUs()
  const statements = [appendStatement(parts, nowUs), ...effects(batch.map(({ entry }) => entry))]
  const [bases = []] = await commit(writer, statements)
  return assignPositions(batch, toBases(bases))
}

/** Tries again if another transaction was faster. */
async function commit(writer: Writer, statements: readonly Statement[]) {
  for (let tried = 1; ; tried += 1) {
    try {
      return await writer.commit(statements)
    } catch (error) {
      if (connectionLost(error)) throw unavailable(error)
      if (!lostRace(error)) throw error
      if (tried >= limits.transactionTriesMax) throw unavailable(error)
    }
  }
}

function unavailable(cause: unknown): Fault {
  return new Fault('log_unavailable', undefined, { cause, retryAfterS: limits.retryAfterS })
}

async function appendIn(
  { clock, effects }: PostgresqlLogOptions,
  transaction: Transaction,
  entries: readonly EncodedEntry[],
): Promise<Position[]> {
  const parts = byPart(entries)
  const append = appendStatement(parts, clock.nowUs())
  const bases = await transaction.rows<BaseRow>(append.text, append.values)
  for (const { text, values } of effects(entries.map(({ entry }) => entry))) {
    await transaction.run(text, values)
  }
  return assignPositions(entries, toBases(bases))
}
