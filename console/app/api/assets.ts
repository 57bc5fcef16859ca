import {
  type AssetFragment,
  type ConsoleAssetsQuery,
  type ConsoleAssetsQueryVariables,
  consoleAssetsDocument,
} from '../generated/documents.ts'
import type { Client } from './client.ts'
import { ask } from './graphql.ts'

export type { StatusName } from '../generated/documents.ts'
export type Asset = AssetFragment
export type AssetPage = ConsoleAssetsQuery

/** In the order they were created. Needs `View Asset`. */
export function listAssets(
  client: Client,
  page: ConsoleAssetsQueryVariables,
  signal: AbortSignal | null = null,
): Promise<AssetPage> {
  return ask(client, consoleAssetsDocument, page, signal)
}
