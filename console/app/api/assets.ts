import {
  type AssetFragment,
  type ConsoleAssetEventsQuery,
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
} from '../generated/assets.ts'
import { asking, reading } from './graphql.ts'

export type { StatusName } from '../generated/graph-types.ts'
export type Asset = AssetFragment
export type NewAsset = CreateAssetInput
export type Place = ConsolePlacesQuery['assets'][number]
export type AssetHistory = NonNullable<ConsoleAssetEventsQuery['asset']>

/** From the least to the worst. */
export const levels: readonly StatusName[] = ['normal', 'info', 'warning', 'critical', 'error']

/** Lists the assets that the filters find, with their number. Needs `View Asset`. */
export const listAssets = asking(consoleAssetsDocument)

/** Assets that have a place. */
export const listPlaces = reading(consolePlacesDocument, 'assets')

/** The newest events and lines of an asset's log. Null: it is not there any more. */
export const readAssetHistory = asking(consoleAssetEventsDocument, 'asset')

/** The result of each asset, in their order: none has an error where all were made. */
export type MadeAssets = NonNullable<CreateAssetsMutation['createAssets']>

/** Makes at most 100 assets, each for itself. */
export const createAssets = asking(createAssetsDocument, 'createAssets')

export const createAsset = asking(createAssetDocument, 'createAsset')

export const changeAsset = asking(updateAssetDocument, 'updateAsset')

export const removeAsset = asking(deleteAssetDocument, 'deleteAsset')

/** The signals and the functions that go with an asset. */
export const readDependants = asking(consoleDependantsDocument, 'asset')
