import { whole } from '../frame/figures.ts'
import type { KeptRow } from './kept-rows.ts'
import { type Beside, isMet, type Spread } from './report.ts'

/** The form of a row, in the table for people and on the page. */

const round = (one: number, places: number) => one.toFixed(places)

/** Three digits that count, and no more. */
export function formatNumber(one: number): string {
  if (Math.abs(one) >= 100) return whole(one)
  return round(one, Math.abs(one) >= 10 ? 1 : 2)
}

export function spreadText({ median, least, most }: Spread): string {
  return `${formatNumber(median)} (${formatNumber(least)}-${formatNumber(most)})`
}

export function goalText({ atLeast, atMost }: KeptRow): string {
  if (atLeast !== undefined) return `at least ${atLeast.toLocaleString('en')}`
  return atMost === undefined ? '' : `at most ${atMost.toLocaleString('en')}`
}

export function figureText(row: KeptRow): string {
  return row.figure === undefined ? `none: ${row.missing}` : spreadText(row.figure)
}

export function besideText(beside: Beside | undefined): string {
  return beside === undefined ? '' : `${beside.name}: ${formatNumber(beside.perSecond.median)}`
}

export function metText(row: KeptRow): string {
  const met = isMet(row)
  if (met === undefined) return ''
  return met ? 'met' : 'missed'
}

export const head = ['', 'engine', 'goal', 'figure', '', 'per second', 'peer', 'limit'] as const

/** The cells under `head`. */
export function toCells(row: KeptRow): string[] {
  return [
    `${row.subject}, ${row.unit}`,
    row.engine ?? '',
    goalText(row),
    figureText(row),
    metText(row),
    row.perSecond === undefined ? '' : formatNumber(row.perSecond.median),
    besideText(row.peer),
    besideText(row.limit),
  ]
}
