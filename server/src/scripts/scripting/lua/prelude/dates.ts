/** The width of one conversion of `os.date`, in characters; a greater one counts as this. */
const scriptDateWidthMax = 250

/** Times of scripts: UTC, in seconds since 1970, written as `strftime` does in the C locale. */

const msPerS = 1000
const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const abbreviated = 3
const dayMs = 86_400_000
const noon = 12

export type DateFields = { readonly [field: string]: unknown }

/** The seconds of a table as `os.time` takes it; a text is the error. */
export function toSeconds(fields: DateFields): number | string {
  const read = (name: string, missing?: number): number =>
    Math.trunc(toNumber(fields[name]) ?? missing ?? Number.NaN)
  const needed = ['day', 'month', 'year'].find((name) => Number.isNaN(read(name)))
  if (needed !== undefined) return `field '${needed}' missing in date table`
  const date = new Date(0)
  date.setUTCFullYear(read('year'), read('month') - 1, read('day'))
  date.setUTCHours(read('hour', noon), read('min', 0), read('sec', 0))
  const ms = date.getTime()
  return Number.isNaN(ms) ? 'time out-of-bounds' : ms / msPerS
}

/** A number, or a text that is one. */
function toNumber(value: unknown): number | undefined {
  const isText = typeof value === 'string' && value.trim() !== ''
  const number = isText || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isNaN(number) ? undefined : number
}

/** `os.date`: a text, or a table for `*t`; undefined if the time cannot be written as a date. */
export function formatDate(
  format: string,
  seconds: number,
): string | Record<string, number | boolean> | undefined {
  const date = new Date(Math.trunc(seconds) * msPerS)
  if (Number.isNaN(date.getTime())) return undefined
  const isUtc = format.startsWith('!')
  const local = isUtc ? format.slice(1) : format
  return local === '*t' ? toDateFields(date) : write(local, { date, zone: isUtc ? 'GMT' : 'UTC' })
}

function toDateFields(date: Date): Record<string, number | boolean> {
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    min: date.getUTCMinutes(),
    sec: date.getUTCSeconds(),
    wday: date.getUTCDay() + 1,
    yday: dayOfYear(date),
    isdst: false,
  }
}

type Moment = { readonly date: Date; readonly zone: string }

/** The effect of the flag `#` on a text. `never`: it stays in small letters. */
type Cased = 'upper' | 'lower' | 'never'

/** A number with its digits and what fills them up, a text, or a format of others. */
type Conversion =
  | { readonly number: (date: Date) => number; readonly digits: number; readonly fill: string }
  | { readonly text: (moment: Moment) => string; readonly cased?: Cased }
  | { readonly format: string }

/** `%`, flags and width as in the C library of Linux, the modifiers of POSIX, the letter. */
const specification = /%([-_0^#]*)(\d*)([EO]?)([a-zA-Z+%])/g

function write(format: string, moment: Moment): string {
  return format.replace(specification, (whole, flags, width, modifier, letter) => {
    const conversion = takes(modifier, letter) ? conversions[letter] : undefined
    if (conversion === undefined) return whole
    const text = convert(conversion, moment, flags)
    const length = Math.min(Number(width), scriptDateWidthMax)
    if (length <= text.length) return text
    const fill = 'number' in conversion ? conversion.fill : ' '
    return padded(text, length, parseFill(flags) ?? (flags.includes('-') ? ' ' : fill))
  })
}

/** In the C locale the modifiers change nothing, and some letters do not take them. */
function takes(modifier: string, letter: string): boolean {
  if (modifier === '') return true
  return !(modifier === 'E' ? 'aAbBdDeFgGhHIjklmMSUVwW' : 'aAcDFxXY').includes(letter)
}

function convert(conversion: Conversion, moment: Moment, flags: string): string {
  if ('number' in conversion) {
    const { digits, fill } = conversion
    const value = conversion.number(moment.date)
    return padded(String(value), flags.includes('-') ? 0 : digits, parseFill(flags) ?? fill)
  }
  const text = 'format' in conversion ? write(conversion.format, moment) : conversion.text(moment)
  const cased = 'cased' in conversion ? conversion.cased : undefined
  if (flags.includes('#') && cased !== undefined) {
    return cased === 'upper' ? text.toUpperCase() : text.toLowerCase()
  }
  return flags.includes('^') && cased !== 'never' ? text.toUpperCase() : text
}

/** Zeros stand behind a sign, spaces before it. */
function padded(text: string, length: number, fill: string): string {
  if (fill !== '0' || !text.startsWith('-')) return text.padStart(length, fill)
  return `-${text.slice(1).padStart(length - 1, fill)}`
}

function parseFill(flags: string): string | undefined {
  const last = /[-_0](?=[^-_0]*$)/.exec(flags)?.[0]
  if (last === '-') return undefined
  return last === '_' ? ' ' : last
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - yearStart(date.getUTCFullYear())) / dayMs) + 1
}

/** Years before 100 are no abbreviations here. */
function yearStart(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1)
}

function weekOfYear(date: Date, firstDay: number): number {
  const sinceFirst = (date.getUTCDay() - firstDay + 7) % 7
  return Math.floor((dayOfYear(date) + 6 - sinceFirst) / 7)
}

/** The Thursday of a date's week, which is in the year that ISO 8601 counts the week to. */
function isoThursday(date: Date): Date {
  const sinceMonday = (date.getUTCDay() + 6) % 7
  return new Date(date.getTime() + (3 - sinceMonday) * dayMs)
}

function clockHour(date: Date): number {
  return date.getUTCHours() % 12 || 12
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}

function number(digits: number, of: (date: Date) => number, fill = '0'): Conversion {
  return { number: of, digits, fill }
}

const dayName = (date: Date) => dayNames[date.getUTCDay()] ?? ''
const monthName = (date: Date) => monthNames[date.getUTCMonth()] ?? ''
const half = (date: Date) => (date.getUTCHours() < noon ? 'AM' : 'PM')
const year = (date: Date) => date.getUTCFullYear()
const isoYear = (date: Date) => isoThursday(date).getUTCFullYear()

const conversions: Readonly<Record<string, Conversion>> = {
  a: { text: ({ date }) => dayName(date).slice(0, abbreviated), cased: 'upper' },
  A: { text: ({ date }) => dayName(date), cased: 'upper' },
  b: { text: ({ date }) => monthName(date).slice(0, abbreviated), cased: 'upper' },
  B: { text: ({ date }) => monthName(date), cased: 'upper' },
  c: { format: '%a %b %e %H:%M:%S %Y' },
  C: number(2, (date) => Math.floor(year(date) / 100)),
  d: number(2, (date) => date.getUTCDate()),
  D: { format: '%m/%d/%y' },
  e: number(2, (date) => date.getUTCDate(), ' '),
  F: { format: '%Y-%m-%d' },
  g: number(2, (date) => modulo(isoYear(date), 100)),
  G: number(1, isoYear),
  h: { text: ({ date }) => monthName(date).slice(0, abbreviated), cased: 'upper' },
  H: number(2, (date) => date.getUTCHours()),
  I: number(2, clockHour),
  j: number(3, dayOfYear),
  k: number(2, (date) => date.getUTCHours(), ' '),
  l: number(2, clockHour, ' '),
  m: number(2, (date) => date.getUTCMonth() + 1),
  M: number(2, (date) => date.getUTCMinutes()),
  n: { text: () => '\n' },
  p: { text: ({ date }) => half(date), cased: 'lower' },
  P: { text: ({ date }) => half(date).toLowerCase(), cased: 'never' },
  r: { format: '%I:%M:%S %p' },
  R: { format: '%H:%M' },
  s: number(1, (date) => date.getTime() / msPerS, ' '),
  S: number(2, (date) => date.getUTCSeconds()),
  t: { text: () => '\t' },
  T: { format: '%H:%M:%S' },
  u: number(1, (date) => date.getUTCDay() || 7),
  U: number(2, (date) => weekOfYear(date, 0)),
  V: number(2, (date) => Math.ceil(dayOfYear(isoThursday(date)) / 7)),
  w: number(1, (date) => date.getUTCDay()),
  W: number(2, (date) => weekOfYear(date, 1)),
  x: { format: '%m/%d/%y' },
  X: { format: '%H:%M:%S' },
  y: number(2, (date) => modulo(year(date), 100)),
  Y: number(1, year),
  z: { text: () => '+0000' },
  Z: { text: ({ zone }) => zone, cased: 'lower' },
  '%': { text: () => '%' },
}
