import {
  type Queryable,
  type Transaction,
  textArray,
} from '../../../../foundation/database/index.ts'

/** The bytes of an upload that are stored; undefined if it is not begun. */
export async function uploadedBytes(
  queryable: Queryable,
  solutionId: string,
  target: string,
): Promise<number | undefined> {
  const row = await queryable.one<{ bytes: number }>(
    'select bytes from content_upload where solution_id = $1 and target = $2',
    [solutionId, target],
  )
  return row?.bytes
}

/** Reads the use of a solution: its uploads that are not ended, and its contents. */
export async function usage(
  queryable: Queryable,
  solutionId: string,
): Promise<{ readonly uploads: number; readonly bytes: number }> {
  const row = await queryable.one<{ uploads: number; bytes: number }>(
    `select count(*) as uploads, (coalesce(sum(bytes), 0) + coalesce((
       select bytes from content_solution where solution_id = $1), 0))::bigint as bytes
     from content_upload where solution_id = $1`,
    [solutionId],
  )
  return row ?? { uploads: 0, bytes: 0 }
}

/** Begins an upload, if it is not begun. */
export async function beginUpload(
  queryable: Queryable,
  solutionId: string,
  { target, upload, atUs }: { target: string; upload: string; atUs: number },
): Promise<void> {
  await queryable.run(
    `insert into content_upload (solution_id, target, upload, updated_at) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [solutionId, target, upload, atUs],
  )
}

/** Adds a part behind the others. @returns false if the upload does not end at `first` */
export async function appendPart(
  queryable: Queryable,
  solutionId: string,
  target: string,
  { first, data, atUs }: { readonly first: number; readonly data: Buffer; readonly atUs: number },
): Promise<boolean> {
  const stored = await queryable.run(
    `with grown as (
       update content_upload set bytes = bytes + $4, updated_at = $5
       where solution_id = $1 and target = $2 and bytes = $3 returning upload)
     insert into content_part (solution_id, upload, first, data)
     select $1, upload, $3, $6::bytea from grown`,
    [solutionId, target, first, data.length, atUs, data],
  )
  return stored > 0
}

/** Ends an upload, whose parts stay. @returns undefined if it is not begun */
export async function endUpload(
  transaction: Transaction,
  solutionId: string,
  target: string,
): Promise<{ readonly upload: string; readonly bytes: number } | undefined> {
  return transaction.one(
    'delete from content_upload where solution_id = $1 and target = $2 returning upload, bytes',
    [solutionId, target],
  )
}

/** The part that holds the byte at a position; undefined if there is none. */
export async function readPart(
  queryable: Queryable,
  solutionId: string,
  upload: string,
  position: number,
): Promise<{ readonly first: number; readonly data: Buffer } | undefined> {
  const row = await queryable.one<{ first: number; data: Buffer }>(
    `select first, data from content_part
     where solution_id = $1 and upload = $2 and first <= $3 order by first desc limit 1`,
    [solutionId, upload, position],
  )
  return row && { first: row.first, data: Buffer.from(row.data) }
}

/** Removes an upload with its parts. */
export async function dropUpload(
  transaction: Transaction,
  solutionId: string,
  target: string,
): Promise<void> {
  const ended = await endUpload(transaction, solutionId, target)
  if (ended !== undefined) await removeParts(transaction, solutionId, [ended.upload])
}

export async function removeParts(
  transaction: Transaction,
  solutionId: string,
  uploads: readonly string[],
): Promise<void> {
  if (uploads.length === 0) return
  await transaction.run(
    'delete from content_part where solution_id = $1 and upload = any($2::text[])',
    [solutionId, textArray(uploads)],
  )
}

/** Removes uploads that got no part since a time. */
export async function removeOldUploads(queryable: Queryable, untilUs: number): Promise<void> {
  await queryable.run(
    `with gone as (
       delete from content_upload where updated_at < $1 returning solution_id, upload)
     delete from content_part using gone
     where content_part.solution_id = gone.solution_id and content_part.upload = gone.upload`,
    [untilUs],
  )
}

export async function removeUploads(transaction: Transaction, solutionId: string): Promise<void> {
  await transaction.run('delete from content_part where solution_id = $1', [solutionId])
  await transaction.run('delete from content_upload where solution_id = $1', [solutionId])
}
