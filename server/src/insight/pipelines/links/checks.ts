import type { Insight } from '@millrace/insight-sdk/protocol'
import { Fault, isTimeZone, limits } from '../../../foundation/kernel/index.ts'
import { pipelineLimits } from '../limits.ts'
import {
  type CheckSpec,
  type CheckType,
  checkTypes,
  type LinkCheck,
  weekdays,
} from './link-check.ts'
import { parsePath } from './path.ts'
import { outletSignals } from './signals.ts'

type Rule = { readonly rule: string; readonly isRight: (value: unknown) => boolean }

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= most
const isTime = (value: unknown, last: string) =>
  typeof value === 'string' && (/^([01]\d|2[0-3]):[0-5]\d$/.test(value) || value === last)

const number: Rule = { rule: 'a number', isRight: Number.isFinite }
const boolean: Rule = { rule: 'a boolean', isRight: (value) => typeof value === 'boolean' }
const index: Rule = { rule: 'an index from 0', isRight: (value) => Number(value) >= 0 }

const rules: Readonly<Record<keyof LinkCheck, Rule>> = {
  type: {
    rule: `one of ${checkTypes.join(', ')}`,
    isRight: (value) => checkTypes.some((type) => type === value),
  },
  inlet: index,
  outlet: index,
  not: boolean,
  path: {
    rule: 'a path, such as $.state.level or $.list[0]',
    isRight: (value) => isText(value, limits.settingCharsMax) && parsePath(value) !== undefined,
  },
  minimum: number,
  maximum: number,
  is: boolean,
  contains: { rule: 'a text', isRight: (value) => isText(value, limits.settingCharsMax) },
  equals: { rule: 'a JSON value', isRight: (value) => jsonLength(value) <= limits.settingCharsMax },
  days: {
    rule: `a list of ${weekdays.join(', ')}`,
    isRight: (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= weekdays.length &&
      value.every((day) => weekdays.includes(day)),
  },
  from: { rule: 'a time HH:MM', isRight: (value) => isTime(value, '00:00') },
  to: { rule: 'a time HH:MM', isRight: (value) => isTime(value, '24:00') },
  timeZone: {
    rule: 'the name of a time zone',
    isRight: (value) => isText(value, limits.nameCharsMax) && isTimeZone(value),
  },
}

function jsonLength(value: unknown): number {
  return JSON.stringify(value)?.length ?? Number.POSITIVE_INFINITY
}

/** The fields of each type beside `type`, `inlet`, `outlet` and `not`. */
const fieldsOf: Readonly<Record<CheckType, readonly (keyof LinkCheck)[]>> = {
  number: ['path', 'minimum', 'maximum'],
  boolean: ['path', 'is'],
  string: ['path', 'contains'],
  json: ['path', 'equals'],
  time: ['days', 'from', 'to', 'timeZone'],
}

/** At least one of these must be given. */
const neededOf: Readonly<Record<CheckType, readonly (keyof LinkCheck)[]>> = {
  number: ['minimum', 'maximum'],
  boolean: ['is'],
  string: ['contains'],
  json: ['path'],
  time: ['days', 'from', 'to'],
}

/** Runs one rule of a check; `field` is where it is, `''` for the check itself. */
export type TryRule = (at: number, field: string, rule: () => void) => void

/**
 * The checks of a link as they are stored. Each rule runs in `each`, and throws a Fault
 * invalid_argument. Pure.
 */
export function checkedChecks(
  insight: Insight,
  given: readonly CheckSpec[],
  each: TryRule,
): readonly LinkCheck[] {
  const most = pipelineLimits.linkChecksMax
  if (given.length > most) {
    each(most, '', () => refuse(`A link has at most ${most} checks.`))
    return []
  }
  const counts = { inlet: insight.inlets.length, outlet: outletSignals(insight, '', '').length }
  return given.map((spec, at) => {
    const check = Object.fromEntries(
      Object.entries(spec).filter(([, value]) => value !== null && value !== undefined),
    ) as LinkCheck
    for (const [field, value] of Object.entries(check)) {
      each(at, field, () => assertField(check, field, value))
    }
    each(at, '', () => assertWhole(check, counts))
    return check
  })
}

function assertField(check: LinkCheck, field: string, value: unknown): void {
  const known = Object.hasOwn(rules, field) ? rules[field as keyof LinkCheck] : undefined
  if (known === undefined) throw invalid('A check has no such field.')
  if (!known.isRight(value)) throw invalid(`It is ${known.rule}.`)
  const isCommon = ['type', 'inlet', 'outlet', 'not'].includes(field)
  const own = Object.hasOwn(fieldsOf, check.type) ? fieldsOf[check.type] : undefined
  if (isCommon || own === undefined || own.includes(field as keyof LinkCheck)) return
  throw invalid(`A check of the type ${check.type} has no such field.`)
}

/** The inlets and the outlets that a function has. */
type Counts = { readonly inlet: number; readonly outlet: number }

function assertWhole(check: LinkCheck, counts: Counts): void {
  const needed = Object.hasOwn(neededOf, check.type) ? neededOf[check.type] : undefined
  if (needed === undefined) {
    if (check.type === undefined) refuse('A check needs a type.')
    return
  }
  if (needed.every((field) => check[field] === undefined)) {
    refuse(`A check of the type ${check.type} has ${needed.join(' or ')}.`)
  }
  const { inlet, outlet, minimum, maximum } = check
  if (inlet !== undefined && outlet !== undefined) {
    refuse('A check needs an inlet or an outlet.')
  }
  if (Number(minimum) > Number(maximum)) refuse('The minimum must not exceed the maximum.')
  assertPlace(inlet, counts.inlet, 'inlet')
  assertPlace(outlet, counts.outlet, 'outlet')
}

function assertPlace(place: number | undefined, count: number, what: string): void {
  if (place === undefined || (Number.isInteger(place) && place < count)) return
  refuse(`The function has no ${what} ${place}.`)
}

function invalid(detail: string): Fault {
  return new Fault('invalid_argument', detail)
}

function refuse(detail: string): never {
  throw invalid(detail)
}
