import type { ConstantValue } from '@millrace/insight-sdk/protocol'
import { Fault } from '../../../foundation/kernel/index.ts'
import { dataTypes, findConversion } from '../../assets/index.ts'
import type { Constants } from '../types.ts'
import {
  alignedRows,
  type Builtin,
  inletNames,
  listIn,
  mapping,
  namedInlets,
  numberIn,
  numericInlet,
  textIn,
} from './builtin.ts'
import { expressionFunctions, parseExpression } from './expression.ts'

const scale: Builtin = {
  group: 'calculate',
  insight: {
    id: 'scale',
    name: 'Scale and offset',
    description: 'Multiplies a number, and adds an offset then.',
    type: 'transform',
    constants: [
      { name: 'multiplier', type: 'number', description: 'The factor.', default: 1 },
      { name: 'offset', type: 'number', description: 'What is added then.', default: 0 },
    ],
    inlets: [numericInlet],
    outlets: [{ name: 'scaled', primitive_type: 'NUMERIC', suggested_name: '{}' }],
  },
  process: mapping((value, constants) => {
    return Number(value) * numberIn(constants, 'multiplier', 1) + numberIn(constants, 'offset', 0)
  }),
}

const units = [
  ...new Set(
    dataTypes.flatMap((type) => {
      return type.units.filter(({ factor }) => factor !== null).map(({ id }) => id)
    }),
  ),
].sort()

const converted = { name: 'converted', primitive_type: 'NUMERIC', suggested_name: '{}' } as const

const convert: Builtin = {
  group: 'calculate',
  insight: {
    id: 'convert',
    name: 'Convert unit',
    description: 'Converts a number from one unit into another one of the same quantity.',
    type: 'transform',
    constants: [
      { name: 'from', type: 'string', description: 'The unit that it is in.', enum: units },
      { name: 'to', type: 'string', description: 'The unit that it gets.', enum: units },
    ],
    inlets: [numericInlet],
    outlets: [converted],
  },
  check(constants) {
    for (const name of ['from', 'to']) {
      if (textIn(constants, name) === '') {
        throw new Fault('invalid_argument', `The constant "${name}" is missing.`)
      }
    }
    conversionIn(constants)
  },
  chooseOutlets(constants, [signal]) {
    const type = signal?.dataType ?? undefined
    const kind = type === undefined ? {} : { data_type: [type] }
    return [{ ...converted, ...kind, data_unit: [textIn(constants, 'to')] }]
  },
  process({ data, constants }) {
    const conversion = conversionIn(constants)
    return { outlets: [data.map((one) => ({ ...one, value: conversion(Number(one.value)) }))] }
  },
}

/** @throws Fault invalid_argument */
function conversionIn(constants: Constants): (value: number) => number {
  const [dataUnit, to] = [textIn(constants, 'from'), textIn(constants, 'to')]
  const conversion = findConversion({ dataType: null, dataUnit }, to)
  if (conversion !== undefined) return conversion
  throw new Fault('invalid_argument', `${dataUnit} and ${to} are no units of the same quantity.`)
}

const functionNames = Object.keys(expressionFunctions).join(', ')

/** Arithmetic of several signals: one function for each number of them. */
function calculate(count: number): Builtin {
  const names = inletNames.slice(0, count)
  const of = count === 1 ? 'a number' : `${count} numbers`
  return {
    group: 'calculate',
    insight: {
      id: `calculate_${count}`,
      name: `Calculate from ${count === 1 ? 'one signal' : `${count} signals`}`,
      description: `Computes an expression of ${of}, each time that one of them is new.`,
      type: 'transform',
      constants: [
        {
          name: 'expression',
          type: 'string',
          description: `With ${names.join(', ')}, numbers, + - * / % ^, parentheses, and the \
functions ${functionNames}.`,
          default: count === 1 ? 'a' : names.join(' + '),
        },
      ],
      inlets: namedInlets(count, 'NUMERIC'),
      outlets: [{ name: 'result', primitive_type: 'NUMERIC', suggested_name: '{}' }],
    },
    check: (constants) => void parseExpression(textIn(constants, 'expression'), names),
    process(call) {
      const compute = parseExpression(textIn(call.constants, 'expression'), names)
      const results = alignedRows(call, count).map(({ datum, values }) => {
        const numbers = new Map(names.map((name, at) => [name, Number(values[at])] as const))
        return { ...datum, value: compute(numbers) }
      })
      return { outlets: [results] }
    },
  }
}

/** Several signals of any type in one object: one function for each number of them. */
function join(count: number): Builtin {
  return {
    group: 'calculate',
    insight: {
      id: `join_${count}`,
      name: `Join ${count} signals`,
      description: `Puts ${count} signals into one JSON object, each time that one of them is new.`,
      type: 'transform',
      constants: [
        {
          name: 'names',
          type: 'string',
          description: 'The fields of the object, in the order of the inlets; else a, b, c, …',
          multiple: true,
        },
      ],
      constants_multiple_maximum: count,
      inlets: namedInlets(count),
      outlets: [{ name: 'joined', primitive_type: 'JSON', suggested_name: '{}' }],
    },
    check(constants) {
      const names = fieldNames(constants, count)
      if (new Set(names).size < count || names.includes('')) {
        const detail = 'The constant "names": each field has a name of its own.'
        throw new Fault('invalid_argument', detail)
      }
    },
    process(call) {
      const names = fieldNames(call.constants, count)
      const joined = alignedRows(call, count).map(({ datum, values }) => {
        const fields = names.map((name, at) => [String(name), values[at] ?? null] as const)
        return { ...datum, value: Object.fromEntries(fields) }
      })
      return { outlets: [joined] }
    },
  }
}

function fieldNames(constants: Constants, count: number): readonly ConstantValue[] {
  const given = listIn(constants, 'names')
  return inletNames.slice(0, count).map((name, at) => given[at] ?? name)
}

/** Functions that make a number or an object of what is new, and keep nothing. */
export const calculations: readonly Builtin[] = [
  scale,
  convert,
  ...[1, 2, 3, 4, 5].map(calculate),
  ...[2, 3, 4, 5].map(join),
]
