import { Fault } from '../errors.ts'
import { limits } from '../limits.ts'
import { type Node, readKeywords, readProperties, readValueSchema, takesNull } from './node.ts'

type Convert = (value: unknown) => unknown

/**
 * Compiles the conversion of a value that a script gave, before it is checked:
 * - a field that is nil or null counts as left out, and gets its default;
 * - an empty table may arrive as a list or as an object, and becomes what the schema has;
 * - `numberAsText`, `digitsAsNumber`, `emptyAsMissing` and `itemAsList` do as they are documented.
 *
 * A whole number needs no conversion: Lua's `5.0` arrives as 5. Returns undefined if no value needs
 * a conversion, which throws Fault `too_large` for a table with more fields than JSON may have.
 */
export function convertFromLua(schema: Node): Convert | undefined {
  if (schema.type === 'object') return convertObject(schema)
  if (schema.type === 'array') return convertArray(schema)
  const { numberAsText, digitsAsNumber } = readKeywords(schema)
  if (numberAsText) return (value) => (Number.isFinite(value) ? String(value) : value)
  if (digitsAsNumber) return numberOfDigits
  return undefined
}

function numberOfDigits(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
}

function isTable(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  return !Array.isArray(value) && !(value instanceof Uint8Array)
}

function isEmptyTable(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return isTable(value) && Object.keys(value).length === 0
}

type Field = {
  readonly name: string
  readonly preset: unknown
  readonly isMissing: (value: unknown) => boolean
  readonly convert: Convert | undefined
}

function convertObject(schema: Node): Convert {
  const fields = Object.entries(readProperties(schema)).map(([name, field]) => toField(name, field))
  const values = readValueSchema(schema)
  const convertValue = values && convertFromLua(values)
  const isClosed = values === undefined && schema.additionalProperties === false
  return (value) => {
    // Bytes are an object for the check.
    if (value instanceof Uint8Array) return undefined
    if (!isTable(value)) return isEmptyTable(value) ? filled({}, fields) : value
    const count = Object.keys(value).length
    if (count > limits.jsonFieldsMax) {
      throw new Fault('too_large', `A table has more than ${limits.jsonFieldsMax} fields.`)
    }
    // It has an unknown field, for which it is refused.
    if (isClosed && count > fields.length) return value
    const converted = filled(value, fields)
    return convertValue === undefined ? converted : mapValues(converted, convertValue)
  }
}

function toField(name: string, schema: Node): Field {
  const { default: preset, emptyAsMissing } = readKeywords(schema)
  const isNullable = takesNull(schema)
  const isMissing = (value: unknown) =>
    value === undefined ||
    (value === null && !isNullable) ||
    (value === '' && emptyAsMissing === true)
  return { name, preset, isMissing, convert: convertFromLua(schema) }
}

/** Copies the table only if a field changes. */
function filled(given: Record<string, unknown>, fields: readonly Field[]): object {
  let table = given
  const copied = () => {
    if (table === given) table = Object.assign(Object.create(null), given)
    return table
  }
  for (const { name, preset, isMissing, convert } of fields) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (isMissing(value)) {
      if (preset !== undefined) copied()[name] = preset
      else if (Object.hasOwn(given, name)) delete copied()[name]
    } else if (convert !== undefined) {
      const converted = convert(value)
      if (converted !== value) copied()[name] = converted
    }
  }
  return table
}

function mapValues(table: object, convert: Convert): object {
  const copy = Object.create(null)
  for (const [name, value] of Object.entries(table)) copy[name] = convert(value)
  return copy
}

function convertArray(schema: Node): Convert {
  const convertItem = schema.items && convertFromLua(schema.items)
  const { itemAsList } = readKeywords(schema)
  return (value) => {
    if (!Array.isArray(value)) {
      if (isEmptyTable(value)) return []
      return itemAsList && typeof value === 'string' ? [value] : value
    }
    const { maxItems = Number.POSITIVE_INFINITY } = schema
    return convertItem === undefined || value.length > maxItems ? value : value.map(convertItem)
  }
}
