import {
  float8Array,
  int8Array,
  type Queryable,
  type Transaction,
  textArray,
} from '../../../foundation/database/index.ts'
import type { Point, PointValue, Query, SeriesKey } from './point.ts'

/** The numbers of the series that are there; undefined in the place of any other. */
export async function findSeries(
  transaction: Transaction,
  keys: readonly SeriesKey[],
): Promise<(number | undefined)[]> {
  const rows = await transaction.rows<{ id: number; place: number }>(
    `select s.id, n.place
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality
       as n (solution_id, metric, tags, place)
     join tsdb_series s on s.solution_id = n.solution_id and s.metric = n.metric
       and s.tags = n.tags::jsonb`,
    toColumns(keys),
  )
  const ids: (number | undefined)[] = keys.map(() => undefined)
  for (const { id, place } of rows) ids[place - 1] = id
  return ids
}

/** Makes series; one that another process made meanwhile is as good. */
export async function addSeries(
  transaction: Transaction,
  keys: readonly SeriesKey[],
): Promise<void> {
  await transaction.run(
    `insert into tsdb_series (solution_id, metric, tags)
     select n.solution_id, n.metric, n.tags::jsonb
     from unnest($1::text[], $2::text[], $3::text[]) as n (solution_id, metric, tags)
     order by 1, 2, 3
     on conflict (solution_id, metric, tags) do nothing`,
    toColumns(keys),
  )
}

function toColumns(keys: readonly SeriesKey[]): Buffer[] {
  return [
    textArray(keys.map(({ solutionId }) => solutionId)),
    textArray(keys.map(({ metric }) => metric)),
    textArray(keys.map(({ tags }) => tags)),
  ]
}

export async function countSeries(database: Queryable, solutionId: string): Promise<number> {
  const row = await database.one<{ count: number }>(
    'select count(*) from tsdb_series where solution_id = $1',
    [solutionId],
  )
  return row?.count ?? 0
}

export type NumberedPoint = Pick<Point, 'ts' | 'value'> & { readonly seriesId: number }

/** Sorted by series and time, each of both once: so that two writers never wait for each other. */
export async function writePoints(
  transaction: Transaction,
  points: readonly NumberedPoint[],
): Promise<void> {
  await transaction.run(
    `insert into tsdb_point (series_id, ts, number, body)
     select n.series_id, n.ts, n.number, n.body
     from unnest($1::bigint[], $2::bigint[], $3::float8[], $4::text[])
       as n (series_id, ts, number, body)
     on conflict (series_id, ts) do update set number = excluded.number, body = excluded.body`,
    [
      int8Array(points.map(({ seriesId }) => seriesId)),
      int8Array(points.map(({ ts }) => ts)),
      float8Array(points.map(({ value }) => (typeof value === 'number' ? value : null))),
      textArray(
        points.map(({ value }) => (typeof value === 'number' ? null : JSON.stringify(value))),
      ),
    ],
  )
}

/** A value of a metric; those of one time come together. */
export type Reading = {
  readonly ts: number
  readonly metric: string
  readonly value: PointValue
}

/** Every value at the first `limit` times of the range, in its order. */
export async function readPoints(
  transaction: Transaction,
  solutionId: string,
  { metrics, tags, from, to, order, limit }: Query,
): Promise<Reading[]> {
  const rows = await transaction.rows<{
    ts: number
    metric: string
    number: number | null
    body: string | null
  }>(
    `with found as (
       select s.id, s.metric from tsdb_series s
       where s.solution_id = $1 and s.metric = any($2::text[]) and s.tags @> $3::jsonb
     ), times as (
       select distinct p.ts from tsdb_point p join found f on f.id = p.series_id
       where p.ts >= $4 and p.ts < $5
       order by p.ts ${order === 'asc' ? 'asc' : 'desc'} limit $6
     )
     select p.ts, f.metric, p.number, p.body
     from tsdb_point p
     join found f on f.id = p.series_id
     join times t on t.ts = p.ts
     order by p.ts ${order === 'asc' ? 'asc' : 'desc'}, f.metric, f.id`,
    [solutionId, textArray(metrics), tags, from, to, limit],
  )
  return rows.map(({ ts, metric, number, body }) => ({
    ts,
    metric,
    value: body === null ? (number ?? 0) : JSON.parse(body),
  }))
}

/** The aggregates of a metric's numbers within one bucket. */
export type Sampled = {
  readonly ts: number
  readonly metric: string
  readonly avg: number | null
  readonly min: number | null
  readonly max: number | null
  readonly sum: number | null
  readonly count: number
}

/** The first `limit` buckets of the range; texts and booleans count, and no more. */
export async function samplePoints(
  transaction: Transaction,
  solutionId: string,
  { metrics, tags, from, to, order, limit, samplingUs }: Query,
): Promise<Sampled[]> {
  return transaction.rows<Sampled>(
    `with sampled as (
       select case when $6::bigint is null then $4::bigint
           else p.ts / $6::bigint * $6::bigint end as ts,
         s.metric, avg(p.number) as avg, min(p.number) as min, max(p.number) as max,
         sum(p.number) as sum, count(*) as count
       from tsdb_series s join tsdb_point p on p.series_id = s.id
       where s.solution_id = $1 and s.metric = any($2::text[]) and s.tags @> $3::jsonb
         and p.ts >= $4 and p.ts < $5
       group by 1, 2
     )
     select ts, metric, avg, min, max, sum, count from sampled
     where ts in (
       select distinct ts from sampled order by ts ${order === 'asc' ? 'asc' : 'desc'} limit $7
     )
     order by ts ${order === 'asc' ? 'asc' : 'desc'}, metric`,
    [solutionId, textArray(metrics), tags, from, to, samplingUs ?? null, limit],
  )
}

/** A query that takes too long is ended by the engine. */
export async function limitTime(transaction: Transaction, ms: number): Promise<void> {
  await transaction.run("select set_config('statement_timeout', $1, true)", [String(ms)])
}

/** Removes some points that are too old. @returns how many. */
export async function sweepPoints(
  transaction: Transaction,
  before: number,
  rowsMax: number,
): Promise<number> {
  return transaction.run(
    `delete from tsdb_point p using (
       select o.series_id, o.ts from tsdb_point o where o.ts < $1 order by o.ts limit $2
     ) as old
     where p.series_id = old.series_id and p.ts = old.ts`,
    [before, rowsMax],
  )
}

export async function removeSolution(transaction: Transaction, solutionId: string): Promise<void> {
  await transaction.run(
    `delete from tsdb_point p using tsdb_series s
     where s.solution_id = $1 and p.series_id = s.id`,
    [solutionId],
  )
  await transaction.run('delete from tsdb_series where solution_id = $1', [solutionId])
}
