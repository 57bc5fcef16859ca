import { readConstant } from './constant.ts'
import { faultsOfHistory } from './history.ts'
import {
  Complaints,
  describeType,
  Fields,
  isObject,
  type JsonObject,
  present,
  quote,
  type Reading,
} from './reading.ts'
import { readInlet, readOutlet, signalTypeFields } from './signal-type.ts'
import { readTranslations } from './translations.ts'
import { functionTypes, type Insight, inletsMax, outletsMax } from './types.ts'

const knownFields = [
  'id',
  'name',
  'description',
  'translations',
  'type',
  'constants',
  'constants_multiple_maximum',
  'inlets',
  'outlets',
  'history',
]

/** Reads one function, the answer of `GET /insight/{function_id}`. Without an id there is none. */
export function readInsight(json: unknown): Reading<Insight> {
  if (!isObject(json)) return { error: `the function is ${describeType(json)}, not an object` }
  const id = typeof json.id === 'number' ? String(json.id) : json.id
  if (typeof id !== 'string' || id === '') return { error: 'the function has no id' }
  const complaints = new Complaints()
  const fields = new Fields(json, `function ${quote(id)}`, complaints).only(knownFields)
  if (id !== json.id) fields.complain('id is a number, taken as a string')
  const value = present({
    id,
    ...readWords(fields, id),
    translations: readTranslations(fields),
    type: readType(fields),
    constants: readParts(fields, complaints, id, 'constant', readConstant),
    constants_multiple_maximum: fields.number('constants_multiple_maximum'),
    inlets: readParts(fields, complaints, id, 'inlet', readInlet),
    outlets: readParts(fields, complaints, id, 'outlet', readOutlet),
    history: fields.raw('history'),
  })
  const constantNames = value.constants.map(({ name }) => name)
  for (const fault of faultsOfHistory(value.history, constantNames)) {
    fields.complain(fault)
  }
  return { value, complaints: complaints.list() }
}

function readWords(fields: Fields, id: string): { name: string; description: string } {
  const name = fields.string('name')
  const description = fields.string('description')
  if (name === undefined) fields.complain('name is missing; the id stands for it')
  if (description === undefined) fields.complain('description is missing')
  return { name: name ?? id, description: description ?? '' }
}

function readType(fields: Fields): Insight['type'] {
  const type = fields.readWord('type', functionTypes)
  if (type === undefined) fields.complain('type is missing, taken as transform')
  return type ?? 'transform'
}

const partsMax = { constant: Number.POSITIVE_INFINITY, inlet: inletsMax, outlet: outletsMax }

/** The parts of one kind, in order; what cannot be read and what is too many is left out. */
function readParts<T>(
  fields: Fields,
  complaints: Complaints,
  id: string,
  part: keyof typeof partsMax,
  read: (fields: Fields, index: number) => T | undefined,
): T[] {
  const given = readList(fields, `${part}s`)
  const max = partsMax[part]
  if (given.length > max) {
    fields.complain(`${given.length} ${part}s, more than ${max}; the rest is left out`)
  }
  return given.slice(0, max).flatMap((item, index) => {
    if (!isObject(item)) {
      fields.complain(`${part} ${index} is ${describeType(item)}, not an object; it is left out`)
      return []
    }
    const name = `${part} ${index} of ${quote(id)}`
    const taken = read(new Fields(item, name, complaints), index)
    return taken === undefined ? [] : [taken]
  })
}

/** A list; modules in the field also send one item bare, or an object of items by name. */
function readList(fields: Fields, key: string): readonly unknown[] {
  const given = fields.raw(key)
  if (given === undefined || given === null) return []
  if (Array.isArray(given)) return given
  if (!isObject(given)) {
    fields.complain(`${key} is ${describeType(given)}, not an array; it is left out`)
    return []
  }
  if (isOneItem(given)) {
    fields.complain(`${key} is an object, taken as a list of one`)
    return [given]
  }
  fields.complain(`${key} is an object, taken as the list of its values`)
  return Object.entries(given).map(([name, item]) => (isObject(item) ? { name, ...item } : item))
}

function isOneItem(given: JsonObject): boolean {
  return Object.entries(given).some(
    ([key, value]) => signalTypeFields.includes(key) && (Array.isArray(value) || !isObject(value)),
  )
}
