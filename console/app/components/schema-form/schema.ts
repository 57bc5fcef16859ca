/** A schema of a payload or of settings as the API shows it: JSON Schema. */
export type PayloadSchema = {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly format?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, PayloadSchema>>
  readonly items?: PayloadSchema | readonly PayloadSchema[]
  readonly additionalProperties?: boolean | PayloadSchema
  readonly anyOf?: readonly PayloadSchema[]
  readonly const?: unknown
  /** A secret: it is given, and never shown. */
  readonly writeOnly?: boolean
  /** It is shown, and never given. */
  readonly readOnly?: boolean
  /** The media type of a text of several lines. */
  readonly contentMediaType?: string
}

type Fields = Readonly<Record<string, unknown>>

/** The text that a person typed where it is no value of the schema yet. */
export class Unread {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }

  toJSON(): string {
    return this.text
  }
}

export type FieldKind =
  | ('object' | 'map' | 'union' | 'list' | 'choice' | 'boolean' | 'number')
  | ('text' | 'lines' | 'json')

/** Returns whether null removes the value. */
export function mayBeNull({ anyOf }: PayloadSchema): boolean {
  return anyOf?.some(({ type }) => type === 'null') === true
}

/** The schema of a value that is there. */
export function valueSchema(schema: PayloadSchema): PayloadSchema {
  const { anyOf, ...own } = schema
  const [only, ...others] = anyOf?.filter(({ type }) => type !== 'null') ?? []
  if (only === undefined || others.length > 0) return schema
  return valueSchema({ ...only, ...own })
}

/** The objects of a union, by the member that each has a value of its own of. */
export function listBranches({ anyOf = [] }: PayloadSchema) {
  const objects = anyOf.filter(({ type }) => type !== 'null')
  const [first] = objects
  const by = Object.entries(first?.properties ?? {}).find(([, one]) => one.const !== undefined)?.[0]
  if (by === undefined || objects.some((one) => one.properties?.[by]?.const === undefined)) {
    return undefined
  }
  return { by, branches: objects.map((schema) => ({ schema, is: schema.properties?.[by]?.const })) }
}

/** Returns the description that a schema has of a value, without the marks of names in it. */
export function plainDescription({ description = '' }: PayloadSchema): string {
  return description.replaceAll('`', '')
}

/** The object of a union that a value is, without the member by which it is known. */
export function findBranch(schema: PayloadSchema, value: unknown): PayloadSchema | undefined {
  const { by = '', branches = [] } = listBranches(schema) ?? {}
  const found = branches.find(({ is }) => is === (value as Fields | undefined)?.[by])
  if (found === undefined) return undefined
  const { [by]: _by, ...properties } = found.schema.properties ?? {}
  return { ...found.schema, properties }
}

/** The field that a schema needs; `json` for what no other one can edit. */
export function fieldKind(schema: PayloadSchema): FieldKind {
  const { type, enum: choices, properties, items, ...more } = valueSchema(schema)
  if (choices !== undefined) return 'choice'
  if (type === 'boolean') return 'boolean'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'string') return more.contentMediaType === undefined ? 'text' : 'lines'
  if (more.anyOf !== undefined) return listBranches(more) === undefined ? 'json' : 'union'
  const isObject = type === 'object' || type === undefined
  if (isObject && properties !== undefined && Object.keys(properties).length > 0) return 'object'
  const { additionalProperties: named } = more
  if (isObject && typeof named === 'object' && fieldKind(named) !== 'json') return 'map'
  const isList = (type === 'array' || type === undefined) && items !== undefined
  return isList && !Array.isArray(items) ? 'list' : 'json'
}

const plain = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/

/** The place of a member as refusals name it: `parameters.days`, `parameters["my days"]`. */
export function placeIn(place: string, key: string | number): string {
  const isPlain = typeof key === 'string' && plain.test(key)
  return isPlain ? `${place}.${key}` : `${place}[${JSON.stringify(key)}]`
}

export type SchemaWords = {
  readonly required: string
  readonly number: string
  readonly integer: string
  readonly json: string
}

type Faults = Readonly<Record<string, string>>

/** Returns the faults of a value before it is sent, by place. */
export function faultsIn(
  schema: PayloadSchema,
  value: unknown,
  place: string,
  words: SchemaWords,
  secrets: ReadonlySet<string> = new Set(),
): Faults {
  if (value === null) return {}
  const kind = fieldKind(schema)
  if (value instanceof Unread) return { [place]: kind === 'number' ? words.number : words.json }
  if (kind === 'number') {
    const isWrong =
      valueSchema(schema).type === 'integer' && value !== undefined && !Number.isInteger(value)
    return isWrong ? { [place]: words.integer } : {}
  }
  const found: Record<string, string> = {}
  for (const { member, key, isRequired } of listMembers(schema, value)) {
    const own = (value as Record<string | number, unknown> | undefined)?.[key]
    const at = placeIn(place, key)
    const isMissing = own === undefined && fieldKind(member) !== 'object' && !secrets.has(at)
    if (isRequired && isMissing && member.default === undefined) found[at] = words.required
    const isUsed = own !== undefined || (isRequired && fieldKind(member) === 'object')
    if (isUsed) Object.assign(found, faultsIn(member, own, at, words, secrets))
  }
  return found
}

/** All places that have a field. */
export function placesIn(schema: PayloadSchema, value: unknown, place: string): string[] {
  const inner = listMembers(schema, value).flatMap(({ member, key }) => {
    const own = (value as Record<string | number, unknown> | undefined)?.[key]
    return placesIn(member, own, placeIn(place, key))
  })
  return [place, ...inner]
}

type Member = {
  readonly member: PayloadSchema
  readonly key: string | number
  readonly isRequired: boolean
}

function listMembers(given: PayloadSchema, value: unknown): Member[] {
  const kind = fieldKind(given)
  const plain = valueSchema(given)
  const schema = kind === 'union' ? (findBranch(plain, value) ?? {}) : plain
  if (kind === 'object' || kind === 'union') {
    const entries = Object.entries(schema.properties ?? {}).filter(([, one]) => !one.readOnly)
    return entries.map(([key, member]) => ({
      member,
      key,
      isRequired: schema.required?.includes(key) === true,
    }))
  }
  if (kind === 'map') {
    const member = schema.additionalProperties as PayloadSchema
    return Object.keys(value ?? {}).map((key) => ({ member, key, isRequired: true }))
  }
  if (kind !== 'list' || !Array.isArray(value)) return []
  const member = schema.items as PayloadSchema
  return value.map((_, key) => ({ member, key, isRequired: true }))
}

/** The value as it is sent: objects that are required are there. */
export function completeValue(given: PayloadSchema, value: unknown): unknown {
  const kind = fieldKind(given)
  const schema = valueSchema(given)
  if (kind === 'list' && Array.isArray(value)) {
    return value.map((one) => completeValue(schema.items as PayloadSchema, one))
  }
  if (kind !== 'object') return value
  const { properties = {}, required = [] } = schema
  const whole: Record<string, unknown> = { ...(value as object | undefined) }
  for (const key of required) {
    const member = properties[key]
    if (member !== undefined && fieldKind(member) === 'object') {
      whole[key] = completeValue(member, whole[key])
    }
  }
  return whole
}

/**
 * The change that makes `now` of `before`: what is gone is null if that removes it, and what is
 * only shown is left out.
 */
export function computeChange(given: PayloadSchema, before: unknown, now: unknown): unknown {
  const kind = fieldKind(given)
  if (kind !== 'object' && kind !== 'union') return now
  if (now === null || typeof now !== 'object') return now
  const schema = valueSchema(given)
  const { properties = {} } = (kind === 'union' ? findBranch(schema, now) : schema) ?? {}
  const { by } = listBranches(schema) ?? {}
  const [old, next] = [(before ?? {}) as Fields, now as Fields]
  const isKept = (name: string) => name === by || schema.additionalProperties !== false
  const change: Record<string, unknown> = Object.fromEntries(
    Object.entries(next).filter(([name]) => !Object.hasOwn(properties, name) && isKept(name)),
  )
  for (const [name, member] of Object.entries(properties)) {
    const isGone = next[name] === undefined
    if (member.readOnly === true) continue
    if (!isGone) change[name] = computeChange(member, old[name], next[name])
    else if (old[name] !== undefined && mayBeNull(member)) change[name] = null
    // An object of which nothing is left is not given: its members are removed.
    else if (old[name] !== undefined && fieldKind(member) === 'object') {
      change[name] = computeChange(member, old[name], {})
    }
  }
  return change
}

/** The field at which a refusal stands, and its sentence without the place. */
export function refusedField(
  message: string,
  places: readonly string[],
): { readonly place: string; readonly text: string } | undefined {
  for (const place of places) {
    // Settings are named with dots, whatever their names are.
    const dotted = place.replace(/\["([^"]*)"\]/g, '.$1')
    const found = [place, dotted].find((one) => message.startsWith(`${one} `))
    if (found !== undefined) return { place, text: message.slice(found.length + 1) }
  }
  return undefined
}
