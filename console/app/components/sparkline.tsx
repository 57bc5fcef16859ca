import type { Value } from '../api/signals.ts'
import { shownValue } from '../ui/words.ts'
import styles from './sparkline.module.css'

const width = 96
const height = 24
const inset = 2

type Point = { readonly x: number; readonly y: number }

/** The course of recent numbers, oldest first. Fewer than two are no course. */
export function Sparkline({ values }: { readonly values: readonly Value[] }) {
  const points = values.flatMap(({ ts, value }) => {
    if (typeof value === 'boolean') return [{ x: ts, y: Number(value) }]
    return typeof value === 'number' ? [{ x: ts, y: value }] : []
  })
  if (points.length < 2) return null
  const ys = points.map(({ y }) => y)
  const [least, most] = [Math.min(...ys), Math.max(...ys)]
  const [from, to] = [shownValue(least, null), shownValue(most, null)]
  return (
    <svg
      className={styles.line}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`The last ${points.length} values, from ${from} to ${to}`}
    >
      <path d={pathOf(points, least, most)} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

function pathOf(points: readonly Point[], least: number, most: number): string {
  const first = points[0]?.x ?? 0
  const span = (points.at(-1)?.x ?? 0) - first || 1
  const range = most - least
  const steps = points.map(({ x, y }) => {
    const right = inset + ((x - first) / span) * (width - 2 * inset)
    const up = range === 0 ? 0.5 : (y - least) / range
    return `${right.toFixed(1)} ${(height - inset - up * (height - 2 * inset)).toFixed(1)}`
  })
  return `M${steps.join('L')}`
}
