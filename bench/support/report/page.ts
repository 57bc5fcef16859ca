import { onePlace } from '../frame/figures.ts'
import { besideText, figureText, formatNumber, goalText, metText } from './cells.ts'
import type { KeptRow } from './kept-rows.ts'
import { isMet } from './report.ts'
import { formatSummary } from './summary.ts'

/** The parts of docs/internals/performance.md that are written from figures. */

const parts = ['summary', 'table'] as const

/** The page with both parts as the rows have them. @throws Error if a mark is missing. */
export function pageWith(page: string, rows: readonly KeptRow[]): string {
  const texts = { summary: formatSummary(rows), table: formatTable(rows) }
  return parts.reduce((text, part) => {
    const [start, end] = [`<!-- bench: ${part} -->`, `<!-- end of ${part} -->`]
    const [from, to] = [text.indexOf(start), text.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`the page has no ${start} with ${end} behind it`)
    return `${text.slice(0, from + start.length)}\n\n${texts[part]}\n\n${text.slice(to)}`
  }, page)
}

const head = [
  'bench',
  'what',
  'engine',
  'goal',
  'figure',
  'per second',
  'peer',
  'limit',
  'measured',
]

function formatTable(rows: readonly KeptRow[]): string {
  const lines = rows.map((row) => [
    ...[
      row.bench,
      `${row.subject}, ${row.unit}`,
      row.engine ?? '',
      goalText(row),
      formatFigure(row),
    ],
    row.perSecond === undefined ? '' : formatNumber(row.perSecond.median),
    ...[besideText(row.peer), besideText(row.limit), formatMeasured(row)],
  ])
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n')
}

/** A goal that is missed is bold. */
function formatFigure(row: KeptRow): string {
  const met = isMet(row)
  const text = met === undefined ? figureText(row) : `${figureText(row)} ${metText(row)}`
  return met === false ? `**${text}**` : text
}

function formatMeasured({ figure, run }: KeptRow): string {
  if (figure === undefined || run === undefined) return ''
  const { at, rounds, load } = run
  const day = at.slice(0, 'YYYY-MM-DD'.length)
  const loads = load && `load ${onePlace(load.start)} to ${onePlace(load.end)}`
  return [day, rounds === 1 ? '1 round' : `${rounds} rounds`, loads].filter(Boolean).join(', ')
}
