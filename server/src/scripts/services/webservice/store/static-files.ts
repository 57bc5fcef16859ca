import {
  createFileCounts,
  type FileQuota,
  type Queryable,
  type Transaction,
} from '../../../../foundation/database/index.ts'
import type { StaticFile } from '../../../scripting/index.ts'

/** A static file of a solution, without its bytes. */
export type StoredStaticFile = StaticFile & {
  /** Bytes of the compressed form; null if it has none. */
  readonly gzippedBytes: number | null
}

export type NewStaticFile = Omit<StoredStaticFile, 'bytes' | 'gzippedBytes'> & {
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

function fromRow(row: Row): StoredStaticFile {
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
export async function listStatic(
  queryable: Queryable,
  solutionId: string,
): Promise<StoredStaticFile[]> {
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
): Promise<StoredStaticFile | undefined> {
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
  { path, etag }: Pick<StoredStaticFile, 'path' | 'etag'>,
  part: { readonly start: number; readonly length: number; readonly isGzipped: boolean },
): Promise<Buffer | undefined> {
  const row = await queryable.one<{ part: Buffer }>(
    `select substring(${part.isGzipped ? 'gzipped' : 'data'} from $4::int + 1 for $5::int) as part
     from webservice_static_file where solution_id = $1 and path = $2 and etag = $3`,
    [solutionId, path, etag, part.start, part.length],
  )
  return row && Buffer.from(row.part)
}

export const staticCounts = createFileCounts({
  files: 'webservice_static_file',
  counts: 'webservice_static',
})

/** @returns false if the solution would keep more than it may; then the caller rolls back. */
export async function putStatic(
  transaction: Transaction,
  solutionId: string,
  file: NewStaticFile,
  quota: FileQuota,
): Promise<boolean> {
  await staticCounts.hold(transaction, solutionId)
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
  const more = {
    files: before === undefined ? 1 : 0,
    bytes: data.length - (before?.bytes ?? 0),
  }
  return staticCounts.add(transaction, solutionId, more, quota)
}

/** @returns whether there was one. */
export async function deleteStatic(
  transaction: Transaction,
  solutionId: string,
  path: string,
): Promise<boolean> {
  await staticCounts.hold(transaction, solutionId)
  const gone = await transaction.one<{ bytes: number }>(
    'delete from webservice_static_file where solution_id = $1 and path = $2 returning bytes',
    [solutionId, path],
  )
  if (gone === undefined) return false
  const less = { files: -1, bytes: -gone.bytes }
  await staticCounts.add(transaction, solutionId, less)
  return true
}

/** With all its files and uploads. */
export async function removeStatic(transaction: Transaction, solutionId: string): Promise<void> {
  await staticCounts.remove(transaction, solutionId)
  await transaction.run('delete from webservice_static_upload where solution_id = $1', [solutionId])
}
