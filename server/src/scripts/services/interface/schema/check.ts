import type { ScriptValue } from '../../../scripting/index.ts'
import { interfaceLimits } from '../limits.ts'
import { breach, type CheckState, spend, within } from './check-state.ts'
import type { PayloadType, SchemaNode } from './node.ts'

export type CheckOptions = {
  /** Lua has one empty table: `{}` passes as an empty array, and `[]` as an empty object. */
  readonly emptyTables: boolean
}

const scripts: CheckOptions = { emptyTables: true }

/**
 * Checks a value and returns it with its defaults filled in; the value itself is not changed.
 * @param name the value's name in refusals: `parameters`
 * @throws Fault invalid_argument, naming the path and the keyword; too_complex if the
 *   check takes more steps than one call may.
 */
export function checkValue(
  schema: SchemaNode,
  name: string,
  value: ScriptValue,
  options: CheckOptions = scripts,
): ScriptValue {
  const { emptyTables } = options
  return check(schema, value, { steps: interfaceLimits.payloadStepsMax, path: [name], emptyTables })
}

function check(schema: SchemaNode, given: ScriptValue, state: CheckState): ScriptValue {
  spend(state, 1)
  const value = asType(schema, given === undefined ? schema.default : given, state)
  if (value === undefined) return absent(schema, state)
  if (schema.enum !== undefined && !(typeof value === 'string' && schema.enum.has(value))) {
    throw breach(state, 'enum', `must be one of ${[...schema.enum].join(', ')}`)
  }
  if (typeof value === 'number') checkNumber(schema, value, state)
  else if (typeof value === 'string') checkString(schema, value, state)
  else if (value instanceof Uint8Array) checkBytes(schema, value, state)
  else if (Array.isArray(value)) return checkItems(schema, value, state)
  else if (isMap(value)) return checkMembers(schema, value, state)
  return value
}

/** Checks a missing value, a script's `nil`: it passes as null and breaks other types. */
function absent({ type, enum: choices }: SchemaNode, state: CheckState): undefined {
  if (type !== undefined && type !== 'null') throw breach(state, 'type', `must be of type ${type}`)
  if (choices !== undefined) throw breach(state, 'enum', 'must be given')
  return undefined
}

function asType({ type, types }: SchemaNode, value: ScriptValue, state: CheckState): ScriptValue {
  if (types !== undefined && value !== undefined && !types.some((one) => isType(one, value))) {
    throw breach(state, 'type', `must be of type ${types.join(' or ')}`)
  }
  if (type === undefined || value === undefined || isType(type, value)) return value
  if (state.emptyTables && type === 'array' && isMap(value) && isEmpty(value)) return []
  if (state.emptyTables && type === 'object' && Array.isArray(value) && value.length === 0) {
    return Object.create(null) as ScriptMap
  }
  throw breach(state, 'type', `must be of type ${type}`)
}

function isType(type: PayloadType, value: ScriptValue): boolean {
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isMap(value)
  if (type === 'string') return typeof value === 'string' || value instanceof Uint8Array
  return typeof value === type
}

function checkNumber({ bounds }: SchemaNode, value: number, state: CheckState): void {
  const { maximum, minimum, exclusiveMaximum, exclusiveMinimum } = bounds
  if (maximum !== undefined && value > maximum) {
    throw breach(state, 'maximum', `must be at most ${maximum}`)
  }
  if (minimum !== undefined && value < minimum) {
    throw breach(state, 'minimum', `must be at least ${minimum}`)
  }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    throw breach(state, 'exclusiveMaximum', `must be less than ${exclusiveMaximum}`)
  }
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    throw breach(state, 'exclusiveMinimum', `must be more than ${exclusiveMinimum}`)
  }
}

function checkString(schema: SchemaNode, value: string, state: CheckState): void {
  const { pattern, format, formatName, bounds } = schema
  const counted = bounds.maxLength !== undefined || bounds.minLength !== undefined
  if (counted) checkCount(schema, 'Length', 'characters', countCharacters(value), state)
  if (pattern !== undefined) {
    spend(state, pattern.steps(value))
    if (!pattern.test(value)) throw breach(state, 'pattern', `must match ${pattern.source}`)
  }
  if (format !== undefined) {
    spend(state, value.length)
    if (!format(value)) throw breach(state, 'format', `must be of the format ${formatName}`)
  }
}

/** Bytes that are not UTF-8 have a length, and match no pattern. */
function checkBytes(schema: SchemaNode, value: Uint8Array, state: CheckState): void {
  checkCount(schema, 'Length', 'bytes', value.length, state)
  if (schema.pattern !== undefined) throw breach(state, 'pattern', 'must be UTF-8')
  if (schema.format !== undefined) throw breach(state, 'format', 'must be UTF-8')
}

function checkItems(
  schema: SchemaNode,
  value: readonly ScriptValue[],
  state: CheckState,
): ScriptValue {
  checkCount(schema, 'Items', 'items', value.length, state)
  const { items, additionalItems } = schema
  const schemaFor = (index: number) => {
    if (!isTuple(items)) return items
    return index < items.length ? items[index] : additionalItems
  }
  const filled =
    items === undefined
      ? value
      : value.map((item, index) => {
          const inner = schemaFor(index)
          return inner === undefined ? item : within(state, index, () => check(inner, item, state))
        })
  if (schema.uniqueItems) checkUnique(filled, state)
  return filled
}

function isTuple(items: SchemaNode['items']): items is readonly SchemaNode[] {
  return Array.isArray(items)
}

function checkUnique(items: readonly ScriptValue[], state: CheckState): void {
  const seen = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const text = canonical(item, state)
    const first = seen.get(text)
    if (first !== undefined) {
      throw breach(state, 'uniqueItems', `must not repeat an item: ${first} and ${index} are equal`)
    }
    seen.set(text, index)
  }
}

/** Returns the same text for all values that are equal. */
function canonical(value: ScriptValue, state: CheckState): string {
  spend(state, 1)
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('hex')}`
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one, state)).join()}]`
  if (!isMap(value)) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}:${canonical(one, state)}`,
  )
  return `{${members.sort().join()}}`
}

function checkMembers(schema: SchemaNode, value: ScriptMap, state: CheckState): ScriptValue {
  const { properties, patternProperties, additionalProperties } = schema
  const filled: Record<string, ScriptValue> = Object.assign(Object.create(null), value)
  for (const [key, inner] of properties) {
    if (isGiven(filled, key) || inner.default === undefined) continue
    filled[key] = inner.default
  }
  const missing = schema.required.find((key) => !isGiven(filled, key))
  if (missing !== undefined) {
    throw within(state, missing, () => breach(state, 'required', 'must be given'))
  }
  const keys = Object.keys(filled)
  checkCount(schema, 'Properties', 'properties', keys.length, state)
  if (properties.size + patternProperties.length === 0 && additionalProperties === undefined) {
    return filled
  }
  for (const key of keys) {
    const schemas = [
      ...maybe(properties.get(key)),
      ...patternProperties
        .filter(([pattern]) => matches(pattern, key, state))
        .map(([, one]) => one),
    ]
    const inner = schemas.length === 0 ? maybe(additionalProperties) : schemas
    within(state, key, () => {
      for (const one of inner) filled[key] = check(one, filled[key], state)
    })
  }
  return filled
}

/** False also for a key whose value is a script's nil. */
function isGiven(value: ScriptMap, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined
}

function matches(
  pattern: NonNullable<SchemaNode['pattern']>,
  key: string,
  state: CheckState,
): boolean {
  spend(state, pattern.steps(key))
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
  state: CheckState,
): void {
  const most = bounds[`max${counted}`]
  const least = bounds[`min${counted}`]
  if (most !== undefined && count > most) {
    throw breach(state, `max${counted}`, `must have at most ${most} ${noun}`)
  }
  if (least !== undefined && count < least) {
    throw breach(state, `min${counted}`, `must have at least ${least} ${noun}`)
  }
}

/** Code points, as JSON Schema counts them. */
function countCharacters(text: string): number {
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
