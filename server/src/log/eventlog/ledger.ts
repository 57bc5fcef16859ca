import type { Database, Queryable } from '../../foundation/database/index.ts'
import {
  component,
  limits,
  Microseconds,
  type StaticResult,
  Type,
} from '../../foundation/kernel/index.ts'
import type { LogStore, PartitionState } from './log-store/log-store.ts'
import {
  type CursorRow,
  type LedgerRow,
  readCursors,
  readHours,
  readLedger,
  readOneSnapshot,
} from './store/ledger.ts'

/**
 * The sums of a stage. `pending` is what was taken, or is in the log, and is not yet dealt with.
 */
export type StageSums = {
  readonly stage: string
  readonly taken: number
  readonly done: number
  readonly failed: number
  readonly pending: number
}

export const hourCountsSchema = component(
  'LedgerHour',
  {
    hour: Microseconds('The beginning of the hour (UTC), in microseconds since 1970.'),
    stage: Type.String({ description: 'Such as `log` or `deliveries`.' }),
    taken: Type.Integer({ description: 'Messages that the stage took.', wire: 'in' }),
    done: Type.Integer({ description: 'Messages that it dealt with.', wire: 'out' }),
    failed: Type.Integer({ description: 'Messages that it could not deal with.' }),
  },
  { description: 'The counts of one stage in one hour, of all businesses.' },
)
export type HourCounts = StaticResult<typeof hourCountsSchema>

export type Verdict = {
  readonly stages: readonly StageSums[]
  /** Sentences for the operator; none means that everything adds up. */
  readonly faults: readonly string[]
}

/** A stage that is no reader of the log and that may have something waiting. */
export type WaitingStage = {
  readonly stage: string
  /** Counts the pending entries, by the partition in which they are counted. */
  pending(queryable: Queryable): Promise<ReadonlyMap<number, number>>
  /** Its rows of what ended; left out: it keeps none. */
  readonly kept?: KeptRows | undefined
}

/** Rows of what ended, each there until it is counted as settled. */
export type KeptRows = {
  /** The kept rows: all, or those of failures alone. */
  readonly of: 'all' | 'failed'
  /** Counts them, by the partition in which they are counted. */
  count(queryable: Queryable): Promise<ReadonlyMap<number, number>>
}

export type Ledger = {
  /** Lets the proof ask what waits at a stage; without it all that it took must have ended. */
  addStage(stage: WaitingStage): void
  /** Counts per stage and hour, newest hours first. */
  hours(limit?: number): Promise<HourCounts[]>
  /** Proves in one snapshot that in = out + failed + pending at every stage of every partition. */
  verify(): Promise<Verdict>
}

const usPerHour = 3_600_000_000
const logStage = 'log'

export function createLedger(database: Database, store: Pick<LogStore, 'partitions'>): Ledger {
  const waiting: WaitingStage[] = []
  return {
    addStage: (stage) => void waiting.push(stage),
    async hours(limit = limits.pageMax) {
      const rows = await readHours(database, Math.min(limit, limits.ledgerHoursMax))
      return rows.map(({ hour, ...counts }) => ({ ...counts, hour: hour * usPerHour }))
    },
    verify() {
      return database.transaction(async (transaction) => {
        await readOneSnapshot(transaction)
        const ledger = await readLedger(transaction)
        const parts = await store.partitions(transaction)
        const cursors = await readCursors(transaction)
        const counted = withEmpty(ledger, waiting, parts)
        const pending: ByPart = new Map()
        const kept: ByPart = new Map()
        for (const one of waiting) {
          pending.set(one.stage, await one.pending(transaction))
          if (one.kept !== undefined) kept.set(one.stage, await one.kept.count(transaction))
        }
        return {
          stages: sumStages(counted, parts, cursors, pending),
          faults: [
            ...parts.flatMap((part) => checkLog(part, ledger)),
            ...cursors.flatMap((cursor) => checkConsumer(cursor, parts, ledger)),
            ...counted.flatMap((row) => checkOther(row, cursors, pending)),
            ...waiting.flatMap((one) => checkKept(one, counted, kept.get(one.stage))),
          ],
        }
      })
    },
  }
}

/** Counts of stages, by partition. */
type ByPart = Map<string, ReadonlyMap<number, number>>

/** Something may wait at a stage, or in a partition of it, of which nothing was ever counted. */
function withEmpty(
  ledger: readonly LedgerRow[],
  waiting: readonly WaitingStage[],
  parts: readonly PartitionState[],
): LedgerRow[] {
  const counted = new Set(ledger.map(({ stage, part }) => `${part} ${stage}`))
  const empty = waiting.flatMap(({ stage }) =>
    parts
      .filter(({ part }) => !counted.has(`${part} ${stage}`))
      .map(({ part }) => ({ stage, part, taken: 0, done: 0, failed: 0, settled: 0 })),
  )
  return [...ledger, ...empty]
}

function sumStages(
  ledger: readonly LedgerRow[],
  parts: readonly PartitionState[],
  cursors: readonly CursorRow[],
  pending: ByPart,
): StageSums[] {
  const stages = new Set(
    [...ledger, ...cursors.map((c) => ({ stage: c.consumer }))].map((r) => r.stage),
  )
  const head = sum(parts.map((part) => part.head))
  return [...stages].sort().map((stage) => {
    const rows = ledger.filter((row) => row.stage === stage)
    const places = cursors.filter((cursor) => cursor.consumer === stage)
    const consumes = places.length > 0
    const dealtWith = sum(places.map((cursor) => cursor.position))
    return {
      stage,
      taken: consumes ? head : sum(rows.map((row) => row.taken)),
      done: sum(rows.map((row) => row.done)),
      failed: sum(rows.map((row) => row.failed)),
      pending: consumes ? head - dealtWith : sum([...(pending.get(stage)?.values() ?? [])]),
    }
  })
}

function checkLog(part: PartitionState, ledger: readonly LedgerRow[]): string[] {
  const counted = findRow(ledger, logStage, part.part)
  const faults: string[] = []
  if (counted.taken !== part.head || counted.done !== part.head) {
    faults.push(
      `log, partition ${part.part}: ${part.head} numbers given, ${counted.taken} entries counted`,
    )
  }
  if (part.rows + part.expired !== part.head) {
    faults.push(
      `log, partition ${part.part}: ${part.head} numbers given, ` +
        `${part.rows} entries there and ${part.expired} expired`,
    )
  }
  if (part.lowest !== null && part.lowest !== part.expired + 1) {
    faults.push(
      `log, partition ${part.part}: the oldest entry is ${part.lowest}, ` +
        `it should be ${part.expired + 1}`,
    )
  }
  return faults
}

function checkConsumer(
  cursor: CursorRow,
  parts: readonly PartitionState[],
  ledger: readonly LedgerRow[],
): string[] {
  const counted = findRow(ledger, cursor.consumer, cursor.part)
  const head = parts.find((part) => part.part === cursor.part)?.head ?? 0
  const place = `${cursor.consumer}, partition ${cursor.part}`
  const faults: string[] = []
  if (cursor.position > head) {
    faults.push(`${place}: stands at ${cursor.position}, but the log ends at ${head}`)
  }
  if (counted.done + counted.failed !== cursor.position) {
    faults.push(
      `${place}: stands at ${cursor.position}, ` +
        `but ${counted.done} done and ${counted.failed} failed are counted`,
    )
  }
  if (counted.failed !== cursor.failures) {
    faults.push(`${place}: ${counted.failed} failed are counted, ${cursor.failures} are set down`)
  }
  return faults
}

/** A stage that is no reader of the log counts for itself: what it took, it did, failed or has. */
function checkOther(row: LedgerRow, cursors: readonly CursorRow[], pending: ByPart): string[] {
  if (row.stage === logStage || cursors.some((cursor) => cursor.consumer === row.stage)) return []
  const waiting = pending.get(row.stage)?.get(row.part) ?? 0
  if (row.taken === row.done + row.failed + waiting) return []
  return [
    `${row.stage}, partition ${row.part}: ${row.taken} taken, ` +
      `but ${row.done} done, ${row.failed} failed and ${waiting} waiting`,
  ]
}

/** Entries that ended have a row, or were settled. */
function checkKept(
  { stage, kept }: WaitingStage,
  ledger: readonly LedgerRow[],
  rows: ReadonlyMap<number, number> | undefined,
): string[] {
  if (kept === undefined || rows === undefined) return []
  return ledger.flatMap((row) => {
    const ended = kept.of === 'all' ? row.done + row.failed : row.failed
    const there = rows.get(row.part) ?? 0
    if (row.stage !== stage || ended === there + row.settled) return []
    const what = kept.of === 'all' ? 'ended' : 'failed'
    return [
      `${stage}, partition ${row.part}: ${ended} ${what} are counted, ` +
        `but ${there} are there and ${row.settled} settled`,
    ]
  })
}

function findRow(ledger: readonly LedgerRow[], stage: string, part: number) {
  const row = ledger.find((one) => one.stage === stage && one.part === part)
  return row ?? { taken: 0, done: 0, failed: 0 }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
