import { type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { StrictObject } from './build.ts'
import { takesNull } from './node.ts'

/** A value with other names in it; undefined where none changes. */
type Convert = ((value: unknown) => unknown) | undefined

/** A schema as the wire has it, with the conversions from and to the names of its module. */
type Wire = {
  readonly schema: TSchema
  readonly show: Convert
  readonly read: Convert
  /** The fields of an object. */
  readonly fields?: readonly Field[]
}

/** A field of a module, its name on the wire, and the objects of the wire in which it lies. */
type Field = Wire & {
  readonly name: string
  readonly wire: string
  readonly places: readonly string[]
  readonly isNullable: boolean
}
type Values = Record<string, unknown>

type Node = {
  readonly properties?: Readonly<Record<string, TSchema & Keywords>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly wireNames?: Readonly<Record<string, string>>
  readonly patternProperties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
}
type Keywords = { readonly wire?: string; readonly const?: unknown }

const known = new WeakMap<TSchema, Wire>()

/** The conversions by the schema of the wire, with which answers are made and bodies are read. */
const conversions = new WeakMap<TSchema, Wire>()

/**
 * The schema with the names of the wire: a field has its name in snake_case, or that of its keyword
 * `wire` or of `wireNames`, which may be a path: `provisioning.pki` is `pki` of an object.
 * A field that the schema does not name is left out of an answer.
 * @param isNamed the schema has the names of the wire already.
 */
export function wireSchema<Schema extends TSchema>(schema: Schema, isNamed = false): Schema {
  return toWire(schema, isNamed).schema as Schema
}

/** A value of a module as an answer has it. */
export function showOnWire(schema: TSchema, value: unknown): unknown {
  const { show } = conversions.get(schema) ?? {}
  return show === undefined ? value : show(value)
}

/** A checked value of a request as its module has it. */
export function readFromWire(schema: TSchema | undefined, value: unknown): unknown {
  const { read: convert } = (schema && conversions.get(schema)) ?? {}
  return convert === undefined || value === undefined ? value : convert(value)
}

/** The sentence of a refusal, which may begin with a field of the module, as the wire names it. */
export function refusalOnWire(schema: TSchema, sentence: string): string {
  const [path = ''] = /^\w+(?:\.\w+)*/.exec(sentence) ?? []
  const names: string[] = []
  let wire = conversions.get(schema)
  for (const name of path.split('.')) {
    const field: Field | undefined = wire?.fields?.find((one) => one.name === name)
    names.push(...(field === undefined ? [name] : [...field.places, field.wire]))
    wire = field
  }
  return names.join('.') + sentence.slice(path.length)
}

function toWire(schema: TSchema, isNamed: boolean): Wire {
  const before = known.get(schema)
  if (before !== undefined) return before
  const wire = convertSchema(schema, isNamed)
  if (!isNamed) known.set(schema, wire)
  conversions.set(wire.schema, wire)
  return wire
}

function convertSchema(schema: TSchema, isNamed: boolean): Wire {
  const { properties, patternProperties, items, anyOf } = schema as Node
  if (properties !== undefined) return convertObject(schema as TObject, isNamed)
  if (patternProperties !== undefined) return convertRecord(schema, patternProperties, isNamed)
  if (items !== undefined) {
    const { schema: item, show, read } = toWire(items, isNamed)
    const each = (convert: Convert) => convert && ((value: unknown) => asList(value).map(convert))
    return { schema: changed(schema, { items: item }), show: each(show), read: each(read) }
  }
  if (anyOf !== undefined) return convertUnion(schema, anyOf, isNamed)
  return { schema, show: undefined, read: undefined }
}

function convertObject(schema: TObject, isNamed: boolean): Wire {
  const { properties = {}, required, additionalProperties, wireNames = {} } = schema as Node
  const fields = Object.entries(properties).map(([name, field]): Field => {
    const path = field.wire ?? wireNames[name]
    const places = path?.split('.') ?? []
    const wire = places.pop() ?? (isNamed ? name : inSnakeCase(name))
    const isNullable = required?.includes(name) === true && takesNull(field)
    return { name, wire, places, isNullable, ...toWire(field, isNamed) }
  })
  const isSame = fields.every((field) => !isMoved(field) && field.read === undefined)
  const isOpen = additionalProperties !== false
  const { properties: placed, required: needed } = StrictObject(inPlaces(fields)) as Node
  return {
    schema: changed(schema, { properties: placed, ...(required && { required: needed }) }),
    show: isOpen ? undefined : (value) => shownFields(fields, value as Values),
    read: isSame ? undefined : (value) => readFields(fields, value as Values),
    fields,
  }
}

function isMoved({ name, wire, places }: Field): boolean {
  return places.length > 0 || wire !== name
}

/** An object of the wire is needed if one of its fields is. */
function inPlaces(fields: readonly Pick<Field, 'places' | 'wire' | 'schema'>[]): TProperties {
  const groups = Object.groupBy(fields, ({ places: [place], wire }) => place ?? wire)
  const schemas = Object.entries(groups).map(([name, inside = []]) => {
    const [first] = inside
    if (first?.places.length === 0) return [name, first.schema]
    const below = inside.map((field) => ({ ...field, places: field.places.slice(1) }))
    const object: TObject = StrictObject(inPlaces(below))
    return [name, (object as Node).required?.length ? object : Type.Optional(object)]
  })
  return Object.fromEntries(schemas)
}

function shownFields(fields: readonly Field[], from: Values): Values {
  const to: Values = {}
  for (const { name, wire, places, isNullable, show } of fields) {
    const one = from[name]
    if (one === undefined && !isNullable) continue
    let place = to
    for (const step of places) {
      place[step] ??= {}
      place = place[step] as Values
    }
    place[wire] = one === undefined ? null : show === undefined ? one : show(one)
  }
  return to
}

function readFields(fields: readonly Field[], from: Values): Values {
  const { ...to } = from
  for (const field of fields) if (isMoved(field)) delete to[field.places[0] ?? field.wire]
  for (const { name, wire, places, read: convert } of fields) {
    let place: Values | undefined = from
    for (const step of places) place = place?.[step] as Values | undefined
    if (place === undefined || !Object.hasOwn(place, wire)) continue
    const one = place[wire]
    to[name] = convert === undefined ? one : convert(one)
  }
  return to
}

/** The names of a record stay as they are. */
function convertRecord(
  schema: TSchema,
  patterns: Readonly<Record<string, TSchema>>,
  isNamed: boolean,
): Wire {
  const [[pattern, values] = ['', Type.Unknown()]] = Object.entries(patterns)
  const { schema: wire, show, read } = toWire(values, isNamed)
  const each = (convert: Convert): Convert =>
    convert &&
    ((value) =>
      Object.fromEntries(
        Object.entries(value as object).map(([name, one]) => [name, convert(one)]),
      ))
  const patternProperties = { [pattern]: wire }
  return { schema: changed(schema, { patternProperties }), show: each(show), read: each(read) }
}

/** The first of several schemas that has the fields of the value converts it. */
function convertUnion(schema: TSchema, anyOf: readonly TSchema[], isNamed: boolean): Wire {
  const options = anyOf.map((one) => ({ own: one, ...toWire(one, isNamed) }))
  const show: Convert = (value) => {
    if (value === null || typeof value !== 'object') return value
    const option = options.find(({ own }) => fits(own, value))
    return option?.show === undefined ? value : option.show(value)
  }
  const reading = options.filter(({ read }) => read !== undefined)
  const read: Convert = (value) => {
    const option = reading.find(({ schema: wire }) => fits(wire, value))
    return option?.read === undefined ? value : option.read(value)
  }
  return {
    schema: changed(schema, { anyOf: options.map(({ schema: one }) => one) }),
    show: options.some((option) => option.show !== undefined) ? show : undefined,
    read: reading.length > 0 ? read : undefined,
  }
}

function fits(schema: TSchema, value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  const { properties, required = [], items } = schema as Node
  if (Array.isArray(value)) return items !== undefined
  if (properties === undefined) return false
  const fields = value as Readonly<Record<string, unknown>>
  return required.every((name) => {
    const wanted = properties[name]?.const
    return name in fields && (wanted === undefined || wanted === fields[name])
  })
}

function asList(value: unknown): readonly unknown[] {
  return value as readonly unknown[]
}

/** A copy with other parts; with all that only the checks of the schema see. */
function changed(schema: TSchema, parts: object): TSchema {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))
  return Object.assign(copy, parts) as TSchema
}

function inSnakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
