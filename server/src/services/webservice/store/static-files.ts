import type { Queryable, Transaction } from '../../../database/index.ts'

/** A static file of a solution, without its bytes. */
export type StaticFile = {
  readonly path: string
  readonly contentType: string
  /** SHA-256 of the bytes. */
  readonly etag: string
  readonly bytes: number
  /** Bytes of the compressed form; null if it has none. */
  readonly gzippedBytes: number | null
  /** Microseconds. */
  readonly updatedAt: number
}

export type NewStaticFile = Omit<StaticFile, 'bytes' | 'gzippedBytes'> & {
  readonly data: Buffer
  readonly gzipped: Buffer | null
}

type Row = {
  path: string
  content_type: string
  etag: string
  bytes: number
  gzipped_bytes: number | null
  updated_at: number
}

const columns =
  'path, content_type, etag, bytes, octet_length(gzipped) as gzipped_bytes, updated_at'

function fromRow(row: Row): StaticFile {
  return {
    path: row.path,
    contentType: row.content_type,
    etag: row.etag,
    bytes: row.bytes,
    gzippedBytes: row.gzipped_bytes,
    updatedAt: row.updated_at,
  }
}

/** By their paths. */
export async function listStatic(queryable: Queryable, solutionId: string): Promise<StaticFile[]> {
  const rows = await queryable.rows<Row>(
    `select ${columns} from webservice_static_file
     where solution_id = $1 order by path collate "C"`,
    [solutionId],
  )
  return rows.map(fromRow)
}

export async function findStatic(
  queryable: Queryable,
  solutionId: string,
  path: string,
): Promise<StaticFile | undefined> {
  const row = await queryable.one<Row>(
    `select ${columns} from webservice_static_file where solution_id = $1 and path = $2`,
    [solutionId, path],
  )
  return row && fromRow(row)
}

/** A part of the bytes of a file that is as it was found; undefined if it was changed since. */
export async function readStatic(
  queryable: Queryable,
  solutionId: string,
  { path, etag }: Pick<StaticFile, 'path' | 'etag'>,
  part: { readonly start: number; readonly length: number; readonly isGzipped: boolean },
): Promise<Buffer | undefined> {
  const row = await queryable.one<{ part: Buffer }>(
    `select substring(${part.isGzipped ? 'gzipped' : 'data'} from $4::int + 1 for $5::int) as part
     from webservice_static_file where solution_id = $1 and path = $2 and etag = $3`,
    [solutionId, path, etag, part.start, part.length],
  )
  return row && Buffer.from(row.part)
}

/** What a solution may keep. */
export type StaticQuota = { readonly filesMax: number; readonly bytesMax: number }

/** @returns false if the solution would keep more than it may; then the caller rolls back. */
export async function putStatic(
  transaction: Transaction,
  solutionId: string,
  file: NewStaticFile,
  { filesMax, bytesMax }: StaticQuota,
): Promise<boolean> {
  await holdCounts(transaction, solutionId)
  const { path, contentType, etag, data, gzipped, updatedAt } = file
  const before = await findStatic(transaction, solutionId, path)
  await transaction.run(
    `insert into webservice_static_file
       (solution_id, path, content_type, etag, bytes, data, gzipped, updated_at)
     values ($1, $2, $3, $4, $5, $6::bytea, $7::bytea, $8)
     on conflict (solution_id, path) do update set content_type = excluded.content_type,
       etag = excluded.etag, bytes = excluded.bytes, data = excluded.data,
       gzipped = excluded.gzipped, updated_at = excluded.updated_at`,
    [solutionId, path, contentType, etag, data.length, data, gzipped, updatedAt],
  )
  const row = await transaction.one<{ files: number; bytes: number }>(
    `update webservice_static set files = files + $2, bytes = bytes + $3
     where solution_id = $1 returning files, bytes`,
    [solutionId, before === undefined ? 1 : 0, data.length - (before?.bytes ?? 0)],
  )
  return row !== undefined && row.files <= filesMax && row.bytes <= bytesMax
}

/** @returns whether there was one. */
export async function deleteStatic(
  transaction: Transaction,
  solutionId: string,
  path: string,
): Promise<boolean> {
  await holdCounts(transaction, solutionId)
  const gone = await transaction.one<{ bytes: number }>(
    'delete from webservice_static_file where solution_id = $1 and path = $2 returning bytes',
    [solutionId, path],
  )
  if (gone === undefined) return false
  await transaction.run(
    `update webservice_static set files = files - 1, bytes = bytes - $2 where solution_id = $1`,
    [solutionId, gone.bytes],
  )
  return true
}

/** With all its files and uploads. */
export async function removeStatic(transaction: Transaction, solutionId: string): Promise<void> {
  await transaction.run('delete from webservice_static_file where solution_id = $1', [solutionId])
  await transaction.run('delete from webservice_static_upload where solution_id = $1', [solutionId])
  await transaction.run('delete from webservice_static where solution_id = $1', [solutionId])
}

/** Uploads of one solution go one after another, so that its counts are right. */
export async function holdCounts(transaction: Transaction, solutionId: string): Promise<void> {
  await transaction.run(
    'insert into webservice_static (solution_id) values ($1) on conflict do nothing',
    [solutionId],
  )
  await transaction.one('select files from webservice_static where solution_id = $1 for update', [
    solutionId,
  ])
}
