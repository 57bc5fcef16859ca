import { isoOf } from '../kernel/index.ts'
import type { ReportTimezone } from './report.ts'

const usPerMs = 1_000
const msPerHour = 3_600_000
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
]

/**
 * Writes microseconds as a report's zone says: by a pattern of strftime, without one as ISO 8601.
 * What no directive is stays as it is. Pure.
 */
export function writeTime(us: number, { format, offset }: ReportTimezone): string {
  const hours = offset ?? 0
  const ms = Math.floor(us / usPerMs) + hours * msPerHour
  if (!format) return hours === 0 ? isoOf(us) : zonedIso(us, hours)
  const parts = partsOf(new Date(ms), us, hours)
  return format.replaceAll(/%([a-zA-Z%])/g, (all, directive: string) => parts[directive] ?? all)
}

function zonedIso(us: number, hours: number): string {
  return isoOf(us + hours * msPerHour * usPerMs).replace('Z', `${zoneOf(hours, ':')}`)
}

function zoneOf(hours: number, between: string): string {
  return `${hours < 0 ? '-' : '+'}${two(Math.abs(hours))}${between}00`
}

/** The directives of strftime that reports know. */
function partsOf(date: Date, us: number, hours: number): Readonly<Record<string, string>> {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const [hour, weekday] = [date.getUTCHours(), date.getUTCDay()]
  const minutes = two(date.getUTCMinutes())
  const seconds = two(date.getUTCSeconds())
  const dayOfYear = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / (24 * msPerHour)) + 1
  return {
    '%': '%',
    Y: String(year),
    y: two(year % 100),
    m: two(month + 1),
    d: two(day),
    e: String(day).padStart(2),
    H: two(hour),
    I: two(hour % 12 || 12),
    M: minutes,
    S: seconds,
    L: String(date.getUTCMilliseconds()).padStart(3, '0'),
    f: String(us % 1_000_000).padStart(6, '0'),
    p: hour < 12 ? 'AM' : 'PM',
    A: days[weekday] ?? '',
    a: days[weekday]?.slice(0, 3) ?? '',
    B: months[month] ?? '',
    b: months[month]?.slice(0, 3) ?? '',
    j: String(dayOfYear).padStart(3, '0'),
    z: zoneOf(hours, ''),
    s: String(Math.floor(us / 1_000_000)),
    F: `${year}-${two(month + 1)}-${two(day)}`,
    T: `${two(hour)}:${minutes}:${seconds}`,
    R: `${two(hour)}:${minutes}`,
    D: `${two(month + 1)}/${two(day)}/${two(year % 100)}`,
  }
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
