import type { ConstantInfo, ConstantValue, Insight } from '@millrace/insight-sdk/protocol'
import { Fault, limits } from '../../../foundation/kernel/index.ts'
import { pipelineLimits } from '../limits.ts'
import type { Constants } from '../types.ts'

/** Runs the check of one constant; undefined if it was refused. */
export type CheckConstant = <Result>(name: string, check: () => Result) => Result | undefined

/**
 * The constants of a link: what the user gave, checked against what the function declares, and the
 * defaults for the rest. A constant with neither is left out. Each check runs in `each`, and throws
 * a Fault invalid_argument that names its constant. Pure.
 */
export function checkedConstants(
  insight: Insight,
  given: Readonly<Record<string, unknown>>,
  each: CheckConstant,
): Constants {
  const declared = new Set(insight.constants.map((constant) => constant.name))
  for (const name of Object.keys(given).filter((one) => !declared.has(one))) {
    each(name, () => {
      throw invalid(`The function "${insight.name}" has no constant "${name}".`)
    })
  }
  const entries = insight.constants.flatMap((constant) => {
    const value = Object.hasOwn(given, constant.name) ? given[constant.name] : undefined
    const checked = each(constant.name, () => checkedValue(insight, constant, value))
    return checked === undefined ? [] : [[constant.name, checked] as const]
  })
  return Object.fromEntries(entries)
}

function checkedValue(
  insight: Insight,
  constant: ConstantInfo,
  given: unknown,
): ConstantValue | readonly ConstantValue[] | undefined {
  if (given === undefined || given === null) {
    const { default: value, multiple } = constant
    return multiple === true && value !== undefined ? [value] : value
  }
  if (constant.multiple !== true) return checkOne(constant, given)
  if (!Array.isArray(given)) throw invalid(`The constant "${constant.name}" is a list of values.`)
  const declared = insight.constants_multiple_maximum ?? Number.POSITIVE_INFINITY
  const most = Math.min(declared, pipelineLimits.constantValuesMax)
  if (given.length > most) {
    throw invalid(`The constant "${constant.name}" has at most ${most} values.`)
  }
  return given.map((value) => checkOne(constant, value))
}

function checkOne(constant: ConstantInfo, value: unknown): ConstantValue {
  const { name, type } = constant
  if (!isOfType(value, type)) throw invalid(`The constant "${name}" is a ${type}.`)
  if (constant.enum !== undefined && !constant.enum.includes(value)) {
    throw invalid(`The constant "${name}" is one of ${constant.enum.join(', ')}.`)
  }
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = constant
  if (typeof value === 'number' && value < minimum) {
    throw invalid(`The constant "${name}" is at least ${minimum}.`)
  }
  if (typeof value === 'number' && value > maximum) {
    throw invalid(`The constant "${name}" is at most ${maximum}.`)
  }
  return value
}

function isOfType(value: unknown, type: ConstantInfo['type']): value is ConstantValue {
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value)
  if (type === 'boolean') return typeof value === 'boolean'
  return typeof value === 'string' && value.length <= limits.settingCharsMax
}

function invalid(detail: string): Fault {
  return new Fault('invalid_argument', detail)
}
