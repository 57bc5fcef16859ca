import { describeType, type JsonObject, objectsIn, quote } from '../../protocol/reading.ts'
import type { Evidence } from '../evidence.ts'
import {
  type Found,
  fieldRows,
  firstFault,
  type Is,
  isBoolean,
  isList,
  isNumber,
  isOneOf,
  isString,
  isStrings,
  isText,
  isTranslations,
  type Row,
} from './row.ts'

function constants({ functions }: Evidence): Found[] {
  return functions.flatMap(({ where, listed }) => {
    return objectsIn(listed.constants).map(
      (item, index): Found => [`${where}, constant ${quote(item.name ?? index)}`, item],
    )
  })
}

const types = ['string', 'number', 'boolean']

/** A value of the constant's own type, among the allowed ones and in the range. */
const isValue: Is = (value, constant) => {
  const { type, enum: allowed, minimum, maximum } = constant
  if (types.some((known) => known === type) && typeof value !== type) {
    return `is ${describeType(value)}, not of the type ${type}`
  }
  if (!types.includes(typeof value))
    return `is ${describeType(value)}, not a string, number or boolean`
  if (Array.isArray(allowed) && !allowed.some((one) => one === value)) {
    return `is ${quote(value)}, not one of ${quote(allowed)}`
  }
  if (typeof minimum === 'number' && Number(value) < minimum) return `is ${value}, below ${minimum}`
  if (typeof maximum === 'number' && Number(value) > maximum) return `is ${value}, above ${maximum}`
  return undefined
}

const isEnum: Is = (value, constant) => {
  const items = value as readonly unknown[]
  const fault = isList(value, constant)
  if (fault !== undefined) return fault
  return items.length === 0 ? 'is empty' : firstFault(items, (item) => isValue(item, constant))
}

const isPresented: Is = (value, constant) => {
  const fault = isStrings(value, constant)
  if (fault !== undefined) return fault
  const allowed: unknown = constant.enum
  const { length } = value as readonly unknown[]
  const expected = Array.isArray(allowed) ? allowed.length : 0
  return length === expected ? undefined : `has ${length} items, and enum has ${expected}`
}

/** A bound of a number. */
const isBound: Is = (value, { type }) =>
  isNumber(value, {}) ??
  (type === undefined || type === 'number' ? undefined : `stands at the type ${quote(type)}`)

const isMaximum: Is = (value, constant) => {
  const { minimum } = constant
  const fault = isBound(value, constant)
  if (fault !== undefined || typeof minimum !== 'number') return fault
  return Number(value) < minimum ? `is ${value}, below minimum ${minimum}` : undefined
}

const isTranslated: Is = (value, constant: JsonObject) =>
  isTranslations({ description: isString, enum_presented: isPresented })(value, constant)

export const constantRows: readonly Row[] = fieldRows(constants, [
  {
    name: 'ConstantInfo.name',
    rule: 'string: code identifier of the constant',
    required: true,
    is: isText,
  },
  {
    name: 'ConstantInfo.type',
    rule: 'one of string, number, boolean',
    required: true,
    is: isOneOf(types),
  },
  { name: 'ConstantInfo.description', rule: 'string: words for the user', is: isString },
  {
    name: 'ConstantInfo.default',
    rule: 'string, number or boolean: used when the user gives no value',
    is: isValue,
  },
  { name: 'ConstantInfo.enum', rule: 'array: allowed values', is: isEnum },
  {
    name: 'ConstantInfo.enum_presented',
    rule: 'array of string: its length must equal that of enum',
    is: isPresented,
  },
  { name: 'ConstantInfo.maximum', rule: 'number: largest value (number type)', is: isMaximum },
  { name: 'ConstantInfo.minimum', rule: 'number: smallest value (number type)', is: isBound },
  {
    name: 'ConstantInfo.multiple',
    rule: 'boolean: when true the constant is an array of values',
    is: isBoolean,
  },
  {
    name: 'ConstantInfo.translations',
    rule: 'object by language: description, enum_presented',
    is: isTranslated,
  },
])
