import {
  createFileCounts,
  type FileQuota,
  type FileSums,
  type Queryable,
  rowsWhere,
  type Transaction,
  textArray,
} from '../../../../foundation/database/index.ts'
import { limits } from '../../../../foundation/kernel/index.ts'
import { removeParts, removeUploads } from './uploads.ts'

export type FileRow = {
  readonly id: string
  readonly content_type: string
  readonly bytes: number
  readonly updated_at: number
  /** The upload whose parts are its bytes; null if it has no parts. */
  readonly upload: string | null
}

const columns = 'id, content_type, bytes, updated_at, upload'

const counts = createFileCounts({ files: 'content_file', counts: 'content_solution' })

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

/** A range of the bytes of a content without parts; undefined if it was replaced since. */
export async function readBytes(
  database: Queryable,
  solutionId: string,
  { id, updated_at: at }: FileRow,
  range: { readonly start: number; readonly length: number },
): Promise<Buffer | undefined> {
  const row = await database.one<{ part: Buffer }>(
    `select substring(data from $4::int + 1 for $5::int) as part from content_file
     where solution_id = $1 and id = $2 and updated_at = $3 and upload is null`,
    [solutionId, id, at, range.start, range.length],
  )
  return row && Buffer.from(row.part)
}

export type NewFile = {
  readonly id: string
  readonly type: string
  readonly data: Buffer
  readonly at: number
  /** The upload whose parts are its bytes; `data` is empty then. */
  readonly parts?: { readonly upload: string; readonly bytes: number }
}

/** @returns false if the solution would keep more than it may; then the caller rolls back. */
export async function putFile(
  transaction: Transaction,
  solutionId: string,
  { id, type, data, at, parts }: NewFile,
  quota: FileQuota,
): Promise<boolean> {
  await counts.hold(transaction, solutionId)
  const before = await findFile(transaction, solutionId, id)
  const bytes = parts?.bytes ?? data.length
  await transaction.run(
    `insert into content_file (solution_id, id, content_type, bytes, data, updated_at, upload)
     values ($1, $2, $3, $4, $5::bytea, $6, $7)
     on conflict (solution_id, id) do update set content_type = excluded.content_type,
       bytes = excluded.bytes, data = excluded.data, upload = excluded.upload,
       updated_at = greatest(excluded.updated_at, content_file.updated_at + 1)`,
    [solutionId, id, type, bytes, data, at, parts?.upload ?? null],
  )
  if (typeof before?.upload === 'string') {
    await removeParts(transaction, solutionId, [before.upload])
  }
  const more = { files: before === undefined ? 1 : 0, bytes: bytes - (before?.bytes ?? 0) }
  return counts.add(transaction, solutionId, more, quota)
}

/** The bytes that solutions keep. */
export async function readFileBytes(
  queryable: Queryable,
  solutionIds: readonly string[],
): Promise<{ readonly solutionId: string; readonly bytes: number }[]> {
  return queryable.rows(
    `select solution_id as "solutionId", bytes from content_solution
     where solution_id = any($1::text[])`,
    [textArray(solutionIds)],
  )
}

/** Contents of a solution that were last written before a time. */
export async function oldFiles(
  queryable: Queryable,
  solutionId: string,
  beforeUs: number,
  max: number,
): Promise<string[]> {
  const rows = await queryable.rows<{ id: string }>(
    'select id from content_file where solution_id = $1 and updated_at < $2 limit $3',
    [solutionId, beforeUs, max],
  )
  return rows.map(({ id }) => id)
}

/** Ids of contents that were last written before a time, of owners whose names begin so. */
export async function* filesStoredBefore(
  queryable: Queryable,
  ownerPrefix: string,
  beforeUs: number,
): AsyncGenerator<{ readonly owner: string; readonly ids: readonly string[] }> {
  const owners = await queryable.rows<{ owner: string }>(
    `select solution_id as owner from content_solution where starts_with(solution_id, $1)`,
    [ownerPrefix],
  )
  const text = `
    select id from content_file where solution_id = $1 and updated_at < $2 and id > $3
    order by id limit $4`
  for (const { owner } of owners) {
    for (let after = '', isWhole = false; !isWhole; ) {
      const values = [owner, beforeUs, after, limits.pageMax]
      const ids = (await queryable.rows<{ id: string }>(text, values)).map(({ id }) => id)
      yield { owner, ids }
      after = ids.at(-1) ?? ''
      isWhole = ids.length < limits.pageMax
    }
  }
}

/** Deletes one content, or those whose ids begin with a text. @returns how many. */
export async function deleteFiles(
  transaction: Transaction,
  solutionId: string,
  which: { readonly id?: string; readonly prefix?: string },
): Promise<number> {
  await counts.hold(transaction, solutionId)
  const gone = await transaction.rows<{ bytes: number; upload: string | null }>(
    `delete from content_file where solution_id = $1
       and ($2::text is null or id = $2::text) and starts_with(id, $3::text)
     returning bytes, upload`,
    [solutionId, which.id ?? null, which.prefix ?? ''],
  )
  await removeParts(
    transaction,
    solutionId,
    gone.flatMap(({ upload }) => upload ?? []),
  )
  const bytes = gone.reduce((sum, one) => sum + one.bytes, 0)
  await counts.add(transaction, solutionId, { files: -gone.length, bytes: -bytes })
  return gone.length
}

export async function removeSolution(transaction: Transaction, solutionId: string): Promise<void> {
  await counts.remove(transaction, solutionId)
  await removeUploads(transaction, solutionId)
}

/** The contents of a business itself, by the name under which it keeps them. */
export async function* ownedRows(queryable: Queryable, owner: string): AsyncGenerator<number> {
  for (const table of ['content_file', 'content_part', 'content_upload']) {
    yield* rowsWhere(queryable, table, 'solution_id = $1', owner)
  }
  yield* rowsWhere(queryable, 'content_solution', 'solution_id = $1', owner)
}

/** Counts the contents of a solution and their bytes. */
export function readSums(queryable: Queryable, solutionId: string): Promise<FileSums> {
  return counts.read(queryable, solutionId)
}
