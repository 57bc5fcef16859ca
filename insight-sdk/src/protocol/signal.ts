import {
  type Complaints,
  describeType,
  Fields,
  isObject,
  type JsonObject,
  present,
  quote,
} from './reading.ts'
import type { JsonValue, SignalData } from './types.ts'

const knownFields = ['ts', 'value', 'origin', 'generated', 'gts', 'tags', 'ttl']

/**
 * Reads one SignalData, or gives nothing where it has no time or no value.
 *
 * @param name where it stands, as the subject of a sentence: `outlet 0`
 * @param unusable gets why a signal that has a value is left out
 */
export function readSignal(
  item: unknown,
  name: string,
  complaints: Complaints,
  unusable: Complaints,
): SignalData | undefined {
  if (item === null) {
    complaints.add(`${name}: a signal is null, taken as no output`)
    return undefined
  }
  if (!isObject(item)) {
    unusable.add(`${name}: a signal is ${describeType(item)}, not an object`)
    return undefined
  }
  const fields = new Fields(item, name, complaints).only(knownFields)
  const value = fields.raw('value')
  if (value === undefined || value === null) {
    fields.complain(`value is ${describeType(value)}, taken as no output`)
    return undefined
  }
  if (Array.isArray(value)) fields.complain('value is an array, not a string, number or object')
  const ts = fields.integer('ts')
  if (ts === undefined) {
    const given = fields.raw('ts')
    unusable.add(`${name}: ts is ${given === undefined ? 'missing' : `${quote(given)}, no time`}`)
    return undefined
  }
  return present({
    ts,
    value,
    ...readIds(fields),
    gts: fields.integer('gts'),
    tags: readTags(fields),
    ttl: fields.integer('ttl'),
  })
}

/** The fields of a signal that the protocol does not define. */
export function extraFields(item: unknown): JsonObject {
  const fields = isObject(item) ? Object.entries(item) : []
  return Object.fromEntries(fields.filter(([key]) => !knownFields.includes(key)))
}

function readIds(fields: Fields): { origin: string; generated: string } {
  const origin = fields.string('origin') || undefined
  const generated = fields.string('generated') || undefined
  if (origin === undefined) fields.complain('origin is missing')
  if (generated === undefined) fields.complain('generated is missing')
  return {
    origin: origin ?? generated ?? 'unknown',
    generated: generated ?? origin ?? 'unknown',
  }
}

function readTags(fields: Fields): SignalData['tags'] {
  const given = fields.raw('tags')
  if (given === undefined || given === null) return undefined
  if (!isObject(given)) {
    fields.complain(`tags is ${describeType(given)}, not an object; it is left out`)
    return undefined
  }
  const isTag = (tag: JsonValue | undefined) => typeof tag === 'string' && tag !== ''
  if (Object.values(given).every(isTag)) return given as SignalData['tags']
  fields.complain('tags that are no string of at least one character are left out')
  const tags = Object.entries(given).filter(([, tag]) => isTag(tag))
  return Object.fromEntries(tags) as SignalData['tags']
}
