/** Times of scripts: UTC, in seconds since 1970, told as C's `strftime` does in its own locale. */

const msPerS = 1000
const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const abbreviated = 3
const dayMs = 86_400_000
const noon = 12

export type DateFields = { readonly [field: string]: unknown }

/** The seconds of a table as `os.time` takes it; a text says what is wrong with it. */
export function secondsOf(fields: DateFields): number | string {
  const read = (name: string, missing?: number): number => {
    const value = Number(fields[name] ?? missing ?? Number.NaN)
    return Math.trunc(value)
  }
  const needed = ['year', 'month', 'day'].find((name) => Number.isNaN(read(name)))
  if (needed !== undefined) return `field '${needed}' missing in date table`
  const date = new Date(0)
  date.setUTCFullYear(read('year'), read('month') - 1, read('day'))
  date.setUTCHours(read('hour', noon), read('min', 0), read('sec', 0))
  const ms = date.getTime()
  return Number.isNaN(ms) ? 'time out-of-bounds' : ms / msPerS
}

/** `os.date`: a text, or a table for `*t`; undefined where the time cannot be told. */
export function dateOf(
  format: string,
  seconds: number,
): string | Record<string, number | boolean> | undefined {
  const date = new Date(Math.floor(seconds) * msPerS)
  if (Number.isNaN(date.getTime())) return undefined
  const local = format.startsWith('!') ? format.slice(1) : format
  if (local.startsWith('*t')) return fieldsOf(date)
  return local.replace(/%(.)/gsu, (whole, letter: string) => told[letter]?.(date) ?? whole)
}

function fieldsOf(date: Date): Record<string, number | boolean> {
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

function dayOfYear(date: Date): number {
  const day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  return (day - Date.UTC(date.getUTCFullYear(), 0, 1)) / dayMs + 1
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function weekOfYear(date: Date, firstDay: number): number {
  const sinceFirst = (date.getUTCDay() - firstDay + 7) % 7
  return Math.floor((dayOfYear(date) + 6 - sinceFirst) / 7)
}

function clockHour(date: Date): number {
  return date.getUTCHours() % 12 || 12
}

const told: Readonly<Record<string, (date: Date) => string>> = {
  a: (date) => (dayNames[date.getUTCDay()] ?? '').slice(0, abbreviated),
  A: (date) => dayNames[date.getUTCDay()] ?? '',
  b: (date) => (monthNames[date.getUTCMonth()] ?? '').slice(0, abbreviated),
  B: (date) => monthNames[date.getUTCMonth()] ?? '',
  c: (date) => tell('%a %b %e %H:%M:%S %Y', date),
  d: (date) => two(date.getUTCDate()),
  D: (date) => tell('%m/%d/%y', date),
  e: (date) => String(date.getUTCDate()).padStart(2, ' '),
  F: (date) => tell('%Y-%m-%d', date),
  H: (date) => two(date.getUTCHours()),
  I: (date) => two(clockHour(date)),
  j: (date) => String(dayOfYear(date)).padStart(3, '0'),
  m: (date) => two(date.getUTCMonth() + 1),
  M: (date) => two(date.getUTCMinutes()),
  n: () => '\n',
  p: (date) => (date.getUTCHours() < noon ? 'AM' : 'PM'),
  R: (date) => tell('%H:%M', date),
  s: (date) => String(date.getTime() / msPerS),
  S: (date) => two(date.getUTCSeconds()),
  t: () => '\t',
  T: (date) => tell('%H:%M:%S', date),
  u: (date) => String(date.getUTCDay() || 7),
  U: (date) => two(weekOfYear(date, 0)),
  w: (date) => String(date.getUTCDay()),
  W: (date) => two(weekOfYear(date, 1)),
  x: (date) => tell('%m/%d/%y', date),
  X: (date) => tell('%H:%M:%S', date),
  y: (date) => two(date.getUTCFullYear() % 100),
  Y: (date) => String(date.getUTCFullYear()),
  z: () => '+0000',
  Z: () => 'UTC',
  '%': () => '%',
}

function tell(format: string, date: Date): string {
  return format.replace(/%(.)/gsu, (_, letter: string) => told[letter]?.(date) ?? '')
}
