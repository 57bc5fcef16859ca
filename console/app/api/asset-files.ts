import { type components, errorIn, readJson, upload } from '@millrace/client'
import type { Client } from './client.ts'

/** The result of a file: how many rows made or changed an asset, and each row with its error. */
export type AssetImport = components['schemas']['AssetImport']

/** Which assets a file has. */
export type ExportFilter = {
  /** Assets of this group and those below it. */
  readonly group?: string | undefined
  readonly text?: string | undefined
  readonly level?: string | undefined
  /** Made of this template. */
  readonly template?: string | undefined
}

/** A file is read and followed row by row, before or while the answer goes out. */
export const fileMsMax = 600_000

/** The assets that a filter finds, as CSV. Needs `View Asset`. */
export async function exportAssets(client: Client, filter: ExportFilter): Promise<string> {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined) query.set(name, value)
  }
  const path = `/api:1/assets/export?${query}`
  const response = await client.request(path, { timeoutMs: fileMsMax })
  if (!response.ok) throw await errorIn(response)
  return response.text()
}

/**
 * Makes and changes assets by the rows of a CSV file. Needs `Asset Management`.
 * @param isTrial everything is checked, and nothing is written.
 */
export async function importAssets(
  client: Client,
  file: Blob,
  isTrial: boolean,
): Promise<AssetImport> {
  const path = `/api:1/assets/import${isTrial ? '?dry_run=true' : ''}`
  const options = { method: 'POST', contentType: 'text/csv', timeoutMs: fileMsMax } as const
  return (await readJson(await upload(client, path, file, options), fileMsMax)) as AssetImport
}
