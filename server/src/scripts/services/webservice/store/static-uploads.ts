import {
  type FileQuota,
  type Queryable,
  type Transaction,
  textArray,
} from '../../../../foundation/database/index.ts'
import { staticCounts } from './static-files.ts'

/** Bytes that were uploaded for a push. */
export type StaticUpload = {
  /** SHA-256 of the bytes. */
  readonly etag: string
  readonly data: Buffer
  readonly gzipped: Buffer | null
}

/** Removes what no push took until then. */
export async function removeOldUploads(queryable: Queryable, untilUs: number): Promise<void> {
  await queryable.run('delete from webservice_static_upload where uploaded_at < $1', [untilUs])
}

/** @returns false if the solution would keep more than it may; then the caller rolls back. */
export async function putUpload(
  transaction: Transaction,
  solutionId: string,
  { etag, data, gzipped }: StaticUpload,
  atUs: number,
  { filesMax, bytesMax }: FileQuota,
): Promise<boolean> {
  await staticCounts.hold(transaction, solutionId)
  await transaction.run(
    `insert into webservice_static_upload (solution_id, etag, bytes, data, gzipped, uploaded_at)
     values ($1, $2, $3, $4::bytea, $5::bytea, $6)
     on conflict (solution_id, etag) do update set uploaded_at = excluded.uploaded_at`,
    [solutionId, etag, data.length, data, gzipped, atUs],
  )
  const row = await transaction.one<{ files: number; bytes: number }>(
    `select count(*) as files, sum(bytes)::bigint as bytes
     from webservice_static_upload where solution_id = $1`,
    [solutionId],
  )
  return row !== undefined && row.files <= filesMax && row.bytes <= bytesMax
}

/** Finds the bytes that a solution has, as an upload or as a file. */
export async function knownBytes(
  queryable: Queryable,
  solutionId: string,
  etags: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await queryable.rows<{ etag: string }>(
    `select etag from webservice_static_upload where solution_id = $1 and etag = any($2::text[])
     union
     select etag from webservice_static_file where solution_id = $1 and etag = any($2::text[])`,
    [solutionId, textArray(etags)],
  )
  return new Set(rows.map(({ etag }) => etag))
}

/** A file of uploaded bytes. */
export type LinkedFile = {
  readonly path: string
  readonly etag: string
  readonly contentType: string
  readonly isCompressed: boolean
}

export type StaticChange = {
  readonly put: readonly LinkedFile[]
  readonly removed: readonly string[]
}

/**
 * Makes files of bytes that the solution has, removes others, and the uploads with them.
 * @returns the number of files made, and whether the solution keeps no more than it may
 */
export async function changeStatic(
  transaction: Transaction,
  solutionId: string,
  { put, removed }: StaticChange,
  atUs: number,
  quota: FileQuota,
): Promise<{ readonly made: number; readonly isWithin: boolean }> {
  await staticCounts.hold(transaction, solutionId)
  const fields = (['path', 'etag', 'contentType', 'isCompressed'] as const).map((field) =>
    textArray(put.map((file) => String(file[field]))),
  )
  const made = await transaction.run(
    `with source as (
       select distinct on (etag) etag, bytes, data, gzipped from (
         select etag, bytes, data, gzipped from webservice_static_upload where solution_id = $1
         union all
         select etag, bytes, data, gzipped from webservice_static_file where solution_id = $1) known
       where etag = any($4::text[]) order by etag, gzipped is null)
     insert into webservice_static_file
       (solution_id, path, content_type, etag, bytes, data, gzipped, updated_at)
     select $1, path, type, etag, bytes, data,
       case when is_compressed::boolean then gzipped end, $2
     from unnest($3::text[], $4::text[], $5::text[], $6::text[])
       as given (path, etag, type, is_compressed)
     join source using (etag)
     on conflict (solution_id, path) do update set content_type = excluded.content_type,
       etag = excluded.etag, bytes = excluded.bytes, data = excluded.data,
       gzipped = excluded.gzipped, updated_at = excluded.updated_at`,
    [solutionId, atUs, ...fields],
  )
  await transaction.run(
    'delete from webservice_static_file where solution_id = $1 and path = any($2::text[])',
    [solutionId, textArray(removed)],
  )
  await transaction.run('delete from webservice_static_upload where solution_id = $1', [solutionId])
  return { made, isWithin: await staticCounts.recount(transaction, solutionId, quota) }
}
