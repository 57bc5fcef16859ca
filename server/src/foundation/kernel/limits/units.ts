import type { LimitName } from '../limits.ts'

type Unit = {
  /** Its plural, for a sentence. */
  readonly name: string
  /** Suffixes of values, smallest first, with their sizes in this unit. */
  readonly suffixes: readonly (readonly [suffix: string, size: number])[]
}

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const kib = 1024
const mib = kib * kib

const bytes: Unit['suffixes'] = [
  ['B', 1],
  ['KiB', kib],
  ['MiB', mib],
  ['GiB', kib * mib],
]

const times = (unitMs: number): Unit['suffixes'] => {
  const all = [
    ['ms', 1],
    ['s', secondMs],
    ['min', minuteMs],
    ['h', hourMs],
    ['d', dayMs],
  ] as const
  return all.map(([suffix, ms]) => [suffix, ms / unitMs])
}

const named = (name: string): Unit => ({ name, suffixes: [[` ${name}`, 1]] })

/** Units by the last word of a limit's name that is one, `Max`, `Min` and others left out. */
const units: Readonly<Record<string, Unit>> = {
  Bytes: { name: 'bytes', suffixes: bytes },
  Mib: { name: 'MiB', suffixes: bytes.map(([suffix, size]) => [suffix, size / mib]) },
  Ms: { name: 'milliseconds', suffixes: times(1) },
  S: { name: 'seconds', suffixes: times(secondMs) },
  Seconds: { name: 'seconds', suffixes: times(secondMs) },
  Hours: { name: 'hours', suffixes: times(hourMs) },
  Days: { name: 'days', suffixes: times(dayMs) },
  Weeks: named('weeks'),
  Months: named('months'),
  Bits: named('bits'),
  Chars: named('characters'),
  Percent: { name: 'percent', suffixes: [['%', 1]] },
}

const count: Unit = { name: '', suffixes: [] }

/** The words of a name: `device`, `Body`, `Bytes`, `Max`. */
function splitWords(name: LimitName): string[] {
  return name.split(/(?=[A-Z])/)
}

/** The unit of a limit, by its name. */
export function unitFor(name: LimitName): Unit {
  const word = splitWords(name).findLast((one) => Object.hasOwn(units, one))
  return word === undefined ? count : (units[word] ?? count)
}

/** The variable of the environment that sets a limit. */
export function limitVariable(name: LimitName): string {
  return `MILLRACE_LIMIT_${splitWords(name).join('_').toUpperCase()}`
}

/** Days are used from here on: 48 hours are easier to read than two days. */
const daysFromMs = 3 * dayMs

/** A value as an operator writes it: `2MiB`, `10min`, `48h`, `1000`. */
export function formatLimit(name: LimitName, value: number): string {
  const { suffixes } = unitFor(name)
  const fits = suffixes.filter(([, size]) => value >= size && value % size === 0)
  const day = suffixes.find(([suffix]) => suffix === 'd')?.[1]
  const short = day !== undefined && value < (daysFromMs / dayMs) * day
  const [suffix, size] = fits.findLast((one) => !(short && one[0] === 'd')) ?? suffixOfOne(suffixes)
  return `${value / size}${suffix}`
}

/** The suffix of a plain number: nought, and what no larger unit divides. */
function suffixOfOne(suffixes: Unit['suffixes']): readonly [string, number] {
  return suffixes.find(([, size]) => size === 1) ?? ['', 1]
}

const roundedDigits = 6

/** Reads a value: a number in the limit's unit, or one with a suffix. Undefined: it is neither. */
export function parseLimit(name: LimitName, text: string): number | undefined {
  const match = /^(\d[\d_]*(?:\.\d+)?) *(%|[a-z]*)$/i.exec(text.trim())
  if (match === null) return undefined
  const [, digits = '', suffix = ''] = match
  const known = unitFor(name).suffixes.find(
    ([one]) => one.trim().toLowerCase() === suffix.toLowerCase(),
  )
  const size = suffix === '' ? 1 : known?.[1]
  if (size === undefined) return undefined
  // Sizes below one are not exact: 120 minutes are two hours.
  const value = Number((Number(digits.replaceAll('_', '')) * size).toFixed(roundedDigits))
  return Number.isSafeInteger(value) ? value : undefined
}

/** The unit of a limit with its suffixes: `bytes (B, KiB, MiB, GiB)`. */
export function limitUnit(name: LimitName): string {
  const { name: unit, suffixes } = unitFor(name)
  if (suffixes.length < 2) return unit === '' ? 'a number' : unit
  return `${unit} (${suffixes.map(([suffix]) => suffix).join(', ')})`
}

/** The form of a limit's values, for a sentence: "a whole number of bytes, or one with KiB". */
export function limitForm(name: LimitName): string {
  const { name: unit, suffixes } = unitFor(name)
  if (suffixes.length === 0) return 'a whole number'
  const forms = suffixes.map(([suffix]) => suffix.trim())
  return `a whole number of ${unit}, or one with ${forms.join(', ')}`
}
