import type { Queryable } from '../../foundation/database/index.ts'
import type { BusinessDeletion, DeletionStep } from './types.ts'

const columns = `
  id, name, requested_by as "requestedBy", requested_at as "requestedAt", step, removed,
  finished_at as "finishedAt"`

/** Replaces the record of an earlier business of that id. */
export async function addDeletion(
  queryable: Queryable,
  { id, name, requestedBy, requestedAt, step }: BusinessDeletion,
): Promise<void> {
  const text = `
    insert into deletion_business (id, name, requested_by, requested_at, step)
    values ($1, $2, $3, $4, $5)
    on conflict (id) do update set name = excluded.name, requested_by = excluded.requested_by,
      requested_at = excluded.requested_at, step = excluded.step, removed = 0, finished_at = null`
  await queryable.run(text, [id, name, requestedBy, requestedAt, step])
}

/** By its id, or the newest of a name. */
export function findDeletion(
  queryable: Queryable,
  nameOrId: string,
): Promise<BusinessDeletion | undefined> {
  const text = `
    select ${columns} from deletion_business where id = $1 or name = $1
    order by (id = $1) desc, requested_at desc limit 1`
  return queryable.one<BusinessDeletion>(text, [nameOrId])
}

/** Adds to the rows that are removed. */
export async function countRemoved(queryable: Queryable, id: string, rows: number): Promise<void> {
  const text = 'update deletion_business set removed = removed + $2::bigint where id = $1'
  await queryable.run(text, [id, rows])
}

export async function keepStep(
  queryable: Queryable,
  id: string,
  step: DeletionStep,
  finishedAt: number | null = null,
): Promise<void> {
  const text = 'update deletion_business set step = $2, finished_at = $3 where id = $1'
  await queryable.run(text, [id, step, finishedAt])
}

export async function dropFinished(queryable: Queryable, beforeUs: number): Promise<void> {
  await queryable.run('delete from deletion_business where finished_at < $1', [beforeUs])
}
