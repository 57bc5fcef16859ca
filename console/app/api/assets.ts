import type { Client } from './call.ts'
import { ask, type Document } from './graphql.ts'

export type StatusName = 'normal' | 'info' | 'warning' | 'critical' | 'error'

export type Asset = {
  readonly id: string
  readonly name: string
  readonly device: { readonly connectorId: string; readonly identity: string } | null
  readonly status: {
    readonly name: StatusName
    /** Microseconds since 1970; null if no rule has set it. */
    readonly since: number | null
    /** Whether a signal is silent for longer than it may. */
    readonly timeout: boolean
  }
}

export type AssetPage = { readonly assetCount: number; readonly assets: readonly Asset[] }

type Page = { readonly limit: number; readonly offset: number }

export const assetsDocument: Document<Page, AssetPage> = {
  text: `query ConsoleAssets($limit: Int, $offset: Int) {
    assetCount
    assets(pagination: { limit: $limit, offset: $offset }) {
      id
      name
      device { connectorId identity }
      status { name since timeout }
    }
  }`,
}

/** In the order they were created. Needs `View Asset`. */
export function listAssets(client: Client, page: Page, signal?: AbortSignal): Promise<AssetPage> {
  return ask(client, assetsDocument, page, signal)
}
