import { writeFile } from 'node:fs/promises'
import type { components } from '@millrace/client'
import { errorIn } from '@millrace/client'
import { command } from '../../command.ts'
import { milliseconds } from '../../input.ts'
import { list, type OptionWords, operation, type Read } from '../../operation.ts'
import { columns, formatTime } from '../../output/output.ts'
import { rowsOption } from '../options.ts'

const idMeaning = 'The id of the report; see millrace report list.'
const idOption = { as: 'report', meaning: idMeaning } as const
const each = 'for REPORT in $(npx millrace report list | cut -d " " -f 1); do'
const msPerSecond = 1_000

const parseSeconds =
  (round: (seconds: number) => number): Read =>
  (option, text) =>
    round(milliseconds(option, text) / msPerSecond)

const parseSignal: Read = (_option, text) => {
  const [id, name] = text.split(/=(.*)/s)
  return name === undefined ? { id } : { id, name }
}

/** The options of all signals of a report. */
const seriesOptions = {
  every: { meaning: 'One value for each interval of this length, such as 15m, 1h or 1d.' },
  aggregate: {
    meaning: "What an interval's value is. Default: avg.",
    choices: ['avg', 'min', 'max', 'sum', 'count', 'first', 'last'],
  },
  unit: { meaning: "A unit of the signals' data type. Default: their own." },
} as const satisfies Readonly<Record<string, OptionWords>>

/** The commands of reports. */
export const commands = {
  'report list': list('listReports', 'reports', {
    summary: 'Print reports, newest first.',
    options: { rows: rowsOption },
    row: reportRow,
    example: 'npx millrace report list',
  }),
  'report create': operation('createReport', {
    summary: 'Begin a report of signals over a period, and print its id.',
    options: {
      signal: {
        as: 'signals',
        many: true,
        read: parseSignal,
        meaning: 'The id of a signal, or <id>=<its name in the report>.',
      },
      from: {
        as: 'start',
        read: parseSeconds(Math.floor),
        meaning: 'The first moment, such as 2030-01-31T12:00Z.',
      },
      to: {
        as: 'end',
        read: parseSeconds(Math.ceil),
        meaning: 'The end, exclusive.',
      },
      format: { meaning: 'The kind of file.', choices: ['csv', 'json', 'xlsx'], default: 'csv' },
      name: {
        as: 'asset_names',
        read: (_option, text) => [text],
        meaning: 'A title for the name of its file.',
      },
      'time-format': {
        as: 'timezone.format',
        meaning: 'A pattern of strftime for times. Default: ISO 8601.',
      },
      offset: {
        as: 'timezone.offset',
        read: (_option, text) => Number(text),
        meaning: 'Whole hours from UTC. Default: 0.',
      },
      'time-zone': {
        as: 'timezone.timeZone',
        meaning: 'In place of the offset: a zone such as Asia/Kolkata, or +05:30.',
      },
      ...seriesOptions,
    },
    arguments({ signals, every, aggregate, unit, ...report }) {
      const series = { every, aggregate, unit }
      return { ...report, signals: (signals as object[]).map((one) => ({ ...one, ...series })) }
    },
    lines: ({ id }) => [id],
    example:
      'npx millrace report create --signal 0123456789abcdef --from 2030-01-01 --to 2030-02-01 || true',
  }),
  'report show': operation('getReport', {
    summary: 'Print the state of a report.',
    options: { id: idOption },
    lines: (report) => columns([reportRow(report)]),
    example: `${each} npx millrace report show $REPORT; done`,
  }),
  'report download': command('Write the content of a report into a file, when it is completed.', {
    options: {
      id: { meaning: idMeaning, required: true },
      output: { meaning: 'The file. Default: the name of the report.' },
    },
    operand: 'id',
    example: `${each} npx millrace report download $REPORT || true; done`,
    routes: ['getReportContent', 'getReport'],
    async run({ id: report, output }, { client, call, input, out }) {
      const { filename } = await call('getReport', { report })
      const path = `/api:1/reports/${encodeURIComponent(report)}/content`
      const response = await (await client()).request(path)
      if (!response.ok) throw await errorIn(response)
      const file = output ?? filename
      await writeFile(input.path(file), Buffer.from(await response.arrayBuffer()))
      out.show({ file }, () => [file])
    },
  }),
  'report url': operation('getReportUrl', {
    summary: 'Print a URL of the content of a report, which needs no credential.',
    options: {
      id: idOption,
      seconds: { as: 'expires_in', meaning: 'The time for which it works.', default: '600' },
    },
    lines: ({ url }) => [url],
    example: `${each} npx millrace report url $REPORT || true; done`,
  }),
  'report delete': operation('deleteReport', {
    summary: 'Delete a report with its content.',
    options: { id: idOption },
    noted: 'the report {id} is deleted',
    example: `${each} npx millrace report delete $REPORT; done`,
  }),
}

function reportRow(report: components['schemas']['Report']): string[] {
  const { id, state, created, rows, filename, reason } = report
  return [id, state, formatTime(created), `${rows} values`, reason ?? filename]
}
