import { int8Array, type Statement, type Transaction } from '../../../foundation/database/index.ts'

const usPerHour = 3_600_000_000

/** Returns the hour of a time in microseconds, in hours since 1970. */
export function toHour(atUs: number): number {
  return Math.floor(atUs / usPerHour)
}

const countStageText = `
  insert into eventlog_ledger (stage, part, hour, taken, done, failed, settled)
  values ($1, $2::smallint, $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::bigint)
  on conflict (stage, part, hour) do update set
    taken = eventlog_ledger.taken + excluded.taken,
    done = eventlog_ledger.done + excluded.done,
    failed = eventlog_ledger.failed + excluded.failed,
    settled = eventlog_ledger.settled + excluded.settled`

export type StageCounts = {
  readonly taken: number
  readonly done: number
  readonly failed: number
  /** The entries that ended and have no row any more, at stages that keep rows; left out: none. */
  readonly settled?: number | undefined
}

/** Returns the statement that counts in one partition. */
export function countStageStatement(
  stage: string,
  part: number,
  nowUs: number,
  { taken, done, failed, settled = 0 }: StageCounts,
): Statement {
  const values = [stage, part, toHour(nowUs), taken, done, failed, settled]
  return { text: countStageText, values }
}

export async function countStage(
  transaction: Transaction,
  ...counted: Parameters<typeof countStageStatement>
): Promise<void> {
  await transaction.together([countStageStatement(...counted)])
}

/** Counts of a stage in one partition. */
export type PartCounts = StageCounts & { readonly part: number }

const countPartsText = `
  insert into eventlog_ledger (stage, part, hour, taken, done, failed, settled)
  select $1, p::smallint, $2::bigint, t, d, f, s
  from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
    as counted (p, t, d, f, s)
  order by p
  on conflict (stage, part, hour) do update set
    taken = eventlog_ledger.taken + excluded.taken,
    done = eventlog_ledger.done + excluded.done,
    failed = eventlog_ledger.failed + excluded.failed,
    settled = eventlog_ledger.settled + excluded.settled`

/** Returns the statement that counts in several partitions, in their order as every writer does. */
export function countPartsStatement(
  stage: string,
  nowUs: number,
  counts: readonly PartCounts[],
): Statement {
  return {
    text: countPartsText,
    values: [
      stage,
      toHour(nowUs),
      int8Array(counts.map(({ part }) => part)),
      int8Array(counts.map(({ taken }) => taken)),
      int8Array(counts.map(({ done }) => done)),
      int8Array(counts.map(({ failed }) => failed)),
      int8Array(counts.map(({ settled = 0 }) => settled)),
    ],
  }
}
