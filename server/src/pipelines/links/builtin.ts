import type { Insight, SignalData, Status, StatusLevel } from '@millrace/insight-sdk/protocol'
import { Fault } from '../../kernel/index.ts'
import type { Constants, Module } from '../types.ts'

/** The id of the module whose functions run in this process. */
export const builtinId = 'builtin'

/** The arguments of a built-in function: new data, constants, and its last result. */
export type BuiltinCall = {
  readonly data: readonly SignalData[]
  readonly constants: Constants
  /** The last value of its first outlet. */
  readonly previous: unknown
}

type Builtin = {
  readonly insight: Insight
  /** @throws Fault invalid_argument for constants that make no sense together. */
  check(constants: Constants): void
  /** Pure: the values of each outlet. */
  process(call: BuiltinCall): SignalData[][]
}

const thresholdLevels = [
  ['critical', 3],
  ['warning', 2],
  ['info', 1],
] as const

/**
 * The level of a value. A threshold is crossed strictly: 80 is not above 80. A level that was
 * reached is left only when the value comes back past its threshold by the hysteresis. Pure.
 */
export function thresholdLevel(
  constants: Constants,
  value: number,
  previous: StatusLevel,
): StatusLevel {
  const sign = constants.direction === 'below' ? -1 : 1
  const hysteresis = typeof constants.hysteresis === 'number' ? constants.hysteresis : 0
  for (const [name, level] of thresholdLevels) {
    const threshold = constants[name]
    if (typeof threshold !== 'number') continue
    const slack = previous >= level ? hysteresis : 0
    if (sign * (value - threshold) > -slack) return level
  }
  return 0
}

const threshold: Builtin = {
  insight: {
    id: 'threshold',
    name: 'Threshold',
    description: 'Tells the status of a number by thresholds. At least one must be given.',
    type: 'rule',
    constants: [
      {
        name: 'direction',
        type: 'string',
        description: 'Which side of a threshold is bad.',
        default: 'above',
        enum: ['above', 'below'],
      },
      { name: 'info', type: 'number', description: 'Past it the status is info.' },
      { name: 'warning', type: 'number', description: 'Past it the status is warning.' },
      { name: 'critical', type: 'number', description: 'Past it the status is critical.' },
      {
        name: 'hysteresis',
        type: 'number',
        description: 'How far the value must come back before a level is left.',
        default: 0,
        minimum: 0,
      },
    ],
    inlets: [{ name: 'value', primitive_type: 'NUMERIC', description: 'The number to judge.' }],
    outlets: [{ name: 'status', primitive_type: 'JSON', suggested_name: '{} status' }],
  },
  check(constants) {
    if (thresholdLevels.some(([name]) => typeof constants[name] === 'number')) return
    throw new Fault('invalid_argument', 'Give at least one of info, warning and critical.')
  },
  process({ data, constants, previous }) {
    let level = levelOf(previous)
    const statuses = data.flatMap((signal) => {
      if (typeof signal.value !== 'number') return []
      level = thresholdLevel(constants, signal.value, level)
      const status: Status = { level, type: 'threshold', value: signal.value }
      return [{ ...signal, value: status }]
    })
    return [statuses]
  },
}

function levelOf(previous: unknown): StatusLevel {
  const level = (previous as { level?: unknown } | null | undefined)?.level
  return ([1, 2, 3, 4] as const).find((known) => known === level) ?? 0
}

const builtins: ReadonlyMap<string, Builtin> = new Map([[threshold.insight.id, threshold]])

/** The functions that need no module. */
export const builtinFunctions: readonly Insight[] = [...builtins.values()].map((b) => b.insight)

/** The module that they make up, as every business sees it. */
export function builtinModule(businessId: string): Module {
  return {
    id: builtinId,
    businessId,
    name: 'Built-in functions',
    url: null,
    info: { group_id_required: false, name: 'Built-in functions', wants_lifecycle_events: false },
    complaints: [],
    createdAt: 0,
  }
}

/** @throws Fault invalid_argument for constants that make no sense together. */
export function checkBuiltin(functionId: string, constants: Constants): void {
  builtins.get(functionId)?.check(constants)
}

/** Runs a built-in function. @throws Fault not_found */
export function processBuiltin(functionId: string, call: BuiltinCall): SignalData[][] {
  const builtin = builtins.get(functionId)
  if (builtin === undefined) {
    throw new Fault('not_found', `There is no built-in function "${functionId}".`)
  }
  return builtin.process(call)
}
