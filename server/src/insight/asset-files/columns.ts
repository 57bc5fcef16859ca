import { cellText, refuseSeparator, textCell } from '../../devices/provisioning/index.ts'
import {
  Fault,
  invalid,
  isJsonObject,
  type JsonObject,
  limits,
  parseDecimal,
  parseJson,
} from '../../foundation/kernel/index.ts'
import type { Asset, AssetLocation, DeviceRef } from '../assets/index.ts'

/** The columns of a file, in the order in which they are written; a file may have some of them. */
export const assetColumns = [
  'id',
  'name',
  'description',
  'group_id',
  'asset_type',
  'connector_id',
  'identity',
  'latitude',
  'longitude',
  'locked',
  'template_id',
  'meta',
] as const

export type AssetColumn = (typeof assetColumns)[number]

/** Blanks around other cells are no part of them. */
const proseColumns: ReadonlySet<AssetColumn> = new Set(['name', 'description'])

/** Says why a row failed, in a file that people correct and send again: it is not read. */
const remarkColumn = 'error'

/** The values of an asset in a row; an empty cell states nothing. */
export type ReadAsset = {
  readonly id: string | undefined
  readonly name: string | undefined
  readonly description: string | undefined
  readonly groupId: string | undefined
  readonly assetType: string | undefined
  readonly device: DeviceRef | undefined
  readonly location: AssetLocation | undefined
  readonly locked: boolean | undefined
  readonly templateId: string | undefined
  readonly meta: JsonObject | undefined
}

/** The place of each column of a file. @throws Fault `csv_invalid` */
export function readHeader(names: readonly string[]): ReadonlyMap<AssetColumn, number> {
  refuseSeparator(names)
  const places = new Map<AssetColumn, number>()
  for (const [at, name] of names.entries()) {
    const word = name.trim().toLowerCase()
    if (word === remarkColumn) continue
    const column = assetColumns.find((one) => one === word)
    if (column === undefined) throw refused(`line 1: there is no column ${JSON.stringify(name)}`)
    if (places.has(column)) throw refused(`line 1: it has the column ${column} twice`)
    places.set(column, at)
  }
  if (!places.has('id') && !places.has('name')) {
    throw refused('line 1: it is not a header with the column id or name')
  }
  return places
}

function refused(reason: string): Fault {
  return new Fault('csv_invalid', undefined, { reason: reason.slice(0, limits.lineCharsMax) })
}

/** @throws Fault `invalid_argument`, naming the column */
export function readRow(
  cells: readonly string[],
  places: ReadonlyMap<AssetColumn, number>,
): ReadAsset {
  const text = (column: AssetColumn): string | undefined => {
    const cell = cells[places.get(column) ?? -1] ?? ''
    const text = proseColumns.has(column) ? cell : cell.trim()
    return text === '' ? undefined : cellText(text)
  }
  return {
    id: text('id'),
    name: text('name'),
    description: text('description'),
    groupId: text('group_id'),
    assetType: text('asset_type'),
    device: deviceIn(text('connector_id'), text('identity')),
    location: locationIn(text('latitude'), text('longitude')),
    locked: truthIn(text('locked')),
    templateId: text('template_id'),
    meta: metaIn(text('meta')),
  }
}

function deviceIn(
  connectorId: string | undefined,
  identity: string | undefined,
): DeviceRef | undefined {
  if (connectorId === undefined && identity === undefined) return undefined
  if (connectorId === undefined || identity === undefined) {
    throw invalid('connector_id and identity belong together')
  }
  return { connectorId, identity }
}

function locationIn(
  latitude: string | undefined,
  longitude: string | undefined,
): AssetLocation | undefined {
  if (latitude === undefined && longitude === undefined) return undefined
  const [north, east] = [parseDecimal(latitude ?? ''), parseDecimal(longitude ?? '')]
  if (north !== undefined && east !== undefined) return { latitude: north, longitude: east }
  throw invalid('latitude and longitude are numbers and belong together')
}

function truthIn(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  const word = text.toLowerCase()
  if (word !== 'true' && word !== 'false') throw invalid('locked is true or false')
  return word === 'true'
}

function metaIn(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined
  try {
    const meta = parseJson(text)
    if (isJsonObject(meta)) return meta
  } catch {
    // It is said below.
  }
  throw invalid('meta is a JSON object')
}

/** The cells of an asset, in the order of the columns. */
export function toCells(asset: Asset): string[] {
  const { device, location, meta } = asset
  const fixed = location !== null && 'latitude' in location ? location : undefined
  const cells: Record<AssetColumn, string> = {
    id: asset.id,
    name: asset.name,
    description: asset.description,
    group_id: asset.groupId,
    asset_type: asset.assetType ?? '',
    connector_id: device?.connectorId ?? '',
    identity: device?.identity ?? '',
    latitude: fixed === undefined ? '' : String(fixed.latitude),
    longitude: fixed === undefined ? '' : String(fixed.longitude),
    locked: String(asset.locked),
    template_id: asset.templateId ?? '',
    meta: Object.keys(meta).length === 0 ? '' : JSON.stringify(meta),
  }
  const isNumber = (column: AssetColumn) => column === 'latitude' || column === 'longitude'
  return assetColumns.map((column) => {
    return isNumber(column) ? cells[column] : textCell(cells[column])
  })
}
