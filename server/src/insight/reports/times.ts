import { toIso, zoneMinutes } from '../../foundation/kernel/index.ts'
import type { ReportTimezone } from './report.ts'

const usPerMs = 1_000
const msPerMinute = 60_000
const msPerDay = 24 * 60 * msPerMinute
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = [
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

/**
 * Returns what writes microseconds as a report's zone says: by a pattern of strftime, without one
 * as ISO 8601. Text that is no directive stays as it is.
 */
export function timeWriter({ format, offset, timeZone }: ReportTimezone): (us: number) => string {
  const fixed = (offset ?? 0) * minutesPerHour
  const minutesAt = timeZone ? zoneMinutes(timeZone) : () => fixed
  return (us) => {
    const utcMs = Math.floor(us / usPerMs)
    const minutes = minutesAt(utcMs)
    if (!format) return minutes === 0 ? toIso(us) : zonedIso(us, minutes)
    const parts = formatParts(new Date(utcMs + minutes * msPerMinute), us, minutes)
    return format.replaceAll(/%([a-zA-Z%])/g, (all, directive: string) => parts[directive] ?? all)
  }
}

const minutesPerHour = 60

function zonedIso(us: number, minutes: number): string {
  return toIso(us + minutes * msPerMinute * usPerMs).replace('Z', formatZone(minutes, ':'))
}

function formatZone(minutes: number, between: string): string {
  const [whole, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${two(whole)}${between}${two(rest)}`
}

/** The directives of strftime that reports know. */
function formatParts(date: Date, us: number, zone: number): Readonly<Record<string, string>> {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const [hour, weekday] = [date.getUTCHours(), date.getUTCDay()]
  const minutes = two(date.getUTCMinutes())
  const seconds = two(date.getUTCSeconds())
  const dayOfYear = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / msPerDay) + 1
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
    z: formatZone(zone, ''),
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
