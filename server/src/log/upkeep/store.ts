import { type BusinessRows, type Queryable, rowsByIndex } from '../../foundation/database/index.ts'

/** The time at which old data were last removed, in microseconds; undefined in a new database. */
export async function readRun(queryable: Queryable): Promise<number | undefined> {
  const row = await queryable.one<{ at: number }>('select at from upkeep_run')
  return row?.at
}

export async function writeRun(queryable: Queryable, atUs: number): Promise<void> {
  await queryable.run(
    'insert into upkeep_run (at) values ($1) on conflict (id) do update set at = excluded.at',
    [atUs],
  )
}

export type StoredPeriod = {
  /** Empty: the instance. */
  readonly businessId: string
  readonly kind: string
  readonly hours: number
}

/** Reads the periods of one owner, or all. */
export function readPeriods(queryable: Queryable, owner?: string): Promise<StoredPeriod[]> {
  return queryable.rows<StoredPeriod>(
    `select business_id as "businessId", kind, hours from upkeep_retention
     where $1::text is null or business_id = $1`,
    [owner ?? null],
  )
}

export async function writePeriod(
  queryable: Queryable,
  { businessId, kind, hours }: StoredPeriod,
): Promise<void> {
  await queryable.run(
    `insert into upkeep_retention (business_id, kind, hours) values ($1, $2, $3::bigint)
     on conflict (business_id, kind) do update set hours = excluded.hours`,
    [businessId, kind, hours],
  )
}

export async function deletePeriod(
  queryable: Queryable,
  businessId: string,
  kind: string,
): Promise<void> {
  await queryable.run('delete from upkeep_retention where business_id = $1 and kind = $2', [
    businessId,
    kind,
  ])
}

/** The periods that are set for a business. */
export const upkeepRows: BusinessRows = rowsByIndex('upkeep_retention')
