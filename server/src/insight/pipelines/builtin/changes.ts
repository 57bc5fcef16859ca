import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '@millrace/insight-sdk/protocol'
import type { Json } from '../../../foundation/kernel/index.ts'
import { pipelineLimits } from '../limits.ts'
import {
  type Builtin,
  numberIn,
  numericInlet,
  outletsLikeInlet,
  secondsConstant,
  stepping,
  textIn,
} from './builtin.ts'

/** Characters of a value that a built-in function compares; of a longer one, its hash. */
const functionValueCharsMax = 200

const usPerSecond = 1_000_000

/** The last number, and its time. */
type Last = { readonly ts: number; readonly value: number }

const delta: Builtin = {
  group: 'changes',
  insight: {
    id: 'delta',
    name: 'Delta',
    description: 'The difference of a number to the one before; the first one has none.',
    type: 'transform',
    constants: [
      {
        name: 'rollover',
        type: 'number',
        description: 'Where a meter begins again at 0; 0: it is no such meter.',
        default: 0,
        minimum: 0,
      },
    ],
    inlets: [numericInlet],
    outlets: [{ name: 'delta', primitive_type: 'NUMERIC', suggested_name: '{}' }],
  },
  isStateful: () => true,
  process: stepping<Last>((last, { ts, value: given }, constants) => {
    const value = Number(given)
    const state = { ts, value }
    if (last === undefined) return { state }
    const rolled = value < last.value ? numberIn(constants, 'rollover', 0) : 0
    return { state, value: value - last.value + rolled }
  }),
}

const periods = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const

const rate: Builtin = {
  group: 'changes',
  insight: {
    id: 'rate_of_change',
    name: 'Rate of change',
    description: 'The change of a number since the one before, as much as it is in a period.',
    type: 'transform',
    constants: [
      {
        name: 'per',
        type: 'string',
        description: 'The period.',
        default: 'second',
        enum: Object.keys(periods),
      },
    ],
    inlets: [numericInlet],
    outlets: [{ name: 'rate', primitive_type: 'NUMERIC', suggested_name: '{}' }],
  },
  isStateful: () => true,
  process: stepping<Last>((last, { ts, value: given }, constants) => {
    const value = Number(given)
    const state = { ts, value }
    if (last === undefined) return { state }
    const period = periods[textIn(constants, 'per', 'second') as keyof typeof periods]
    return { state, value: ((value - last.value) * period * usPerSecond) / (ts - last.ts) }
  }),
}

/** The count, and the value before. */
type Count = { readonly count: number; readonly value: Json }

const counter: Builtin = {
  group: 'changes',
  insight: {
    id: 'counter',
    name: 'Counter',
    description: 'Counts values, changes of a value, or how often it becomes true or other than 0.',
    type: 'transform',
    constants: [
      {
        name: 'of',
        type: 'string',
        description: 'What is counted.',
        default: 'values',
        enum: ['values', 'changes', 'rises'],
      },
      { name: 'start', type: 'number', description: 'The count at the beginning.', default: 0 },
      { name: 'step', type: 'number', description: 'How much each adds.', default: 1 },
    ],
    inlets: [{ name: 'value', description: 'A value of any type.' }],
    outlets: [{ name: 'count', primitive_type: 'NUMERIC', suggested_name: '{}' }],
  },
  isStateful: () => true,
  process: stepping<Count>((before, { value }, constants) => {
    const of = textIn(constants, 'of', 'values')
    const last = remembered(value)
    const isCounted =
      of === 'values' ||
      (before !== undefined &&
        (of === 'changes'
          ? !isDeepStrictEqual(before.value, last)
          : isTrue(value) && !isTrue(before.value)))
    const start = before?.count ?? numberIn(constants, 'start', 0)
    const count = start + (isCounted ? numberIn(constants, 'step', 1) : 0)
    // A count that has grown out of all numbers stays where it is.
    const state = { count: Number.isFinite(count) ? count : start, value: last }
    return { state, value: state.count }
  }),
}

function isTrue(value: Json): boolean {
  return value !== null && value !== false && value !== 0 && value !== ''
}

/** A value as it is compared with the next: of a long one its hash, so that a state is small. */
function remembered(value: JsonValue): Json {
  const text = JSON.stringify(value)
  if (text.length <= functionValueCharsMax) return value
  return { sha256: createHash('sha256').update(text).digest('base64url') }
}

/** The value that went out last, the one that may follow, and since when there is that one. */
type Held = { readonly out: Json; readonly next: Json; readonly since: number }

const debounceInsight: Builtin['insight'] = {
  id: 'debounce',
  name: 'Debounce',
  description:
    'Passes a changed value on only when it has been the same for a while. It is looked at \
when a value arrives.',
  type: 'transform',
  constants: [
    {
      name: 'seconds',
      type: 'number',
      description: 'How long a value has to be the same.',
      default: 1,
      minimum: 0,
      maximum: pipelineLimits.functionWindowSecondsMax,
    },
  ],
  inlets: [{ name: 'value', description: 'A value of any type.' }],
  outlets: [{ name: 'steady', primitive_type: 'JSON', suggested_name: '{}' }],
}

const debounce: Builtin = {
  group: 'changes',
  insight: debounceInsight,
  isStateful: () => true,
  chooseOutlets: outletsLikeInlet(debounceInsight),
  process: stepping<Held>((held, { ts, value }, constants) => {
    const next = remembered(value)
    // The first value is as good as any.
    if (held === undefined) return { state: { out: next, next, since: ts }, value }
    const since = isDeepStrictEqual(held.next, next) ? held.since : ts
    const isSteady = ts - since >= numberIn(constants, 'seconds', 1) * usPerSecond
    if (!isSteady || isDeepStrictEqual(held.out, next)) {
      return { state: { out: held.out, next, since } }
    }
    return { state: { out: next, next, since }, value }
  }),
}

/** Microseconds in the state, and whether the last value was in it. */
type Spent = { readonly us: number; readonly isIn: boolean; readonly ts: number }

const duration: Builtin = {
  group: 'changes',
  insight: {
    id: 'duration_in_state',
    name: 'Duration in a state',
    description:
      'For how many seconds a value has been the same as a given one, at each new value.',
    type: 'transform',
    constants: [
      {
        name: 'state',
        type: 'string',
        description: 'The value, as a text: true, 1, running.',
        default: 'true',
      },
      {
        name: 'total',
        type: 'boolean',
        description: 'All the time since the beginning, not only since it was last another value.',
        default: false,
      },
      secondsConstant(
        'gap',
        'If it is not 0: a longer silence than so many seconds does not count.',
        pipelineLimits.functionWindowSecondsMax,
      ),
    ],
    inlets: [{ name: 'value', description: 'A value of any type.' }],
    outlets: [
      {
        name: 'duration',
        primitive_type: 'NUMERIC',
        data_type: ['TIME'],
        data_unit: ['SECONDS'],
        suggested_name: '{}',
      },
    ],
  },
  isStateful: () => true,
  process: stepping<Spent>((before, { ts, value }, constants) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const isIn = text === textIn(constants, 'state', 'true')
    const gapUs = numberIn(constants, 'gap', 0) * usPerSecond
    const passed = before === undefined ? 0 : ts - before.ts
    const isSilence = gapUs > 0 && passed > gapUs
    const spent = before?.isIn === true && !isSilence ? passed : 0
    const isKept = constants.total === true || (isIn && !isSilence)
    const us = isKept ? (before?.us ?? 0) + spent : 0
    return { state: { us, isIn, ts }, value: us / usPerSecond }
  }),
}

/** Functions that compare a value with the ones before. */
export const changes: readonly Builtin[] = [delta, rate, counter, debounce, duration]
