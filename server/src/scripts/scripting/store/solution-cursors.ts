import {
  int8Array,
  type Queryable,
  type Transaction,
  textArray,
} from '../../../foundation/database/index.ts'

/** The place of a solution that is behind in a partition. */
export type SolutionPlace = {
  readonly position: number
  readonly until: number
  /** Events beyond the position that were handled already. */
  readonly skipped: readonly string[]
}

/** A solution that is behind in a partition. */
export type BehindSolution = { readonly businessId: string; readonly solutionId: string }

type PlaceRow = { readonly position: number; readonly until: number; readonly skipped: string }

export async function readPlace(
  queryable: Queryable,
  part: number,
  solutionId: string,
): Promise<SolutionPlace | undefined> {
  const row = await queryable.one<PlaceRow>(
    `select position, until, skipped from scripting_cursor
     where part = $1::smallint and solution_id = $2`,
    [part, solutionId],
  )
  return row && { ...row, skipped: JSON.parse(row.skipped) as string[] }
}

/** Returns the solutions that are behind, by partition. */
export async function readBehind(
  queryable: Queryable,
): Promise<Map<number, readonly BehindSolution[]>> {
  const rows = await queryable.rows<BehindSolution & { readonly part: number }>(
    `select part, business_id as "businessId", solution_id as "solutionId" from scripting_cursor`,
  )
  return Map.groupBy(rows, ({ part }) => part)
}

/**
 * Lets events of solutions wait in the log up to an entry: from the place that is given, or from
 * where the solution is already.
 * @returns how many entries more there are to go through.
 */
export async function extendPlaces(
  transaction: Transaction,
  part: number,
  places: readonly (BehindSolution & SolutionPlace)[],
): Promise<number> {
  const ids = textArray(places.map(({ solutionId }) => solutionId))
  // Locked: a reader that reaches the end now must see that there is more.
  const known = await transaction.rows<{ solution_id: string; until: number }>(
    `select solution_id, until from scripting_cursor
     where part = $1::smallint and solution_id = any($2::text[]) order by solution_id for update`,
    [part, ids],
  )
  await transaction.run(
    `insert into scripting_cursor (part, solution_id, business_id, position, until, skipped)
     select $1::smallint, s, b, p, u, k from unnest($2::text[], $3::text[], $4::bigint[],
       $5::bigint[], $6::text[]) as given (s, b, p, u, k)
     on conflict (part, solution_id) do update set until = excluded.until`,
    [
      part,
      ids,
      textArray(places.map(({ businessId }) => businessId)),
      int8Array(places.map(({ position }) => position)),
      int8Array(places.map(({ until }) => until)),
      textArray(places.map(({ skipped }) => JSON.stringify(skipped))),
    ],
  )
  const ends = new Map(known.map((row) => [row.solution_id, row.until]))
  return places.reduce(
    (sum, { solutionId, position, until }) => sum + until - (ends.get(solutionId) ?? position),
    0,
  )
}

/**
 * Moves a solution on, and removes its place if it has reached the end.
 * @returns false if it is not where it was: another process was there, or it is removed.
 */
export async function moveSolution(
  transaction: Transaction,
  part: number,
  solutionId: string,
  from: SolutionPlace,
  to: Pick<SolutionPlace, 'position' | 'skipped'>,
): Promise<boolean> {
  const row = await transaction.one<{ until: number }>(
    `update scripting_cursor set position = $5::bigint, skipped = $6
     where part = $1::smallint and solution_id = $2 and position = $3::bigint and skipped = $4
     returning until`,
    [
      part,
      solutionId,
      from.position,
      JSON.stringify(from.skipped),
      to.position,
      JSON.stringify(to.skipped),
    ],
  )
  if (row === undefined) return false
  if (to.position >= row.until) {
    await transaction.run(
      'delete from scripting_cursor where part = $1::smallint and solution_id = $2',
      [part, solutionId],
    )
  }
  return true
}

/** Removes a solution's places. @returns how many entries it had left in each partition. */
export function deletePlaces(
  transaction: Transaction,
  solutionId: string,
): Promise<{ readonly part: number; readonly left: number }[]> {
  return transaction.rows(
    `delete from scripting_cursor where solution_id = $1
     returning part, until - position as left`,
    [solutionId],
  )
}

/** Returns the entry in a partition up to which no solution that is behind needs any more. */
export async function readLowestPlace(
  queryable: Queryable,
  part: number,
): Promise<number | undefined> {
  const row = await queryable.one<{ position: number | null }>(
    'select min(position) as position from scripting_cursor where part = $1::smallint',
    [part],
  )
  return row?.position ?? undefined
}

/** Counts the entries that solutions have left, by partition. */
export async function countLeft(queryable: Queryable): Promise<Map<number, number>> {
  const rows = await queryable.rows<{ part: number; count: number }>(
    `select part, sum(until - position)::bigint as count from scripting_cursor group by part`,
  )
  return new Map(rows.map(({ part, count }) => [part, count]))
}

type LeftRow = BehindSolution & {
  readonly part: number
  readonly after: number
  readonly until: number
}

/** Returns what the solutions of a business have left, of each partition. */
export function readLeft(queryable: Queryable, businessId: string): Promise<LeftRow[]> {
  return queryable.rows<LeftRow>(
    `select business_id as "businessId", solution_id as "solutionId", part, position as after, until
     from scripting_cursor where business_id = $1`,
    [businessId],
  )
}
