import {
  int8Array,
  type Queryable,
  type Statement,
  textArray,
} from '../../../foundation/database/index.ts'

/** Newer runs of an asset among which those of a traced value are looked for. */
const traceRunsMax = 1_000

/** The times that the functions of a batch took, of one business. */
export type BatchTimes = {
  readonly businessId: string
  readonly part: number
  readonly lastSeq: number
  readonly endedAt: number
  /** Ids of links, to which the runs point by their places. */
  readonly links: string[]
  /** By entry: its number, and in turn the place of a link and its microseconds. */
  readonly runs: number[][]
}

/** The effect of an action in another module. */
export type ActionEffect =
  | { readonly kind: 'notification'; readonly solutionId: string; readonly sid: string }
  | { readonly kind: 'script_call'; readonly solutionId: string }

/** A call of a module or an action, as a run made it. */
export type MadeCall = {
  readonly trackingId: string
  /** The number of times that the job made it, this time included. */
  readonly tries: number
  /** Number of requests of this time; 0 if it was not sent. */
  readonly requests: number
  /** The HTTP status of the answer; null without one. */
  readonly status: number | null
  /** Why it failed; null if it did not. */
  readonly reason: string | null
  readonly effects: readonly ActionEffect[]
}

export type RecordedFunction = {
  readonly link: string
  /** Microseconds that it took. */
  readonly us: number
  readonly call?: MadeCall
}

/** An attempt of a job. */
export type RecordedRun = {
  readonly businessId: string
  readonly assetId: string
  /** The stamps of its values, each once, in their order. */
  readonly stamps: readonly number[]
  /** Microseconds. */
  readonly endedAt: number
  readonly functions: readonly RecordedFunction[]
}

export function batchesStatement(batches: readonly BatchTimes[]): Statement {
  const text = `
    insert into pipelines_batch (business_id, part, last_seq, ended_at, took)
    select business_id, part::smallint, last_seq, ended_at, took
    from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[])
      as given (business_id, part, last_seq, ended_at, took)
    on conflict do nothing`
  const values = [
    textArray(batches.map(({ businessId }) => businessId)),
    int8Array(batches.map(({ part }) => part)),
    int8Array(batches.map(({ lastSeq }) => lastSeq)),
    int8Array(batches.map(({ endedAt }) => endedAt)),
    textArray(batches.map(({ links, runs }) => JSON.stringify({ links, runs }))),
  ]
  return { text, values }
}

/** Microseconds by link of the functions that ran with an entry; empty if nothing is stored. */
export async function readTimes(
  queryable: Queryable,
  businessId: string,
  { part, seq }: { readonly part: number; readonly seq: number },
): Promise<ReadonlyMap<string, number>> {
  const text = `
    select took from pipelines_batch
    where business_id = $1 and part = $2 and last_seq >= $3 order by last_seq limit 1`
  const row = await queryable.one<{ took: string }>(text, [businessId, part, seq])
  const times = new Map<string, number>()
  if (row === undefined) return times
  const { links, runs } = JSON.parse(row.took) as Pick<BatchTimes, 'links' | 'runs'>
  for (const [own, ...pairs] of runs) {
    if (own !== seq) continue
    for (let at = 0; at + 1 < pairs.length; at += 2) {
      const link = links[pairs[at] ?? -1]
      if (link !== undefined) times.set(link, pairs[at + 1] ?? 0)
    }
  }
  return times
}

export function runsStatement(runs: readonly RecordedRun[]): Statement {
  const text = `
    insert into pipelines_run (business_id, asset_id, last_ts, first_ts, ended_at, run)
    select business_id, asset_id, last_ts, first_ts, ended_at, run
    from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])
      as given (business_id, asset_id, last_ts, first_ts, ended_at, run)`
  const values = [
    textArray(runs.map(({ businessId }) => businessId)),
    textArray(runs.map(({ assetId }) => assetId)),
    int8Array(runs.map(({ stamps }) => stamps.at(-1) ?? 0)),
    int8Array(runs.map(({ stamps }) => stamps[0] ?? 0)),
    int8Array(runs.map(({ endedAt }) => endedAt)),
    textArray(
      runs.map(({ stamps, functions }) => JSON.stringify({ steps: toSteps(stamps), functions })),
    ),
  ]
  return { text, values }
}

/** Stamps as the first one and the step to each next: they are short. */
function toSteps(stamps: readonly number[]): number[] {
  return stamps.map((ts, at) => ts - (stamps[at - 1] ?? 0))
}

/** The attempts of an asset's jobs with values of this stamp, in the order in which they ended. */
export async function readRuns(
  queryable: Queryable,
  businessId: string,
  assetId: string,
  ts: number,
): Promise<RecordedRun[]> {
  const text = `
    select first_ts, ended_at, run from pipelines_run
    where business_id = $1 and asset_id = $2 and last_ts >= $3
    order by last_ts, number limit $4`
  type Row = { first_ts: number; ended_at: number; run: string }
  const values = [businessId, assetId, ts, traceRunsMax]
  const rows = await queryable.rows<Row>(text, values)
  const runs = rows
    .filter(({ first_ts }) => first_ts <= ts)
    .map(({ ended_at: endedAt, run }) => {
      const { steps, functions } = JSON.parse(run) as {
        steps: readonly number[]
        functions: readonly RecordedFunction[]
      }
      let last = 0
      const stamps = steps.map((step) => {
        last += step
        return last
      })
      return { businessId, assetId, stamps, endedAt, functions }
    })
  return runs.filter(({ stamps }) => stamps.includes(ts)).toSorted((a, b) => a.endedAt - b.endedAt)
}

/** Deletes what ended before; @returns how many rows, at most `count` of each table. */
export async function deleteOldRuns(
  queryable: Queryable,
  beforeUs: number,
  count: number,
): Promise<number> {
  const batches = `
    delete from pipelines_batch where (business_id, part, last_seq) in (
      select business_id, part, last_seq from pipelines_batch
      where ended_at < $1 order by ended_at limit $2)`
  const runs = `
    delete from pipelines_run where (business_id, asset_id, last_ts, number) in (
      select business_id, asset_id, last_ts, number from pipelines_run
      where ended_at < $1 order by ended_at limit $2)`
  const values = [beforeUs, count]
  return Math.max(await queryable.run(batches, values), await queryable.run(runs, values))
}
