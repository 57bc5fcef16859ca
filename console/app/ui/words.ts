import { currentLanguage, defineTexts } from './texts.ts'

const secondUs = 1_000_000
const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

const texts = defineTexts({
  now: ['now', 'jetzt'],
  ago: (time: string) => [`${time} ago`, `vor ${time}`],
})

/** Returns the time since a moment in its largest unit: `3 min ago`. */
export function ago(atUs: number, nowUs: number): string {
  const t = texts[currentLanguage()]
  const seconds = Math.floor((nowUs - atUs) / secondUs)
  const unit = units.find(([, size]) => seconds >= size)
  return unit === undefined ? t.now : t.ago(`${Math.floor(seconds / unit[1])} ${unit[0]}`)
}

/** A moment in full, in the reader's own time zone. */
export function moment(atUs: number): string {
  return new Date(atUs / 1_000).toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'long',
  })
}

/** A moment within the reader's own day, to the millisecond, with the date of another day. */
export function timeOfDay(atUs: number, nowUs: number): string {
  const at = new Date(atUs / 1_000)
  const time = at.toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  })
  if (at.toDateString() === new Date(nowUs / 1_000).toDateString()) return time
  return `${at.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })} ${time}`
}

const digitsMax = 3

/** A value for people: numbers with the digits that matter, JSON on one line. */
export function shownValue(value: unknown, precision: number | null): string {
  if (typeof value === 'number') return shownNumber(value, precision ?? undefined)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function shownNumber(value: number, digits: number | undefined): string {
  const size = Math.abs(value)
  if (value !== 0 && (size < 10 ** -(digits ?? digitsMax) || size >= 1e12)) return `${value}`
  return value.toLocaleString('en', {
    minimumFractionDigits: digits ?? 0,
    maximumFractionDigits: digits ?? digitsMax,
  })
}

/** Units that have a sign which everybody reads. */
const signs: Readonly<Record<string, string>> = {
  AMP: 'A',
  AMPERE: 'A',
  DEG_CELSIUS: '°C',
  DEG_FAHRENHEIT: '°F',
  DEG_KELVIN: 'K',
  HECTOPASCAL: 'hPa',
  HERTZ: 'Hz',
  KELVIN: 'K',
  KILOGRAM: 'kg',
  KILOMETERS_PER_HOUR: 'km/h',
  KILOPASCAL: 'kPa',
  KILOWATT: 'kW',
  KILOWATT_HOUR: 'kWh',
  KPH: 'km/h',
  LITRE: 'L',
  MBAR: 'mbar',
  METER: 'm',
  METERS: 'm',
  METERS_PER_SEC: 'm/s',
  METER_PER_SEC: 'm/s',
  MILLIBAR: 'mbar',
  MILLIMETER: 'mm',
  MILLIMETERS: 'mm',
  PASCAL: 'Pa',
  PERCENT: '%',
  PSI: 'psi',
  ROTATIONS_PER_MIN: 'rpm',
  SECONDS: 's',
  VOLT: 'V',
  WATT: 'W',
}

/** A unit for people; empty for none. A name in capitals without a sign here is spelt out. */
export function shownUnit(unit: string | null | undefined): string {
  if (unit == null) return ''
  const sign = signs[unit]
  if (sign !== undefined) return sign
  return /^[A-Z]+(_[A-Z]+)+$/.test(unit) ? unit.toLowerCase().replaceAll('_', ' ') : unit
}
