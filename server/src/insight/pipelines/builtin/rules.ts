import { Fault } from '../../../foundation/kernel/index.ts'
import { type Builtin, listIn, textIn } from './builtin.ts'
import {
  isSustained,
  judging,
  levelConstant,
  levelIn,
  statusOutlets,
  sustainConstant,
} from './levels.ts'

const range: Builtin = {
  group: 'rules',
  insight: {
    id: 'range',
    name: 'Range',
    description:
      'Tells the status of a number by whether it lies in a range; its bounds belong to it.',
    type: 'rule',
    constants: [
      { name: 'lower', type: 'number', description: 'The lower bound; left out: there is none.' },
      { name: 'upper', type: 'number', description: 'The upper bound; left out: there is none.' },
      {
        name: 'applies',
        type: 'string',
        description: 'Where the rule applies.',
        default: 'outside',
        enum: ['outside', 'inside'],
      },
      levelConstant,
      sustainConstant,
    ],
    inlets: [{ name: 'value', primitive_type: 'NUMERIC', description: 'The number to judge.' }],
    outlets: statusOutlets,
  },
  isStateful: isSustained,
  check({ lower, upper }) {
    if (lower === undefined && upper === undefined) {
      throw new Fault('invalid_argument', 'Give at least one of lower and upper.')
    }
    if (typeof lower === 'number' && typeof upper === 'number' && lower > upper) {
      throw new Fault('invalid_argument', 'The constant "lower" must not exceed "upper".')
    }
  },
  process: judging('range', (value, constants) => {
    const { lower = Number.NEGATIVE_INFINITY, upper = Number.POSITIVE_INFINITY } = constants
    const isInside = Number(value) >= Number(lower) && Number(value) <= Number(upper)
    return isInside === (constants.applies === 'inside') ? levelIn(constants) : 0
  }),
}

const matches = {
  equals: (text: string, sought: string) => text === sought,
  contains: (text: string, sought: string) => text.includes(sought),
  starts: (text: string, sought: string) => text.startsWith(sought),
  ends: (text: string, sought: string) => text.endsWith(sought),
} as const

const text: Builtin = {
  group: 'rules',
  insight: {
    id: 'text',
    name: 'Text',
    description: 'Tells the status of a text by whether it matches one of several texts.',
    type: 'rule',
    constants: [
      {
        name: 'match',
        type: 'string',
        description: 'How it is compared.',
        default: 'equals',
        enum: Object.keys(matches),
      },
      { name: 'texts', type: 'string', description: 'The texts, at least one.', multiple: true },
      {
        name: 'not',
        type: 'boolean',
        description: 'The rule applies if the value matches none of them.',
        default: false,
      },
      {
        name: 'ignore_case',
        type: 'boolean',
        description: 'Capital letters are as good as small ones.',
        default: false,
      },
      levelConstant,
      sustainConstant,
    ],
    inlets: [{ name: 'value', primitive_type: 'STRING', description: 'The text to judge.' }],
    outlets: statusOutlets,
  },
  isStateful: isSustained,
  check(constants) {
    const texts = listIn(constants, 'texts')
    if (texts.length > 0 && (constants.match === 'equals' || !texts.includes(''))) return
    throw new Fault('invalid_argument', 'The constant "texts" must have at least one text.')
  },
  process: judging('text', (value, constants) => {
    const fold = (one: string) => (constants.ignore_case === true ? one.toLowerCase() : one)
    const isMatch = matches[textIn(constants, 'match', 'equals') as keyof typeof matches]
    const given = fold(String(value))
    const found = listIn(constants, 'texts').some((sought) => isMatch(given, fold(String(sought))))
    return found === (constants.not === true) ? 0 : levelIn(constants)
  }),
}

const boolean: Builtin = {
  group: 'rules',
  insight: {
    id: 'boolean',
    name: 'True or false',
    description: 'Tells the status of a boolean.',
    type: 'rule',
    constants: [
      {
        name: 'applies',
        type: 'boolean',
        description: 'The value with which the rule applies.',
        default: true,
      },
      levelConstant,
      sustainConstant,
    ],
    inlets: [{ name: 'value', primitive_type: 'BOOLEAN', description: 'The value to judge.' }],
    outlets: statusOutlets,
  },
  isStateful: isSustained,
  process: judging('boolean', (value, constants) => {
    return value === (constants.applies ?? true) ? levelIn(constants) : 0
  }),
}

/** Rules of one level. */
export const rules: readonly Builtin[] = [range, text, boolean]
