import type { Course } from '../../api/signals.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A line of a plot. */
export type PlotSeries = {
  /** Its name, with its unit. */
  readonly label: string
  /** Oldest first: microseconds since 1970, and a number; null where it has a gap. */
  readonly points: readonly { readonly ts: number; readonly value: number | null }[]
  /** Dashed, in the colour of the series before it: the same in another period. */
  readonly isBefore?: boolean
}

export type PlotProps = {
  /** Its text for screen readers. */
  readonly label: string
  readonly series: readonly PlotSeries[]
  /** The range that is shown, milliseconds since 1970. */
  readonly fromMs: number
  readonly toMs: number
  /** Called with the range that a person has drawn; without it there is no zoom. */
  readonly onZoom?: (fromMs: number, toMs: number) => void
  /** The size of the drawing, without its legend. */
  readonly heightPx?: number
}

/** The lengths of periods. */
export const lengthsMs = {
  '1h': hourMs,
  '24h': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '365d': 365 * dayMs,
} as const

/** The lengths of periods that plots may show. */
export type Period = keyof typeof lengthsMs

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: hourMs,
  d: dayMs,
  w: 7 * dayMs,
}
const steps = [
  '1s',
  '5s',
  '15s',
  '30s',
  '1m',
  '5m',
  '15m',
  '30m',
  '1h',
  '3h',
  '6h',
  '12h',
  '1d',
  '1w',
]
/** More points than a screen is wide are not seen. */
const pointsMax = 800

/** The milliseconds of an interval such as `15m`. */
function intervalMs(every: string): number {
  return Number.parseInt(every, 10) * (unitMs[every.slice(-1)] ?? 1_000)
}

/** The shortest interval with which a range has few enough points. */
export function chooseInterval(lengthMs: number): string {
  return steps.find((step) => lengthMs / intervalMs(step) <= pointsMax) ?? '1w'
}

/** An interval without a value is a gap. */
export function toPoints(
  values: Course['now'],
  every: string,
  shiftUs: number,
): PlotSeries['points'] {
  const stepUs = intervalMs(every) * 1_000
  return values.flatMap(({ ts, value }, index) => {
    const at = ts + shiftUs
    const point = { ts: at, value: typeof value === 'number' ? value : null }
    const next = values[index + 1]
    const isGap = next !== undefined && next.ts - ts > stepUs * 1.5
    return isGap ? [point, { ts: at + stepUs, value: null }] : [point]
  })
}
