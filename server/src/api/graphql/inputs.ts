import { deviceId } from '../../devices/provisioning/index.ts'
import {
  Fault,
  isJsonObject,
  type JsonObject,
  limits,
  parseIso,
  refuseTime,
} from '../../foundation/kernel/index.ts'
import {
  type AssetChange,
  type AssetFilter,
  type AssetLocation,
  type DeviceRef,
  type Level,
  levelNamed,
  type NewAsset,
  type NewSignal,
  type ResourceSource,
  type SignalChange,
} from '../../insight/assets/index.ts'
import type { Context } from './context.ts'
import type {
  AssetFilters,
  AssetLocationInput,
  CreateAssetInput,
  NewSignalInput,
  Pagination,
  UpdateAssetInput,
  UpdateSignalInput,
} from './generated/resolvers.ts'

/** @throws Fault `invalid_argument`, as all of this file. */
export function parseNewAsset({
  signals,
  meta,
  location,
  channelsOfDevice: _,
  ...asset
}: CreateAssetInput): NewAsset {
  return {
    ...asset,
    meta: parseObject(meta, 'meta'),
    signals: signals?.map(parseNewSignal),
    location: location && parseLocation(location),
  }
}

export function parseAssetChange({ meta, location, ...change }: UpdateAssetInput): AssetChange {
  return {
    ...change,
    ...(meta === undefined ? {} : { meta: parseObject(meta, 'meta') }),
    ...(location === undefined ? {} : { location: location && parseLocation(location) }),
  }
}

function parseLocation({ latitude, longitude, signal }: AssetLocationInput): AssetLocation {
  if (signal != null && latitude == null && longitude == null) return { signalId: signal }
  if (signal == null && latitude != null && longitude != null) return { latitude, longitude }
  throw new Fault('invalid_argument', 'A location must be a latitude and a longitude, or a signal.')
}

export function parseAssetFilters(filters: AssetFilters | null | undefined): AssetFilter {
  const { text, level, signalIds, location, near, box, orderBy: order, sort } = filters ?? {}
  if (order != null && order !== 'created' && order !== 'name' && order !== 'distance') {
    throw new Fault('invalid_argument', 'orderBy must be created, name or distance.')
  }
  return {
    text,
    levels: parseLevels(level),
    createdFrom: parseTime(filters?.created_from, 'created_from'),
    createdTo: parseTime(filters?.created_to, 'created_to'),
    signalIds: signalIds?.filter((id) => id != null),
    templateIds: filters?.templateIds,
    location,
    near,
    box,
    order,
    descending: parseSort(sort),
  }
}

/** Returns whether a list runs backwards. */
export function parseSort(sort: string | null | undefined): boolean {
  const way = sort?.toLowerCase() ?? 'asc'
  if (way === 'asc' || way === 'desc') return way === 'desc'
  throw new Fault('invalid_argument', 'sort must be asc or desc.')
}

/** Levels by their names, in any case. */
export function parseLevels(names: readonly (string | null | undefined)[] | null | undefined) {
  return names?.filter((one) => one != null).map(parseLevel)
}

function parseLevel(name: string): Level {
  const level = levelNamed(name.toLowerCase())
  if (level !== undefined) return level
  throw new Fault('invalid_argument', `There is no level ${JSON.stringify(name)}.`)
}

function parseTime(text: string | null | undefined, what: string): number | undefined {
  if (text == null) return undefined
  const us = parseIso(text)
  const refusal = us === undefined ? undefined : refuseTime(us)
  if (refusal !== undefined) throw new Fault('invalid_argument', `${what} ${refusal}.`)
  if (us !== undefined) return us
  throw new Fault(
    'invalid_argument',
    `${what} must be a time with its zone, such as 2026-01-31T12:00Z.`,
  )
}

export function parseNewSignal({ source, tags, ...signal }: NewSignalInput): NewSignal {
  return { ...signal, source: source ? parseSource(source) : null, tags: parseTags(tags) }
}

export function parseSignalChange({ source, tags, ...change }: UpdateSignalInput): SignalChange {
  return {
    ...change,
    ...(source === undefined ? {} : { source: source && parseSource(source) }),
    ...(tags === undefined ? {} : { tags: parseTags(tags) }),
  }
}

function parseSource({
  alias,
  channel,
  device,
}: NonNullable<NewSignalInput['source']>): ResourceSource {
  return { alias, ...(channel == null ? {} : { channel }), ...(device == null ? {} : { device }) }
}

function parseTags(tags: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(parseObject(tags, 'tags'))
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (typeof value !== 'string') throw new Fault('invalid_argument', 'A tag must be a text.')
      return [name, value]
    }),
  )
}

/** Returns a `JSON` argument that must be an object; an empty one if it is absent. */
export function parseObject(value: unknown, what: string): JsonObject {
  if (value === null || value === undefined) return {}
  if (isJsonObject(value)) return value
  throw new Fault('invalid_argument', `${what} must be a JSON object.`)
}

/** The devices that a new asset names, itself and its signals'. */
export function listDevices({
  device,
  signals,
}: Pick<NewAsset, 'device' | 'signals'>): readonly DeviceRef[] {
  return [device, ...(signals ?? []).map(findDevice)].filter((ref) => ref != null)
}

/** The device that a new signal names itself, where it does. */
export function findDevice({ source }: Pick<NewSignal, 'source'>): DeviceRef | undefined {
  return source && 'device' in source ? source.device : undefined
}

export type PageInput = { readonly limit: number; readonly offset: number }

/** @throws Fault `invalid_argument` or `list_too_long`, naming the limit. */
export function toPage(pagination: Pagination | null | undefined): PageInput {
  const limit = pagination?.limit ?? limits.pageDefault
  const offset = pagination?.offset ?? 0
  const range = `limit is from 0 to ${limits.pageMax}.`
  if (limit < 0) throw new Fault('invalid_argument', range)
  if (limit > limits.pageMax) throw new Fault('list_too_long', range)
  if (offset < 0) throw new Fault('invalid_argument', 'offset must not be below 0.')
  return { limit, offset }
}

/**
 * Assets know connectors by their ids only, so whose they are is asked here. A caller who sees a
 * part of the business names devices that lie in it.
 * @throws Fault `not_found` for a connector that is not the business's own.
 */
export async function requireOwnDevices(
  context: Context,
  devices: readonly DeviceRef[],
): Promise<void> {
  if (devices.length === 0) return
  const { provisioning, groups, businessId, principal } = context
  const view = await groups.widened(principal.view)
  const own = new Set((await provisioning.connectors.list(businessId)).map(({ id }) => id))
  const foreign = devices.find(({ connectorId }) => !own.has(connectorId))
  if (foreign !== undefined) {
    throw new Fault('not_found', `There is no connector ${foreign.connectorId}.`)
  }
  if (view.groups === 'all') return
  const seen = new Set((await provisioning.devices.some(view, devices)).map(deviceId))
  const missing = devices.find((device) => !seen.has(deviceId(device)))
  if (missing === undefined) return
  const { connectorId, identity } = missing
  throw new Fault('not_found', `There is no device ${identity} of a connector ${connectorId}.`)
}
