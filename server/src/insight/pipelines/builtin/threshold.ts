import type { StatusLevel } from '@millrace/insight-sdk/protocol'
import { Fault } from '../../../foundation/kernel/index.ts'
import type { Constants } from '../types.ts'
import { type Builtin, numberIn } from './builtin.ts'
import { isSustained, judging, statusOutlets, sustainConstant } from './levels.ts'

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
  const hysteresis = hysteresisIn(constants)
  for (const [name, level] of thresholdLevels) {
    const threshold = constants[name]
    if (typeof threshold !== 'number') continue
    const slack = previous >= level ? hysteresis : 0
    if (sign * (value - threshold) > -slack) return level
  }
  return 0
}

function hysteresisIn(constants: Constants): number {
  return numberIn(constants, 'hysteresis', 0)
}

/** The rule of thresholds. */
export const threshold: Builtin = {
  group: 'rules',
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
      sustainConstant,
    ],
    inlets: [{ name: 'value', primitive_type: 'NUMERIC', description: 'The number to judge.' }],
    outlets: statusOutlets,
  },
  isStateful: isSustained,
  readsPrevious: (constants) => hysteresisIn(constants) > 0 && !isSustained(constants),
  check(constants) {
    if (thresholdLevels.some(([name]) => typeof constants[name] === 'number')) return
    throw new Fault('invalid_argument', 'Give at least one of info, warning and critical.')
  },
  process: judging('threshold', (value, constants, previous) => {
    return thresholdLevel(constants, Number(value), previous)
  }),
}
