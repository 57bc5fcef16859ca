import {
  checkedDescription,
  checkedName,
  checkedText,
  invalid,
  isCount,
  type JsonObject,
  limits,
} from '../../foundation/kernel/index.ts'
import { assetLimits } from './limits.ts'
import { checkedDisplay } from './signals/display.ts'
import type {
  AssetLocation,
  DeviceRef,
  NewSignal,
  PrimitiveType,
  Signal,
  SignalSource,
} from './types.ts'

/** What other programs keep with an asset, as JSON. */
const assetMetaCharsMax = 16_384

const primitiveTypes: readonly PrimitiveType[] = ['NUMERIC', 'STRING', 'BOOLEAN', 'JSON']

/** An object that JSON can keep, no longer than `assetMetaCharsMax` as a text. */
export function checkedMeta(meta: JsonObject): JsonObject {
  if (JSON.stringify(meta).length <= assetMetaCharsMax) return meta
  throw invalid(`meta has at most ${assetMetaCharsMax} characters as JSON`)
}

export function checkedLocation(location: AssetLocation): AssetLocation {
  if ('signalId' in location) return location
  const { latitude, longitude } = location
  if (Math.abs(latitude) > 90) throw invalid('latitude is from -90 to 90 degrees')
  if (Math.abs(longitude) > 180) throw invalid('longitude is from -180 to 180 degrees')
  return location
}

export function checkedDevice({ connectorId, identity }: DeviceRef): DeviceRef {
  if (connectorId === '' || identity === '') {
    throw invalid('a device is a connector id and an identity')
  }
  checkedText(connectorId, 'a connector id', limits.nameCharsMax)
  checkedText(identity, 'an identity', limits.identityCharsMax)
  return { connectorId, identity }
}

/** The signal with everything that was left out. */
export function checkedSignal(signal: NewSignal): Omit<Signal, 'id' | 'key' | PlaceField> {
  if (!primitiveTypes.includes(signal.primitiveType)) {
    throw invalid(`primitiveType is one of ${primitiveTypes.join(', ')}`)
  }
  const [min, max] = [checkedNumber(signal.min, 'min'), checkedNumber(signal.max, 'max')]
  if (min !== null && max !== null && min > max) throw invalid('min is above max')
  return {
    name: checkedName(signal.name),
    description: checkedDescription(signal.description),
    primitiveType: signal.primitiveType,
    dataType: checkedWord(signal.dataType, 'dataType'),
    dataUnit: checkedWord(signal.dataUnit, 'dataUnit'),
    precision: checkedNumber(signal.precision, 'precision'),
    min,
    max,
    multiplier: checkedNumber(signal.multiplier, 'multiplier'),
    offset: checkedNumber(signal.offset, 'offset'),
    source: checkedSource(signal.source ?? null),
    timeoutMs: checkedTimeout(signal.timeoutMs ?? null),
    tags: checkedTags(signal.tags ?? {}),
    display: checkedDisplay(signal.display ?? {}),
    templateKey: signal.templateKey ?? null,
  }
}

type PlaceField = 'assetId' | 'businessId'

export function checkedWord(text: string | null | undefined, what: string): string | null {
  return text ? checkedText(text, what, limits.nameCharsMax) : null
}

function checkedNumber(value: number | null | undefined, what: string): number | null {
  if (value === null || value === undefined) return null
  if (!Number.isFinite(value)) throw invalid(`${what} is a finite number`)
  return value
}

function checkedTimeout(timeoutMs: number | null): number | null {
  if (timeoutMs === null) return null
  if (!isCount(timeoutMs) || timeoutMs < 1 || timeoutMs > assetLimits.signalTimeoutMsMax) {
    throw invalid(`timeoutMs is a whole number from 1 to ${assetLimits.signalTimeoutMsMax}`)
  }
  return timeoutMs
}

function checkedTags(tags: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(tags)
  if (entries.length > limits.tagsMax) throw invalid(`there are at most ${limits.tagsMax} tags`)
  for (const [name, value] of entries) {
    checkedText(checkedName(name), 'a tag', limits.nameCharsMax)
    checkedText(value, 'a tag', limits.nameCharsMax)
  }
  return Object.fromEntries(entries)
}

function checkedSource(source: SignalSource | null): SignalSource | null {
  if (source === null) return null
  if ('linkId' in source) {
    const { linkId, outlet } = source
    if (linkId === '' || !isCount(outlet) || outlet >= assetLimits.outletsMax) {
      throw invalid(`outlet is a whole number below ${assetLimits.outletsMax}`)
    }
    return { linkId: checkedText(linkId, 'a link id', limits.nameCharsMax), outlet }
  }
  if (source.alias === '') throw invalid('the alias of the source is missing')
  checkedText(source.alias, 'an alias', limits.nameCharsMax)
  return {
    alias: source.alias,
    ...(source.channel === undefined
      ? {}
      : { channel: checkedText(source.channel, 'a channel', limits.nameCharsMax) }),
    ...(source.device === undefined ? {} : { device: checkedDevice(source.device) }),
  }
}
