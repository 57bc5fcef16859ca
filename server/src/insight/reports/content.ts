import writeExcelFile from 'write-excel-file/node'
import { Fault, type Json, limits } from '../../foundation/kernel/index.ts'
import { type Assets, intervalUs, type Signal, type Value } from '../assets/index.ts'
import type { ReportFormat, ReportSignal } from './report.ts'
import type { MadeReport, StoredReport } from './store.ts'
import { timeWriter } from './times.ts'

/** The content of one report. */
const reportBytesMax = 32 * 1024 * 1024
/** Values of one report as CSV or JSON. */
const reportRowsMax = 200_000
/** Values of one report as XLSX, which is made in memory at once. */
const reportSheetRowsMax = 20_000
/** A text in a cell of a sheet; a longer one is cut. A standard or a provider sets it. */
const sheetCellCharsMax = 32_767

/** A value of a report. */
type Line = {
  readonly timestamp: string
  readonly asset: string
  readonly signal: string
  readonly unit: string
  readonly value: Json
}

/** The media types of the formats. */
export const mediaTypes: Readonly<Record<ReportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

const usPerSecond = 1_000_000
const columns = ['timestamp', 'asset', 'signal', 'unit', 'value'] as const

/**
 * Makes the file of a report: signal by signal, each with its values from the oldest on. Signals
 * that were removed since, or that its maker sees no longer, have no values in it.
 * @throws Fault `too_large` past the limits of a report
 */
export async function makeContent(
  assets: Pick<Assets, 'some' | 'signals' | 'histories'>,
  report: StoredReport,
  signal: AbortSignal,
): Promise<MadeReport> {
  const { view, query, format } = report
  const ids = query.signals.map(({ id }) => id)
  const found = await assets.signals.some(view, ids)
  const owners = await assets.some(view, [...new Set(found.map(({ assetId }) => assetId))])
  const names = new Map(owners.map(({ id, name }) => [id, name]))
  const lines: Line[] = []
  const write = timeWriter(query.timezone ?? {})
  for (const wanted of query.signals) {
    const one = found.find(({ id }) => id === wanted.id)
    if (one === undefined) continue
    const asset = names.get(one.assetId) ?? ''
    const words = { asset, signal: wanted.name ?? one.name, unit: chooseUnit(one, wanted) }
    for await (const values of readSignalPages(assets, report, one, wanted)) {
      signal.throwIfAborted()
      for (const { ts, value } of values) {
        const timestamp = write(ts)
        lines.push({ timestamp, ...words, value })
      }
      refuseLong(lines.length, format)
    }
  }
  const data = await writers[format](lines)
  if (data.length > reportBytesMax) {
    throw new Fault('too_large', `A report has at most ${reportBytesMax} bytes.`)
  }
  return { rows: lines.length, data }
}

function refuseLong(rows: number, format: ReportFormat): void {
  const most = format === 'xlsx' ? reportSheetRowsMax : reportRowsMax
  if (rows <= most) return
  throw new Fault('too_large', `A report as ${format} has at most ${most} values.`)
}

/** A count has no unit. */
function chooseUnit({ dataUnit }: Signal, { every, aggregate, unit }: ReportSignal): string {
  if (every != null && aggregate === 'count') return ''
  return unit ?? dataUnit ?? ''
}

/** Page by page: a page ends at a time, so the next one begins after it. */
async function* readSignalPages(
  assets: Pick<Assets, 'histories'>,
  { view, query }: StoredReport,
  signal: Signal,
  { every, aggregate, unit }: ReportSignal,
): AsyncGenerator<readonly Value[]> {
  const limit = limits.historyValuesMax
  const stepUs = every == null ? 1 : intervalUs(every)
  let from = query.start * usPerSecond
  for (;;) {
    const to = query.end * usPerSecond
    const range = { from, to, limit, order: 'asc', every, aggregate, unit } as const
    const values = (await assets.histories(view, [signal], range)).get(signal.id) ?? []
    yield values
    const last = values.at(-1)
    if (last === undefined || values.length < limit) return
    from = last.ts + stepUs
  }
}

type WriteLines = (lines: readonly Line[]) => Buffer | Promise<Buffer>

const writers: Readonly<Record<ReportFormat, WriteLines>> = {
  csv(lines) {
    const rows = lines.map((line) => columns.map((column) => csvCell(line[column])).join(','))
    return Buffer.from(`${[columns.join(','), ...rows].join('\r\n')}\r\n`)
  },
  json: (lines) => Buffer.from(`[${lines.map((line) => JSON.stringify(line)).join(',\n')}]\n`),
  async xlsx(lines) {
    const head = columns.map((value) => ({ value, fontWeight: 'bold' as const }))
    const rows = lines.map((line) => columns.map((column) => sheetCell(line[column])))
    return writeExcelFile([head, ...rows], { stickyRowsCount: 1 }).toBuffer()
  },
}

/** A spreadsheet runs what begins like a formula. */
function csvCell(value: Json): string {
  if (typeof value === 'number') return String(value)
  const text = formatValue(value)
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

function sheetCell(value: Json) {
  if (typeof value === 'number') return { value, type: Number }
  return { value: formatValue(value).slice(0, sheetCellCharsMax), type: String }
}

function formatValue(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
