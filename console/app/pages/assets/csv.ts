import type { PlotSeries } from '../../components/plot/intervals.ts'

/** Returns a plot as CSV: a row for each time, a column for each line. */
export function toCsv(time: string, series: readonly PlotSeries[]): string {
  const rows = new Map<number, (number | null)[]>()
  for (const [index, { points }] of series.entries()) {
    for (const { ts, value } of points) {
      const row = rows.get(ts) ?? series.map(() => null)
      row[index] = value
      rows.set(ts, row)
    }
  }
  const lines = [...rows]
    .toSorted(([a], [b]) => a - b)
    .filter(([, values]) => values.some((value) => value !== null))
    .map(([ts, values]) => [new Date(ts / 1_000).toISOString(), ...values.map((one) => one ?? '')])
  const head = [time, ...series.map(({ label }) => label)].map(cell)
  return `${[head, ...lines].map((line) => line.join(',')).join('\r\n')}\r\n`
}

/** A text that begins like a formula of a spreadsheet has an apostrophe before it. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

/** Gives a text to the browser as a file. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name.replaceAll(/[\\/:*?"<>|]/g, '_')
  link.click()
  URL.revokeObjectURL(url)
}
