import { type Queryable, rowsWhere, type Transaction, textArray } from '../../database/index.ts'

export type FileRow = {
  readonly id: string
  readonly content_type: string
  readonly bytes: number
  readonly updated_at: number
}

const columns = 'id, content_type, bytes, updated_at'

/** Ids that begin with a text, by their bytes. */
export async function listFiles(
  database: Queryable,
  solutionId: string,
  { prefix, after, limit }: { prefix: string; after: string; limit: number },
): Promise<FileRow[]> {
  return database.rows<FileRow>(
    `select ${columns} from content_file
     where solution_id = $1 and starts_with(id, $2) and id collate "C" > $3
     order by id collate "C" limit $4`,
    [solutionId, prefix, after, limit],
  )
}

export async function findFile(
  database: Queryable,
  solutionId: string,
  id: string,
): Promise<FileRow | undefined> {
  return database.one<FileRow>(
    `select ${columns} from content_file where solution_id = $1 and id = $2`,
    [solutionId, id],
  )
}

export async function readFile(
  database: Queryable,
  solutionId: string,
  id: string,
): Promise<(FileRow & { readonly data: Buffer }) | undefined> {
  return database.one<FileRow & { data: Buffer }>(
    `select ${columns}, data from content_file where solution_id = $1 and id = $2`,
    [solutionId, id],
  )
}

/** The bytes of several contents. */
export async function readFiles(
  database: Queryable,
  owner: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly data: Buffer }[]> {
  return database.rows(
    'select id, data from content_file where solution_id = $1 and id = any($2::text[])',
    [owner, textArray(ids)],
  )
}

export type NewFile = {
  readonly id: string
  readonly type: string
  readonly data: Buffer
  readonly at: number
}

export type ContentQuota = { readonly filesMax: number; readonly bytesMax: number }

/** @returns false if the solution would keep more than it may; then the caller rolls back. */
export async function putFile(
  transaction: Transaction,
  solutionId: string,
  { id, type, data, at }: NewFile,
  { filesMax, bytesMax }: ContentQuota,
): Promise<boolean> {
  await transaction.run(
    'insert into content_solution (solution_id) values ($1) on conflict do nothing',
    [solutionId],
  )
  await transaction.one('select files from content_solution where solution_id = $1 for update', [
    solutionId,
  ])
  const before = await findFile(transaction, solutionId, id)
  await transaction.run(
    `insert into content_file (solution_id, id, content_type, bytes, data, updated_at)
     values ($1, $2, $3, $4, $5::bytea, $6)
     on conflict (solution_id, id) do update set content_type = excluded.content_type,
       bytes = excluded.bytes, data = excluded.data, updated_at = excluded.updated_at`,
    [solutionId, id, type, data.length, data, at],
  )
  const row = await transaction.one<{ files: number; bytes: number }>(
    `update content_solution set files = files + $2, bytes = bytes + $3
     where solution_id = $1 returning files, bytes`,
    [solutionId, before === undefined ? 1 : 0, data.length - (before?.bytes ?? 0)],
  )
  return row !== undefined && row.files <= filesMax && row.bytes <= bytesMax
}

/** Deletes one content, or those whose ids begin with a text. @returns how many. */
export async function deleteFiles(
  transaction: Transaction,
  solutionId: string,
  which: { readonly id?: string; readonly prefix?: string },
): Promise<number> {
  await transaction.one('select files from content_solution where solution_id = $1 for update', [
    solutionId,
  ])
  const row = await transaction.one<{ files: number; bytes: number }>(
    `with gone as (
       delete from content_file where solution_id = $1
         and ($2::text is null or id = $2::text) and starts_with(id, $3::text)
       returning bytes)
     select count(*) as files, coalesce(sum(bytes), 0)::bigint as bytes from gone`,
    [solutionId, which.id ?? null, which.prefix ?? ''],
  )
  const { files = 0, bytes = 0 } = row ?? {}
  await transaction.run(
    `update content_solution set files = files - $2, bytes = bytes - $3 where solution_id = $1`,
    [solutionId, files, bytes],
  )
  return files
}

export async function removeSolution(transaction: Transaction, solutionId: string): Promise<void> {
  await transaction.run('delete from content_file where solution_id = $1', [solutionId])
  await transaction.run('delete from content_solution where solution_id = $1', [solutionId])
}

/** The contents of a business itself, by the name under which it keeps them. */
export async function* ownedRows(queryable: Queryable, owner: string): AsyncGenerator<number> {
  yield* rowsWhere(queryable, 'content_file', 'solution_id = $1', owner)
  yield* rowsWhere(queryable, 'content_solution', 'solution_id = $1', owner)
}
