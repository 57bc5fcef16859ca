const usPerMs = 1_000

/** Microseconds since 1970 as ISO 8601 in UTC: `2026-01-31T12:00:00.123456Z`. */
export function toIso(us: unknown): string {
  const micros = Number(us)
  const ms = Math.floor(micros / usPerMs)
  const rest = String(micros - ms * usPerMs).padStart(3, '0')
  return `${new Date(ms).toISOString().slice(0, -1)}${rest}Z`
}

/** Times that numbers hold to the microsecond. */
const firstUs = Date.UTC(1685, 0, 1) * usPerMs
const endUs = Date.UTC(2255, 0, 1) * usPerMs

/** The end of a sentence that refuses a time for its year; undefined for one that is kept. */
export function refuseTime(us: number): string | undefined {
  return us >= firstUs && us < endUs ? undefined : 'must lie within the years 1685 to 2254'
}

const shape =
  /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})$/i

/** Reads ISO 8601 with a zone as microseconds since 1970; undefined if it is none. */
export function parseIso(text: string): number | undefined {
  const [, minute, second = '00', fraction = '', zone = ''] = shape.exec(text.trim()) ?? []
  if (minute === undefined) return undefined
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone
  const ms = Date.parse(`${minute}:${second}${offset.toUpperCase()}`)
  if (Number.isNaN(ms)) return undefined
  return ms * usPerMs + Number(fraction.padEnd(6, '0').slice(0, 6))
}
