import type { Queryable } from '../database/index.ts'

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
