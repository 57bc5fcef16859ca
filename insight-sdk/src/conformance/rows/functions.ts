import { type JsonObject, objectsIn, quote } from '../../protocol/reading.ts'
import { functionTypes, inletsMax, outletsMax, primitiveTypes } from '../../protocol.ts'
import { type Evidence, readInsights } from '../evidence.ts'
import {
  type Found,
  fieldRows,
  firstFault,
  type Is,
  isList,
  isNumber,
  isObjectValue,
  isOneOf,
  isString,
  isStrings,
  isText,
  isTranslations,
  type Row,
} from './row.ts'

/** The functions of the list, also one without an id. */
function functions({ list }: Evidence): Found[] {
  return readInsights(list.json).map((item, index) => [`function ${quote(item.id ?? index)}`, item])
}

function parts(key: 'inlets' | 'outlets') {
  return (evidence: Evidence): Found[] =>
    functions(evidence).flatMap(([where, object]) => {
      const one = key.slice(0, -1)
      return objectsIn(object[key]).map((item, index): Found => [`${where}, ${one} ${index}`, item])
    })
}

function objects(max = Number.POSITIVE_INFINITY): Is {
  return (value) => {
    const items = value as readonly unknown[]
    const fault = isList(value, {}) ?? firstFault(items, isObjectValue)
    if (fault !== undefined || items.length <= max) return fault
    return `has ${items.length} items, more than ${max}`
  }
}

const words = isTranslations({ name: isString, description: isString })

const function_ = fieldRows(functions, [
  {
    name: 'InsightInfo.id',
    rule: 'string: unique id of the function',
    required: true,
    is: isText,
  },
  { name: 'InsightInfo.name', rule: 'string: human-friendly name', required: true, is: isText },
  {
    name: 'InsightInfo.description',
    rule: 'string: text shown to users',
    required: true,
    is: isString,
  },
  { name: 'InsightInfo.translations', rule: 'object by language: name, description', is: words },
  {
    name: 'InsightInfo.type',
    rule: 'one of transform, rule, action; transform when omitted',
    is: isOneOf(functionTypes),
  },
  { name: 'InsightInfo.constants', rule: 'array of ConstantInfo', is: objects() },
  {
    name: 'InsightInfo.constants_multiple_maximum',
    rule: 'number: maximum array size of constants whose multiple is true',
    is: isNumber,
  },
  {
    name: 'InsightInfo.inlets',
    rule: `array of SignalTypeInputInfo, at most ${inletsMax} items`,
    is: objects(inletsMax),
  },
  {
    name: 'InsightInfo.outlets',
    rule: `array of SignalTypeOutputInfo, at most ${outletsMax} items`,
    is: objects(outletsMax),
  },
])

const isUnique: Row = {
  name: 'InsightInfo.id is unique',
  rule: 'unique id of the function',
  look: (evidence) => {
    const ids = functions(evidence).map(([, { id }]) => id)
    return ids.map((id, index) =>
      ids.indexOf(id) === index ? undefined : `function ${quote(id)} is listed twice`,
    )
  },
}

const kinds = ['primitive_type', 'data_type', 'data_unit'] as const

const inlets: readonly Row[] = [
  ...fieldRows(parts('inlets'), [
    {
      name: 'SignalTypeInputInfo.name',
      rule: 'string: name of the signal',
      required: true,
      is: isString,
    },
    {
      name: 'SignalTypeInputInfo.primitive_type',
      rule: 'one of NUMERIC, STRING, BOOLEAN, JSON',
      is: isOneOf(primitiveTypes),
    },
    {
      name: 'SignalTypeInputInfo.data_type',
      rule: 'array of string: required data types',
      is: isStrings,
    },
    {
      name: 'SignalTypeInputInfo.data_unit',
      rule: 'array of string: required units',
      is: isStrings,
    },
    {
      name: 'SignalTypeInputInfo.tag',
      rule: 'string: tag added to the SignalData for inlet matching',
      is: isString,
    },
    { name: 'SignalTypeInputInfo.description', rule: 'string: help text', is: isString },
    {
      name: 'SignalTypeInputInfo.translations',
      rule: 'object by language: name, description',
      is: words,
    },
  ]),
  {
    name: 'SignalTypeInputInfo kind',
    rule: 'one of primitive_type, data_type or data_unit should be specified',
    look: (evidence) =>
      parts('inlets')(evidence).map(([where, inlet]) =>
        kinds.some((kind) => isKind(inlet, kind))
          ? undefined
          : `${where} names no primitive_type, data_type or data_unit`,
      ),
  },
]

function isKind(inlet: JsonObject, kind: string): boolean {
  const value: unknown = inlet[kind]
  return value !== undefined && value !== null && value !== ''
}

const outlets = fieldRows(parts('outlets'), [
  { name: 'SignalTypeOutputInfo.name', rule: 'string: name of the outlet', is: isString },
  {
    name: 'SignalTypeOutputInfo.primitive_type',
    rule: 'one of NUMERIC, STRING, BOOLEAN, JSON',
    is: isOneOf(primitiveTypes),
  },
  {
    name: 'SignalTypeOutputInfo.data_type',
    rule: 'array of string: data types of produced signals',
    is: isStrings,
  },
  {
    name: 'SignalTypeOutputInfo.data_unit',
    rule: 'array of string: units of produced signals',
    is: isStrings,
  },
  { name: 'SignalTypeOutputInfo.description', rule: 'string: help text', is: isString },
  {
    name: 'SignalTypeOutputInfo.suggested_name',
    rule: 'string: may contain {} where the function name is placed',
    is: isString,
  },
  {
    name: 'SignalTypeOutputInfo.translations',
    rule: 'object by language: name, description, suggested_name',
    is: isTranslations({ name: isString, description: isString, suggested_name: isString }),
  },
])

export const functionRows: readonly Row[] = [...function_, isUnique, ...inlets, ...outlets]
