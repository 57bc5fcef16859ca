import { type Database, textArray } from '../../../server/src/foundation/database/index.ts'
import { newId, parseIso } from '../../../server/src/foundation/kernel/index.ts'
import { accountLimits } from '../../../server/src/people/accounts/index.ts'
import { wholeView } from '../../../server/src/people/groups/index.ts'
import type { Platform } from '../../../server/src/platform/platform.ts'

/** The lists that are asked for: so many assets, each with all its signals or none. */
export const lists = [
  { name: '20 assets', limit: 20, signals: false },
  { name: '20 assets + 5 signals each', limit: 20, signals: true },
  { name: '100 assets + 5 signals each', limit: 100, signals: true },
] as const

export type List = (typeof lists)[number]

const signalsEach = 5
const assetsAtOnce = 50

/** The same columns as `listDocument` selects and `readList` reads. */
export function listDocument({ limit, signals }: List): string {
  const below = signals ? ' signals { id name primitiveType dataType dataUnit }' : ''
  return `{ assets(pagination: { limit: ${limit} }) { id name description createdAt${below} } }`
}

/** The same rows from PostGraphile, whose answer nests them in connections. */
export function peerListDocument({ limit, signals }: List, businessId: string): string {
  const selected = 'id: rowId name primitiveType dataType dataUnit'
  const below = ` signals: assetsSignalsByBusinessIdAndAssetId(orderBy: KEY_ASC)`
  const list = `allAssetsAssets(first: ${limit}, orderBy: NUMBER_ASC,
    condition: { businessId: ${JSON.stringify(businessId)} })`
  return `{ assets: ${list} { nodes { id: rowId name description createdAt
    ${signals ? `${below} { nodes { ${selected} } }` : ''} } } }`
}

type Nested<One> = readonly One[] | { readonly nodes: readonly One[] }
type AnsweredAsset = {
  readonly createdAt: unknown
  readonly signals?: Nested<Readonly<Record<string, unknown>>>
}
export type Answer = { readonly data: { readonly assets: Nested<AnsweredAsset> } }

/** The assets of an answer, in the form that all of them have in common. */
export function readAssets({ data }: Answer): readonly object[] {
  return toNodes(data.assets).map(({ signals, createdAt, ...asset }) => ({
    ...{ ...asset, createdAt: parseIso(String(createdAt)) ?? Number(createdAt) },
    signals: signals && toNodes(signals),
  }))
}

const toNodes = <One>(list: Nested<One>) => ('nodes' in list ? list.nodes : list)

/** A request for a list, as a client with an API token sends it. */
export function listRequest(path: string, body: string, token: string): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Automation ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Makes a business with its assets. @returns its id, and an API token that may read them. */
export async function makeCatalogue(platform: Platform, assetsTotal: number) {
  const { accounts, assets, database, random } = platform
  const { id: businessId } = await accounts.createBusiness({ name: `Bench ${newId(random)}` })
  for (let made = 0; made < assetsTotal; made += assetsAtOnce) {
    await Promise.all(
      Array.from({ length: assetsAtOnce }, (_, at) =>
        assets.create(wholeView(businessId), {
          name: `Asset ${made + at}`,
          description: 'A pump in the third hall',
          signals: Array.from({ length: signalsEach }, (_, number) => ({
            name: `Signal ${number}`,
            primitiveType: 'NUMERIC' as const,
            dataType: 'TEMPERATURE',
            dataUnit: 'DEG_CELSIUS',
          })),
        }),
      ),
    )
  }
  await database.run('analyze')
  const rateLimits = {
    requests: accountLimits.graphqlTokenRequestsMax,
    timeMs: accountLimits.graphqlTokenMsMax,
  }
  const wanted = { name: 'Bench', role: 'Viewer', rateLimits }
  const { token } = await accounts.createToken(businessId, wanted)
  return { businessId, token }
}

type AssetRow = { id: string; name: string; description: string; createdAt: number }
type SignalRow = { id: string; name: string; assetId?: string; signals?: unknown }

const selectAssets = `
  select id, name, description, created_at as "createdAt" from assets_asset
  where business_id = $1 order by number limit $2`

const selectSignals = `
  select asset_id as "assetId", id, name, primitive_type as "primitiveType",
         data_type as "dataType", data_unit as "dataUnit"
  from assets_signal where business_id = $1 and asset_id = any($2::text[]) order by key`

/** Reads the list as a programmer would by hand: two prepared statements, no more. */
export async function readList(database: Database, businessId: string, list: List) {
  const assets = await database.rows<AssetRow>(selectAssets, [businessId, list.limit])
  if (!list.signals) return { data: { assets } }
  const ids = textArray(assets.map(({ id }) => id))
  const signals = await database.rows<SignalRow>(selectSignals, [businessId, ids])
  const byAsset = new Map<string | undefined, SignalRow[]>(assets.map(({ id }) => [id, []]))
  for (const { assetId, ...signal } of signals) byAsset.get(assetId)?.push(signal)
  return { data: { assets: assets.map((one) => ({ ...one, signals: byAsset.get(one.id) })) } }
}
