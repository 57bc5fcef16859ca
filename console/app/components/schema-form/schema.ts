/** A payload schema as the API shows it: JSON Schema draft 6 with the keywords of interfaces. */
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
}

/** What a person typed where it is no value of the schema yet. */
export class Unread {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }

  toJSON(): string {
    return this.text
  }
}

export type FieldKind = 'object' | 'list' | 'choice' | 'boolean' | 'number' | 'text' | 'json'

/** The field that a schema needs; `json` for what no other one can edit. */
export function kindOf({ type, enum: choices, properties, items }: PayloadSchema): FieldKind {
  if (choices !== undefined) return 'choice'
  if (type === 'boolean') return 'boolean'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'string') return 'text'
  const isObject = type === 'object' || type === undefined
  if (isObject && properties !== undefined && Object.keys(properties).length > 0) return 'object'
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

/** What is wrong with a value before it is sent, by place. */
export function faultsIn(
  schema: PayloadSchema,
  value: unknown,
  place: string,
  words: SchemaWords,
): Faults {
  const kind = kindOf(schema)
  if (value instanceof Unread) return { [place]: kind === 'number' ? words.number : words.json }
  if (kind === 'number') {
    const isWrong = schema.type === 'integer' && value !== undefined && !Number.isInteger(value)
    return isWrong ? { [place]: words.integer } : {}
  }
  const found: Record<string, string> = {}
  for (const { member, key, isRequired } of membersOf(schema, value)) {
    const own = (value as Record<string | number, unknown> | undefined)?.[key]
    const at = placeIn(place, key)
    const isMissing = own === undefined && kindOf(member) !== 'object'
    if (isRequired && isMissing && member.default === undefined) found[at] = words.required
    const isUsed = own !== undefined || (isRequired && kindOf(member) === 'object')
    if (isUsed) Object.assign(found, faultsIn(member, own, at, words))
  }
  return found
}

/** All places that have a field. */
export function placesIn(schema: PayloadSchema, value: unknown, place: string): string[] {
  const inner = membersOf(schema, value).flatMap(({ member, key }) => {
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

function membersOf(schema: PayloadSchema, value: unknown): Member[] {
  const kind = kindOf(schema)
  if (kind === 'object') {
    return Object.entries(schema.properties ?? {}).map(([key, member]) => ({
      member,
      key,
      isRequired: schema.required?.includes(key) === true,
    }))
  }
  if (kind !== 'list' || !Array.isArray(value)) return []
  const member = schema.items as PayloadSchema
  return value.map((_, key) => ({ member, key, isRequired: true }))
}

/** The value as it is sent: objects that are required are there. */
export function wholeOf(schema: PayloadSchema, value: unknown): unknown {
  const kind = kindOf(schema)
  if (kind === 'list' && Array.isArray(value)) {
    return value.map((one) => wholeOf(schema.items as PayloadSchema, one))
  }
  if (kind !== 'object') return value
  const { properties = {}, required = [] } = schema
  const whole: Record<string, unknown> = Object.assign({}, value)
  for (const key of required) {
    const member = properties[key]
    if (member !== undefined && kindOf(member) === 'object') {
      whole[key] = wholeOf(member, whole[key])
    }
  }
  return whole
}

/** The field at which a refusal stands, and its sentence without the place. */
export function refusedField(
  message: string,
  places: readonly string[],
): { readonly place: string; readonly text: string } | undefined {
  const place = places.find((one) => message.startsWith(`${one} `))
  return place === undefined ? undefined : { place, text: message.slice(place.length + 1) }
}
