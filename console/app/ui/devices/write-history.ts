import type { Line } from '../../api/logs.ts'

/** A number at a moment, in microseconds since 1970. */
export type Point = { readonly ts: number; readonly value: number }

/** The numbers that lines of a log wrote to a resource, oldest first. */
export function toPoints(lines: readonly Line[], alias: string): Point[] {
  return lines
    .flatMap(({ payload = [] }) => payload)
    .flatMap(({ timestamp, values }) => {
      const value = Number(values[alias] ?? Number.NaN)
      return Number.isFinite(value) ? [{ ts: timestamp, value }] : []
    })
    .sort((a, b) => a.ts - b.ts)
}
