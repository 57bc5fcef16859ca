import type { Queryable } from '../../database/index.ts'
import type { PipelineDocument } from '../document/types.ts'

/** A version as it is stored. */
export type StoredVersion = {
  readonly version: number
  readonly document: PipelineDocument
  readonly savedBy: string | null
  readonly savedAt: number
}

type Row = { version: number; document: string; saved_by: string | null; saved_at: number }

const columns = 'version, document, saved_by, saved_at'

function versionOf(row: Row): StoredVersion {
  return {
    version: row.version,
    document: documentOf(row.document),
    savedBy: row.saved_by,
    savedAt: row.saved_at,
  }
}

/** Documents from before links had checks hold none. */
function documentOf(text: string): PipelineDocument {
  const { links } = JSON.parse(text) as PipelineDocument
  return { links: links.map((link) => ({ ...link, checks: link.checks ?? [] })) }
}

/** The versions of an asset's pipeline, newest first. */
export async function readVersions(
  queryable: Queryable,
  businessId: string,
  assetId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<StoredVersion[]> {
  const text = `
    select ${columns} from pipelines_version where business_id = $1 and asset_id = $2
    order by version desc limit $3 offset $4`
  const values = [businessId, assetId, page.limit, page.offset]
  return (await queryable.rows<Row>(text, values)).map(versionOf)
}

export async function readVersion(
  queryable: Queryable,
  businessId: string,
  assetId: string,
  version: number,
): Promise<StoredVersion | undefined> {
  const text = `
    select ${columns} from pipelines_version
    where business_id = $1 and asset_id = $2 and version = $3`
  const row = await queryable.one<Row>(text, [businessId, assetId, version])
  return row === undefined ? undefined : versionOf(row)
}

/** Adds a version and drops those that are older than the newest `versionsMax`. */
export async function addVersion(
  queryable: Queryable,
  businessId: string,
  assetId: string,
  { version, document, savedBy, savedAt }: StoredVersion,
  versionsMax: number,
): Promise<void> {
  const text = `
    insert into pipelines_version (business_id, asset_id, version, document, saved_by, saved_at)
    values ($1, $2, $3, $4, $5, $6)`
  const json = JSON.stringify(document)
  await queryable.run(text, [businessId, assetId, version, json, savedBy, savedAt])
  const old = `
    delete from pipelines_version where business_id = $1 and asset_id = $2 and version <= $3`
  await queryable.run(old, [businessId, assetId, version - versionsMax])
}

export async function dropVersions(
  queryable: Queryable,
  businessId: string,
  assetId: string,
): Promise<void> {
  const text = 'delete from pipelines_version where business_id = $1 and asset_id = $2'
  await queryable.run(text, [businessId, assetId])
}
