import {
  Fault,
  isJsonObject,
  limits,
  omitUndefined,
  type Pattern,
  parsePattern,
} from '../../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../../scripting/index.ts'
import { checkValue } from './check.ts'
import { formats } from './formats.ts'
import {
  type Bound,
  countBounds,
  numberBounds,
  type PayloadType,
  payloadTypes,
  type SchemaNode,
} from './node.ts'

/** The depth of nested schemas in a payload schema of a solution. */
const payloadSchemaDepthMax = 16
/** Schemas in all payloads of one exposed solution. */
const payloadSchemasMax = 2_000
/** Patterns in all payloads of one exposed solution. */
const payloadPatternsMax = 50
/** Entries of an `enum`, `required`, `examples` or list of `items` in a payload schema. */
const payloadListMax = 1_000

const keywords: ReadonlySet<string> = new Set([
  'enum',
  'type',
  'items',
  'title',
  'format',
  'default',
  ...numberBounds,
  'pattern',
  'examples',
  ...countBounds,
  'uniqueItems',
  'required',
  'properties',
  'patternProperties',
  'additionalItems',
  'additionalProperties',
  'description',
])

type Fields = Readonly<Record<string, unknown>>
/** Counters of all schemas of one definition. */
type Reading = { nodes: number; patterns: number; readonly note: NoteUnknown }

/** Gets a sentence for each field that is passed over; without it one is refused. */
export type NoteUnknown = ((sentence: string) => void) | undefined

/** Extensions of the field: their first word is a vendor's. */
const extension = /^x-[a-z0-9]+-(restricted|from)$/

/**
 * Parses the payload schemas of one definition: the keywords of the spec, and no other.
 * @returns a reader; `name` is the schema's field, for refusals. It throws
 *   Fault invalid_argument, naming the place and the keyword.
 */
export function schemaReader(note?: NoteUnknown): (name: string, value: unknown) => SchemaNode {
  const reading = { nodes: 0, patterns: 0, note }
  return (name, value) => node(name, value, 0, reading)
}

function node(name: string, value: unknown, depth: number, reading: Reading): SchemaNode {
  if (!isJsonObject(value)) throw refuse(name, 'must be a payload schema, an object')
  if (depth >= payloadSchemaDepthMax) {
    throw refuse(name, `lies deeper than ${payloadSchemaDepthMax} schemas`)
  }
  reading.nodes += 1
  if (reading.nodes > payloadSchemasMax) {
    throw refuse(name, `is one schema more than ${payloadSchemasMax}`)
  }
  const fields: Fields = value
  refuseUnknown(name, fields, reading)
  for (const keyword of ['title', 'description', 'format']) text(name, fields, keyword)
  const { examples } = fields
  if (examples !== undefined) list(at(name, 'examples'), examples)
  const inner = (keyword: string, schema: unknown) =>
    node(at(name, keyword), schema, depth + 1, reading)
  const found: SchemaNode = omitUndefined({
    title: text(name, fields, 'title'),
    ...readTypes(name, fields.type, reading),
    restricted: restrictedIn(fields),
    enum: choices(name, fields.enum),
    formatName: text(name, fields, 'format'),
    format: formats.get(text(name, fields, 'format') ?? ''),
    default: preset(name, fields.default),
    bounds: bounds(name, fields),
    pattern: pattern(name, fields, reading),
    uniqueItems: flag(name, fields, 'uniqueItems'),
    items: items(name, fields.items, inner),
    additionalItems: maybe(fields.additionalItems, (one) => inner('additionalItems', one)),
    required: names(at(name, 'required'), fields.required ?? []),
    properties: new Map(members(name, fields, 'properties', inner)),
    patternProperties: members(name, fields, 'patternProperties', inner).map(([key, schema]) => {
      const place = at(at(name, 'patternProperties'), key)
      return [compiled(place, key, reading), schema] as const
    }),
    additionalProperties: maybe(fields.additionalProperties, (one) =>
      inner('additionalProperties', one),
    ),
  })
  if (found.default !== undefined) checkValue(found, at(name, 'default'), found.default)
  return found
}

function refuseUnknown(name: string, fields: Fields, { note }: Reading): void {
  for (const keyword of Object.keys(fields)) {
    if (keywords.has(keyword) || extension.test(keyword)) continue
    if (note === undefined) throw refuse(at(name, keyword), 'is not a keyword of a payload')
    note(`${at(name, keyword)} is not a keyword of a payload: it is kept and has no effect`)
  }
}

/** True for a value that the subscription has, and that no caller may give. */
function restrictedIn(fields: Fields): true | undefined {
  const found = Object.entries(fields).some(([keyword, value]) => {
    return extension.exec(keyword)?.[1] === 'restricted' && value === true
  })
  return found || undefined
}

/** Reads a type; a definition of the field may have a list of them. */
function readTypes(
  name: string,
  value: unknown,
  { note }: Reading,
): Pick<SchemaNode, 'type' | 'types'> {
  if (note === undefined || !Array.isArray(value)) return omitUndefined({ type: type(name, value) })
  const types = list(at(name, 'type'), value).flatMap((one) => type(name, one) ?? [])
  return { types }
}

type Inner = (keyword: string, schema: unknown) => SchemaNode

function items(name: string, value: unknown, inner: Inner): SchemaNode['items'] {
  if (value === undefined) return undefined
  if (!Array.isArray(value)) return inner('items', value)
  return list(at(name, 'items'), value).map((one, index) => inner(`items[${index}]`, one))
}

function members(name: string, fields: Fields, keyword: string, inner: Inner) {
  const value = fields[keyword] ?? {}
  if (!isJsonObject(value)) throw refuse(at(name, keyword), 'must be an object of schemas')
  return Object.entries(value).map(
    ([key, schema]) => [key, inner(`${keyword}.${key.slice(0, 100)}`, schema)] as const,
  )
}

function type(name: string, value: unknown): PayloadType | undefined {
  if (value === undefined) return undefined
  const known = payloadTypes.find((one) => one === value)
  if (known === undefined)
    throw refuse(at(name, 'type'), `must be one of ${payloadTypes.join(', ')}`)
  return known
}

function choices(name: string, value: unknown): ReadonlySet<string> | undefined {
  return value === undefined ? undefined : new Set(names(at(name, 'enum'), value))
}

function preset(name: string, value: unknown): ScriptValue {
  if (value === undefined || value === null) return value
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw refuse(at(name, 'default'), 'must be a boolean, a number, a string or null')
}

function bounds(name: string, fields: Fields): Partial<Record<Bound, number>> {
  const found: Partial<Record<Bound, number>> = {}
  for (const keyword of numberBounds) {
    const value = fields[keyword]
    if (value === undefined) continue
    if (typeof value !== 'number') throw refuse(at(name, keyword), 'must be a number')
    found[keyword] = value
  }
  for (const keyword of countBounds) {
    const value = fields[keyword]
    if (value === undefined) continue
    if (!Number.isSafeInteger(value) || (value as number) < 0) {
      throw refuse(at(name, keyword), 'must be a whole number from 0')
    }
    found[keyword] = value as number
  }
  return found
}

function pattern(name: string, fields: Fields, reading: Reading): Pattern | undefined {
  const source = text(name, fields, 'pattern')
  return source === undefined ? undefined : compiled(at(name, 'pattern'), source, reading)
}

function compiled(place: string, source: string, reading: Reading): Pattern {
  reading.patterns += 1
  if (reading.patterns > payloadPatternsMax) {
    throw refuse(place, `is one pattern more than ${payloadPatternsMax}`)
  }
  const found = parsePattern(source)
  if (typeof found === 'string') throw refuse(place, found)
  return found
}

function flag(name: string, fields: Fields, keyword: string): boolean {
  const value = fields[keyword] ?? false
  if (typeof value !== 'boolean') throw refuse(at(name, keyword), 'must be true or false')
  return value
}

function text(name: string, fields: Fields, keyword: string): string | undefined {
  const value = fields[keyword]
  if (value === undefined || typeof value === 'string') return value
  throw refuse(at(name, keyword), 'must be a string')
}

function names(place: string, value: unknown): string[] {
  return list(place, value).map((one, index) => {
    if (typeof one === 'string') return one
    throw refuse(`${place}[${index}]`, 'must be a string')
  })
}

function list(place: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw refuse(place, 'must be an array')
  if (value.length > payloadListMax) {
    throw refuse(place, `must have at most ${payloadListMax} items`)
  }
  return value
}

function maybe<Part>(value: unknown, read: (value: unknown) => Part): Part | undefined {
  return value === undefined ? undefined : read(value)
}

function at(name: string, keyword: string): string {
  return `${name}.${keyword.slice(0, limits.nameCharsMax)}`
}

function refuse(place: string, rule: string): Fault {
  return new Fault('invalid_argument', `${place} ${rule}`)
}
