import {
  type AssetFragment,
  type AssetLocationInput,
  type ConsoleAssetEventsQuery,
  type ConsoleAssetsQuery,
  type ConsoleAssetsQueryVariables,
  type ConsolePlacesQuery,
  type CreateAssetInput,
  type CreateAssetsMutation,
  consoleAssetEventsDocument,
  consoleAssetsDocument,
  consoleDependantsDocument,
  consolePlacesDocument,
  createAssetDocument,
  createAssetsDocument,
  deleteAssetDocument,
  type StatusName,
  updateAssetDocument,
} from '../generated/documents.ts'
import type { Client } from './client.ts'
import { ask } from './graphql.ts'

export type { StatusName } from '../generated/documents.ts'
export type Asset = AssetFragment
export type AssetPage = ConsoleAssetsQuery
export type NewAsset = CreateAssetInput
export type Place = ConsolePlacesQuery['assets'][number]
export type AssetHistory = NonNullable<ConsoleAssetEventsQuery['asset']>

/** From the least to the worst. */
export const levels: readonly StatusName[] = ['normal', 'info', 'warning', 'critical', 'error']

/** Those that the filters find, with their number. Needs `View Asset`. */
export function listAssets(
  client: Client,
  page: ConsoleAssetsQueryVariables,
  signal: AbortSignal | null = null,
): Promise<AssetPage> {
  return ask(client, consoleAssetsDocument, page, signal)
}

/** Assets that have a place. */
export async function listPlaces(client: Client, signal: AbortSignal): Promise<readonly Place[]> {
  return (await ask(client, consolePlacesDocument, {}, signal)).assets
}

/** The newest events and lines of an asset's log. Null: it is not there any more. */
export async function readAssetHistory(
  client: Client,
  id: string,
  limit: number,
  signal: AbortSignal,
): Promise<AssetHistory | null> {
  return (await ask(client, consoleAssetEventsDocument, { id, limit }, signal)).asset
}

/** The result of each asset, in their order: none has an error where all were made. */
export type MadeAssets = NonNullable<CreateAssetsMutation['createAssets']>

/** Makes at most 100 assets, each for itself. */
export async function createAssets(client: Client, inputs: NewAsset[]): Promise<MadeAssets> {
  return (await ask(client, createAssetsDocument, { inputs })).createAssets ?? []
}

/** Returns the id of the new asset. */
export async function createAsset(client: Client, input: NewAsset): Promise<string> {
  const { createAsset: made } = await ask(client, createAssetDocument, { input })
  return made?.id ?? ''
}

type AssetPart = {
  readonly name?: string
  readonly groupId?: string
  readonly locked?: boolean
  readonly location?: AssetLocationInput | null
}

export function changeAsset(client: Client, id: string, input: AssetPart): Promise<unknown> {
  return ask(client, updateAssetDocument, { id, input })
}

export function removeAsset(client: Client, id: string): Promise<unknown> {
  return ask(client, deleteAssetDocument, { id })
}

/** The names of what goes with an asset: its signals and its functions. */
export async function readDependants(client: Client, id: string, signal: AbortSignal) {
  const { asset } = await ask(client, consoleDependantsDocument, { id }, signal)
  const names = (things: readonly { readonly name: string }[] = []) => things.map((one) => one.name)
  return { signals: names(asset?.signals), links: names(asset?.links) }
}
