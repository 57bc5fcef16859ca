import { limits } from '../../../kernel/index.ts'
import type { ScriptValue } from '../../../scripting/index.ts'
import { breach, type Look, spend, within } from './look.ts'
import type { PayloadType, SchemaNode } from './node.ts'

export type CheckOptions = {
  /** Lua has one empty table: where an array is asked, `{}` is one, and the other way round. */
  readonly emptyTables: boolean
}

const scripts: CheckOptions = { emptyTables: true }

/**
 * Looks at a value and gives it with its defaults filled in; the value itself is left alone.
 * @param name what the value is to whoever is refused: `parameters`
 * @throws Fault invalid_argument, naming the path and the keyword; too_complex where a value and
 *   its schema together are more work than one call may be.
 */
export function checkValue(
  schema: SchemaNode,
  name: string,
  value: ScriptValue,
  options: CheckOptions = scripts,
): ScriptValue {
  const { emptyTables } = options
  return check(schema, value, { steps: limits.payloadStepsMax, path: [name], emptyTables })
}

function check(schema: SchemaNode, given: ScriptValue, look: Look): ScriptValue {
  spend(look, 1)
  const value = asType(schema, given === undefined ? schema.default : given, look)
  if (value === undefined) return absent(schema, look)
  if (schema.enum !== undefined && !(typeof value === 'string' && schema.enum.has(value))) {
    throw breach(look, 'enum', `must be one of ${[...schema.enum].join(', ')}`)
  }
  if (typeof value === 'number') checkNumber(schema, value, look)
  else if (typeof value === 'string') checkString(schema, value, look)
  else if (value instanceof Uint8Array) checkBytes(schema, value, look)
  else if (Array.isArray(value)) return checkItems(schema, value, look)
  else if (isMap(value)) return checkMembers(schema, value, look)
  return value
}

/** Nothing at all: a script's `nil`. It is a null where that is asked, and breaks other types. */
function absent({ type, enum: choices }: SchemaNode, look: Look): undefined {
  if (type !== undefined && type !== 'null') throw breach(look, 'type', `must be of type ${type}`)
  if (choices !== undefined) throw breach(look, 'enum', 'must be given')
  return undefined
}

function asType({ type }: SchemaNode, value: ScriptValue, look: Look): ScriptValue {
  if (type === undefined || value === undefined || isOf(type, value)) return value
  if (look.emptyTables && type === 'array' && isMap(value) && isEmpty(value)) return []
  if (look.emptyTables && type === 'object' && Array.isArray(value) && value.length === 0) {
    return Object.create(null) as ScriptMap
  }
  throw breach(look, 'type', `must be of type ${type}`)
}

function isOf(type: PayloadType, value: ScriptValue): boolean {
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isMap(value)
  if (type === 'string') return typeof value === 'string' || value instanceof Uint8Array
  return typeof value === type
}

function checkNumber({ bounds }: SchemaNode, value: number, look: Look): void {
  const { maximum, minimum, exclusiveMaximum, exclusiveMinimum } = bounds
  if (maximum !== undefined && value > maximum) {
    throw breach(look, 'maximum', `must be at most ${maximum}`)
  }
  if (minimum !== undefined && value < minimum) {
    throw breach(look, 'minimum', `must be at least ${minimum}`)
  }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    throw breach(look, 'exclusiveMaximum', `must be less than ${exclusiveMaximum}`)
  }
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    throw breach(look, 'exclusiveMinimum', `must be more than ${exclusiveMinimum}`)
  }
}

function checkString(schema: SchemaNode, value: string, look: Look): void {
  const { pattern, format, formatName, bounds } = schema
  const counted = bounds.maxLength !== undefined || bounds.minLength !== undefined
  if (counted) checkCount(schema, 'Length', 'characters', charactersOf(value), look)
  if (pattern !== undefined) {
    spend(look, pattern.steps(value))
    if (!pattern.test(value)) throw breach(look, 'pattern', `must match ${pattern.source}`)
  }
  if (format !== undefined) {
    spend(look, value.length)
    if (!format(value)) throw breach(look, 'format', `must be of the format ${formatName}`)
  }
}

/** What is no UTF-8 has a length, and matches nothing. */
function checkBytes(schema: SchemaNode, value: Uint8Array, look: Look): void {
  checkCount(schema, 'Length', 'bytes', value.length, look)
  if (schema.pattern !== undefined) throw breach(look, 'pattern', 'must be UTF-8')
  if (schema.format !== undefined) throw breach(look, 'format', 'must be UTF-8')
}

function checkItems(schema: SchemaNode, value: readonly ScriptValue[], look: Look): ScriptValue {
  checkCount(schema, 'Items', 'items', value.length, look)
  const { items, additionalItems } = schema
  const schemaOf = (index: number) => {
    if (!isTuple(items)) return items
    return index < items.length ? items[index] : additionalItems
  }
  const filled =
    items === undefined
      ? value
      : value.map((item, index) => {
          const inner = schemaOf(index)
          return inner === undefined ? item : within(look, index, () => check(inner, item, look))
        })
  if (schema.uniqueItems) checkUnique(filled, look)
  return filled
}

function isTuple(items: SchemaNode['items']): items is readonly SchemaNode[] {
  return Array.isArray(items)
}

function checkUnique(items: readonly ScriptValue[], look: Look): void {
  const seen = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const text = canonical(item, look)
    const first = seen.get(text)
    if (first !== undefined) {
      throw breach(look, 'uniqueItems', `must not repeat an item: ${first} and ${index} are equal`)
    }
    seen.set(text, index)
  }
}

/** One text for all values that are equal. */
function canonical(value: ScriptValue, look: Look): string {
  spend(look, 1)
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('hex')}`
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one, look)).join()}]`
  if (!isMap(value)) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}:${canonical(one, look)}`,
  )
  return `{${members.sort().join()}}`
}

function checkMembers(schema: SchemaNode, value: ScriptMap, look: Look): ScriptValue {
  const { properties, patternProperties, additionalProperties } = schema
  const filled: Record<string, ScriptValue> = Object.assign(Object.create(null), value)
  for (const [key, inner] of properties) {
    if (isGiven(filled, key) || inner.default === undefined) continue
    filled[key] = inner.default
  }
  const missing = schema.required.find((key) => !isGiven(filled, key))
  if (missing !== undefined) {
    throw within(look, missing, () => breach(look, 'required', 'must be given'))
  }
  const keys = Object.keys(filled)
  checkCount(schema, 'Properties', 'properties', keys.length, look)
  if (properties.size + patternProperties.length === 0 && additionalProperties === undefined) {
    return filled
  }
  for (const key of keys) {
    const schemas = [
      ...maybe(properties.get(key)),
      ...patternProperties.filter(([pattern]) => matches(pattern, key, look)).map(([, one]) => one),
    ]
    const inner = schemas.length === 0 ? maybe(additionalProperties) : schemas
    within(look, key, () => {
      for (const one of inner) filled[key] = check(one, filled[key], look)
    })
  }
  return filled
}

/** A key whose value is a script's nil is not there. */
function isGiven(value: ScriptMap, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined
}

function matches(pattern: NonNullable<SchemaNode['pattern']>, key: string, look: Look): boolean {
  spend(look, pattern.steps(key))
  return pattern.test(key)
}

function maybe<One>(one: One | undefined): readonly One[] {
  return one === undefined ? [] : [one]
}

type Counted = 'Items' | 'Length' | 'Properties'

function checkCount(
  { bounds }: SchemaNode,
  counted: Counted,
  noun: string,
  count: number,
  look: Look,
): void {
  const most = bounds[`max${counted}`]
  const least = bounds[`min${counted}`]
  if (most !== undefined && count > most) {
    throw breach(look, `max${counted}`, `must have at most ${most} ${noun}`)
  }
  if (least !== undefined && count < least) {
    throw breach(look, `min${counted}`, `must have at least ${least} ${noun}`)
  }
}

/** Code points, as JSON Schema counts them. */
function charactersOf(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    const next = text.charCodeAt(at + 1)
    if (unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000) at += 1
    count += 1
  }
  return count
}

export type ScriptMap = { readonly [key: string]: ScriptValue }

export function isMap(value: ScriptValue): value is ScriptMap {
  const isObject = typeof value === 'object' && value !== null
  return isObject && !Array.isArray(value) && !(value instanceof Uint8Array)
}

function isEmpty(value: ScriptMap): boolean {
  return Object.keys(value).length === 0
}
