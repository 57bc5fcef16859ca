import {
  cut,
  isJsonObject,
  type JsonObject,
  limits,
  parseJsonObject,
} from '../../foundation/kernel/index.ts'
import { type Complain, numberIn, objectIn, textIn } from './config-io-fields.ts'
import { assetLimits } from './limits.ts'
import type { ChannelSpec, PrimitiveType } from './types.ts'
import { findDataType, findPrimitiveType, findUnit } from './units/catalogue.ts'

/** The channels that were understood, and a sentence for each thing that was odd. */
export type ConfigIo =
  | { readonly channels: ChannelSpec[]; readonly complaints: string[] }
  | { readonly error: string }

const primitiveTypes: ReadonlyMap<string, PrimitiveType> = new Map([
  ['NUMERIC', 'NUMERIC'],
  ['NUMBER', 'NUMERIC'],
  ['STRING', 'STRING'],
  ['BOOLEAN', 'BOOLEAN'],
  ['JSON', 'JSON'],
])

/**
 * Reads a device's description of its channels. Files in the field are written by hand and by
 * firmware: what can be understood is taken, what cannot is named in a complaint. Never throws.
 */
export function parseConfigIo(text: string): ConfigIo {
  if (Buffer.byteLength(text) > limits.resourceValueBytesMax) {
    return { error: `config_io is above ${limits.resourceValueBytesMax} bytes` }
  }
  const object = parseJsonObject(text)
  if (object === undefined) return { error: 'config_io is not a JSON object' }
  const { channels } = object
  if (!isJsonObject(channels)) return { error: 'config_io has no object "channels"' }
  return parseChannels(channels)
}

function parseChannels(object: JsonObject): ConfigIo {
  const complaints: string[] = []
  const complain = (sentence: string) => {
    if (complaints.length < limits.complaintsMax)
      complaints.push(cut(sentence, limits.lineCharsMax))
  }
  const channels: ChannelSpec[] = []
  for (const [name, value] of Object.entries(object)) {
    if (channels.length === limits.signalsPerAssetMax) {
      complain(`the channels after the first ${limits.signalsPerAssetMax} are left out`)
      break
    }
    const about: Complain = (sentence) => complain(`channel ${JSON.stringify(name)}: ${sentence}`)
    if (!isChannelName(name)) about('such a name cannot be used')
    else if (!isJsonObject(value)) about('it is not an object')
    else channels.push(parseChannel(name, value, about))
  }
  return { channels, complaints }
}

function isChannelName(name: string): boolean {
  const used = name !== '' && name !== '__error' && !name.includes('\0')
  return used && name.length <= limits.nameCharsMax && name.isWellFormed()
}

function parseChannel(channel: string, object: JsonObject, complain: Complain): ChannelSpec {
  const properties = objectIn(object, 'properties', complain)
  const rates = objectIn(object, 'protocol_config', complain)
  const iot = objectIn(object, 'iot_properties', complain)
  const dataType = textIn(properties, 'data_type', limits.nameCharsMax, complain)
  const unit = textIn(properties, 'data_unit', limits.nameCharsMax, complain)
  const dataUnit = unit ?? textIn(iot, 'data_unit', limits.nameCharsMax, complain)
  complainOfUnits(dataType, dataUnit, complain)
  return {
    channel,
    name: textIn(object, 'display_name', limits.nameCharsMax, complain) ?? channel,
    description: textIn(object, 'description', limits.descriptionCharsMax, complain) ?? '',
    primitiveType: primitiveTypeIn(properties, dataType, complain),
    dataType,
    dataUnit,
    precision: numberIn(properties, 'precision', complain),
    ...rangeIn(properties, complain),
    control: properties.control === true || properties.control === 'true',
    sampleRateMs: durationIn(rates, 'sample_rate', complain),
    reportRateMs: durationIn(rates, 'report_rate', complain),
    timeoutMs: durationIn(rates, 'timeout', complain),
    multiplier: numberIn(iot, 'multiplier', complain),
    offset: numberIn(iot, 'offset', complain),
  }
}

/** An unknown unit is accepted, but it may be a typing error. */
function complainOfUnits(type: string | null, unit: string | null, complain: Complain): void {
  if (type === null) return
  const known = findDataType(type)
  if (known === undefined) {
    complain(`the data type ${type} is not in the catalogue`)
    return
  }
  if (unit !== null && findUnit(known, unit) === undefined) {
    complain(`the unit ${unit} is not in the catalogue of ${type}`)
  }
}

/** Returns the given primitive type, else that of the data type, else a number. */
function primitiveTypeIn(
  properties: JsonObject,
  dataType: string | null,
  complain: Complain,
): PrimitiveType {
  const implied = dataType === null ? undefined : findPrimitiveType(dataType)
  const given = textIn(properties, 'primitive_type', limits.nameCharsMax, complain)
  if (given === null) return implied ?? 'NUMERIC'
  const known = primitiveTypes.get(given.toUpperCase())
  if (known !== undefined) return known
  complain(`the primitive type ${given} is not known`)
  return implied ?? 'NUMERIC'
}

function rangeIn(properties: JsonObject, complain: Complain) {
  const min = numberIn(properties, 'min', complain)
  const max = numberIn(properties, 'max', complain)
  if (min === null || max === null || min <= max) return { min, max }
  complain('its min is above its max')
  return { min: null, max: null }
}

/** Whole milliseconds; 0 and less mean none. */
function durationIn(object: JsonObject, name: string, complain: Complain): number | null {
  const ms = numberIn(object, name, complain)
  if (ms === null || ms <= 0) return null
  if (ms > assetLimits.signalTimeoutMsMax)
    complain(`${name} is cut to ${assetLimits.signalTimeoutMsMax} ms`)
  return Math.min(Math.ceil(ms), assetLimits.signalTimeoutMsMax)
}
