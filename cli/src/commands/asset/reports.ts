import { writeFile } from 'node:fs/promises'
import { type components, errorIn, type operations, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { milliseconds, wholeNumber } from '../../input.ts'
import { columns, timeOf } from '../../output/output.ts'

type Report = components['schemas']['Report']
type Body = operations['createReport']['requestBody']['content']['application/json']
type Aggregate = NonNullable<Body['signals'][number]['aggregate']>

const idOption = {
  meaning: 'The id of the report; see millrace report list.',
  required: true,
} as const

const each = 'for REPORT in $(npx millrace report list | cut -d " " -f 1); do'
const msPerSecond = 1_000

function cellsOf({ id, state, created, rows, filename, reason }: Report): string[] {
  return [id, state, timeOf(created), `${rows} values`, reason ?? filename]
}

export const reportList = defineCommand({
  options: { rows: { meaning: 'The most rows.', default: '50' } },
  example: 'npx millrace report list',
  routes: ['listReports'],
  async run({ rows }, { client, out }) {
    const api = await client()
    const query = { limit: wholeNumber('rows', rows) }
    const { reports } = await unwrap(api.GET('/api:1/reports', { params: { query } }))
    out.show(reports, () => columns(reports.map(cellsOf)))
    return undefined
  },
})

export const reportCreate = defineCommand({
  options: {
    signal: { meaning: 'The id of a signal, or <id>=<its name in the report>.', many: true },
    from: { meaning: 'The first moment, such as 2030-01-31T12:00Z.', required: true },
    to: { meaning: 'The end, which is no part of it.', required: true },
    format: { meaning: 'The kind of file.', choices: ['csv', 'json', 'xlsx'], default: 'csv' },
    name: { meaning: 'A title for the name of its file.' },
    'time-format': { meaning: 'A pattern of strftime for times. Default: ISO 8601.' },
    offset: { meaning: 'Whole hours from UTC. Default: 0.' },
    'time-zone': { meaning: 'In its place: a zone such as Asia/Kolkata, or +05:30.' },
    every: { meaning: 'One value for each interval of this length, such as 15m, 1h or 1d.' },
    aggregate: {
      meaning: "What an interval's value is. Default: avg.",
      choices: ['avg', 'min', 'max', 'sum', 'count', 'first', 'last'],
    },
    unit: { meaning: "A unit of the signals' data type. Default: their own." },
  },
  example:
    'npx millrace report create --signal 0123456789abcdef --from 2030-01-01 --to 2030-02-01 || true',
  routes: ['createReport'],
  async run({ signal, from, to, format, name, every, aggregate, unit, ...time }, { client, out }) {
    const api = await client()
    const series = {
      ...(every !== undefined && { every }),
      ...(aggregate !== undefined && { aggregate: aggregate as Aggregate }),
      ...(unit !== undefined && { unit }),
    }
    const body = {
      start: Math.floor(milliseconds('from', from) / msPerSecond),
      end: Math.ceil(milliseconds('to', to) / msPerSecond),
      signals: signal.map((text) => ({ ...signalOf(text), ...series })),
      format: format as Report['format'],
      ...(name !== undefined && { asset_names: [name] }),
      timezone: timezoneOf(time),
    }
    const report = await unwrap(api.POST('/api:1/reports', { body }))
    out.show(report, () => [report.id])
    return undefined
  },
})

function signalOf(text: string) {
  const [id = '', name] = text.split(/=(.*)/s)
  return name === undefined ? { id } : { id, name }
}

function timezoneOf(time: {
  readonly 'time-format': string | undefined
  readonly offset: string | undefined
  readonly 'time-zone': string | undefined
}) {
  const { 'time-format': format, 'time-zone': timeZone, offset } = time
  return {
    ...(format !== undefined && { format }),
    ...(offset !== undefined && { offset: Number(offset) }),
    ...(timeZone !== undefined && { timeZone }),
  }
}

export const reportShow = defineCommand({
  options: { id: idOption },
  operand: 'id',
  example: `${each} npx millrace report show $REPORT; done`,
  routes: ['getReport'],
  async run({ id }, { client, out }) {
    const api = await client()
    const params = { path: { report: id } }
    const report = await unwrap(api.GET('/api:1/reports/{report}', { params }))
    out.show(report, () => columns([cellsOf(report)]))
    return undefined
  },
})

export const reportDownload = defineCommand({
  options: { id: idOption, output: { meaning: 'The file. Default: the name of the report.' } },
  operand: 'id',
  example: `${each} npx millrace report download $REPORT || true; done`,
  routes: ['getReportContent', 'getReport'],
  async run({ id, output }, { client, input, out }) {
    const api = await client()
    const params = { path: { report: id } }
    const { filename } = await unwrap(api.GET('/api:1/reports/{report}', { params }))
    const path = `/api:1/reports/${encodeURIComponent(id)}/content`
    const response = await api.request(path)
    if (!response.ok) throw await errorIn(response)
    const file = output ?? filename
    await writeFile(input.path(file), Buffer.from(await response.arrayBuffer()))
    out.show({ file }, () => [file])
    return undefined
  },
})

export const reportUrl = defineCommand({
  options: { id: idOption, seconds: { meaning: 'How long it works.', default: '600' } },
  operand: 'id',
  example: `${each} npx millrace report url $REPORT || true; done`,
  routes: ['getReportUrl'],
  async run({ id, seconds }, { client, out }) {
    const api = await client()
    const params = {
      path: { report: id },
      query: { expires_in: wholeNumber('seconds', seconds) },
    }
    const made = await unwrap(api.GET('/api:1/reports/{report}/url', { params }))
    out.show(made, () => [made.url])
    return undefined
  },
})

export const reportDelete = defineCommand({
  options: { id: idOption },
  operand: 'id',
  example: `${each} npx millrace report delete $REPORT; done`,
  routes: ['deleteReport'],
  async run({ id }, { client, out }) {
    const api = await client()
    const params = { path: { report: id } }
    await unwrap(api.DELETE('/api:1/reports/{report}', { params }))
    out.note(`the report ${id} is deleted`)
    return undefined
  },
})
