import { int8Array, type Queryable, textArray } from '../../database/index.ts'
import type { ScriptLine, ScriptLineKey, ScriptLineKind } from '../log/script-line.ts'
import type { LogLevel } from '../registry/program.ts'

type Row = {
  at: number
  id: number
  kind: ScriptLineKind
  level: LogLevel
  service: string
  handler: string
  tracking_id: string
  text: string
  wall_us: number | null
  cpu_us: number | null
  service_calls: number | null
  trace: string | null
}

export type NewScriptLine = Omit<ScriptLine, 'id'> & {
  readonly businessId: string
  readonly solutionId: string
}

export async function insertLines(
  queryable: Queryable,
  lines: readonly NewScriptLine[],
): Promise<void> {
  const texts = (
    [
      'solutionId',
      'businessId',
      'kind',
      'level',
      'service',
      'handler',
      'trackingId',
      'text',
    ] as const
  ).map((field) => textArray(lines.map((line) => line[field])))
  await queryable.run(
    `insert into scripting_line (solution_id, business_id, kind, level, service, handler,
       tracking_id, text, at, wall_us, cpu_us, service_calls, trace)
     select s, b, k, l, v, h, r, t, at, w, i, c::integer, nullif(p, '')
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
       $7::text[], $8::text[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[],
       $13::text[])
       as given (s, b, k, l, v, h, r, t, at, w, i, c, p)`,
    [
      ...texts,
      int8Array(lines.map((line) => line.at)),
      int8Array(lines.map(({ usage }) => (usage ? Math.round(usage.wallMs * 1_000) : null))),
      int8Array(lines.map(({ usage }) => (usage ? Math.round(usage.cpuMs * 1_000) : null))),
      int8Array(lines.map(({ usage }) => usage?.serviceCalls ?? null)),
      textArray(lines.map(({ trace = [] }) => trace.join('\n'))),
    ],
  )
}

/** Between two keys, neither included, newest first. */
export type LinesQuery = {
  readonly newerThan: ScriptLineKey
  readonly olderThan: ScriptLineKey
  readonly levels: readonly LogLevel[]
  readonly kinds: readonly ScriptLineKind[]
  readonly trackingId: string | undefined
  /** Lower case. */
  readonly text: string | undefined
  readonly limit: number
}

export async function readLines(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
  { newerThan, olderThan, levels, kinds, trackingId, text, limit }: LinesQuery,
): Promise<ScriptLine[]> {
  const rows = await queryable.rows<Row>(
    `select at, id, kind, level, service, handler, tracking_id, text, wall_us, cpu_us,
       service_calls, trace
     from scripting_line
     where solution_id = $1 and business_id = $2
       and at between $3::bigint and $5::bigint
       and (at, id) > ($3::bigint, $4::bigint) and (at, id) < ($5::bigint, $6::bigint)
       and level = any($7::text[]) and kind = any($8::text[])
       and ($9::text is null or tracking_id = $9::text)
       and ($10::text is null or strpos(lower(text), $10::text) > 0)
     order by at desc, id desc limit $11::integer`,
    [
      ...[solutionId, businessId, newerThan.at, newerThan.id, olderThan.at, olderThan.id],
      ...[levels, kinds, trackingId ?? null, text ?? null, limit],
    ],
  )
  return rows.map(fromRow)
}

function fromRow(row: Row): ScriptLine {
  const { at, id, kind, level, service, handler, text } = row
  const usage = {
    wallMs: (row.wall_us ?? 0) / 1_000,
    cpuMs: (row.cpu_us ?? 0) / 1_000,
    serviceCalls: row.service_calls ?? 0,
  }
  return {
    ...{ at, id, kind, level, service, handler, trackingId: row.tracking_id, text },
    ...(row.wall_us === null ? {} : { usage }),
    ...(row.trace === null ? {} : { trace: row.trace.split('\n') }),
  }
}

/** The time down to which the newest `rows` lines reach; 0 where there are fewer. */
export async function readLineHorizon(
  queryable: Queryable,
  solutionId: string,
  beforeUs: number,
  rows: number,
): Promise<number> {
  const row = await queryable.one<{ at: number }>(
    `select case when count(*) < $3::integer then 0 else min(at) end as at from
       (select at from scripting_line where solution_id = $1 and at <= $2::bigint
        order by at desc limit $3::integer) as newest`,
    [solutionId, beforeUs, rows],
  )
  return row?.at ?? 0
}

/** Whether the solution's log has lines at a time or later. */
export async function hasLineAfter(
  queryable: Queryable,
  solutionId: string,
  atUs: number,
): Promise<boolean> {
  const row = await queryable.one<{ any: boolean }>(
    `select exists
       (select from scripting_line where solution_id = $1 and at >= $2::bigint) as any`,
    [solutionId, atUs],
  )
  return row?.any ?? false
}

/** Removes at most `count` lines that are older. @returns how many were removed. */
export function deleteOldLines(
  queryable: Queryable,
  beforeUs: number,
  count: number,
): Promise<number> {
  return queryable.run(
    `delete from scripting_line where (solution_id, at, id) in
       (select solution_id, at, id from scripting_line
        where at < $1::bigint order by at limit $2::integer)`,
    [beforeUs, count],
  )
}
