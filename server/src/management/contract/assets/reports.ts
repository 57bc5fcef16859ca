import { limits, Nullable, StrictObject, Type } from '../../../kernel/index.ts'
import { reportAggregates, reportFormats } from '../../../reports/index.ts'
import { component, json, Microseconds, nothing, Offset, PageSize, PathText } from '../common.ts'
import { contract } from '../contract.ts'

const format = () => Type.Enum([...reportFormats], { description: 'The kind of file.' })

const report = component('Report', {
  id: Type.String(),
  state: Type.Enum(['waiting', 'completed', 'failed', 'expired']),
  reason: Nullable(Type.String(), { description: 'Why it failed.' }),
  format: format(),
  filename: Type.String(),
  rows: Type.Integer({ description: 'The values in it; 0 until it is completed.' }),
  bytes: Type.Integer({ description: 'Its size; 0 until it is completed.' }),
  made_by: Type.String({ description: '`user:<id>` or `token:<id>`.' }),
  created: Microseconds(),
  expires: Microseconds('Until when its content can be read, in microseconds since 1970.'),
})

const reportParams = StrictObject({ report: PathText('The id of a report.') })
const head = { permission: 'View Asset Data', tag: 'assets', ofGroups: true } as const

export const listReports = contract(
  {
    ...head,
    id: 'listReports',
    method: 'GET',
    path: '/api:1/reports',
    summary: 'List reports, newest first.',
    description: "The caller's own, or all for those who see the whole business.",
  },
  () => ({
    query: StrictObject({ limit: PageSize(limits.pageMax), offset: Offset() }),
    answers: { 200: json('The reports.', StrictObject({ reports: Type.Array(report) })) },
  }),
)

export const createReport = contract(
  {
    ...head,
    id: 'createReport',
    method: 'POST',
    path: '/api:1/reports',
    summary: 'Begin a report: all values of signals in a period, as a file.',
  },
  () => ({
    body: StrictObject({
      start: Type.Integer({ description: 'The first moment, in seconds since 1970.', minimum: 0 }),
      end: Type.Integer({ description: 'The end, no part of it, in seconds.', minimum: 0 }),
      signals: Type.Array(
        StrictObject({
          id: Type.String(),
          name: Type.Optional(Type.String({ description: 'Its name in the report.' })),
          every: Type.Optional(
            Type.String({
              description:
                'One value for each interval of this length, such as `15m`, `1h`, `1d` or `1w`.',
            }),
          ),
          aggregate: Type.Optional(
            Type.Enum([...reportAggregates], {
              description: "What an interval's value is; `avg` if it is left out.",
            }),
          ),
          unit: Type.Optional(Type.String({ description: "A unit of the signal's data type." })),
        }),
      ),
      format: Type.Optional(format()),
      asset_names: Type.Optional(
        Type.Array(Type.String(), { description: 'The first is in the name of the file.' }),
      ),
      timezone: Type.Optional(
        StrictObject({
          format: Type.Optional(Type.String({ description: 'A pattern of strftime.' })),
          offset: Type.Optional(
            Type.Integer({
              description: 'Whole hours from UTC.',
              rule: 'must be whole hours; timeZone takes other zones, such as +05:30',
            }),
          ),
          timeZone: Type.Optional(
            Type.String({
              description: 'In its place: a time zone such as `Asia/Kolkata`, or `+05:30`.',
            }),
          ),
        }),
      ),
    }),
    answers: { 201: json('The report, which is waiting.', report) },
    example: {
      request: {
        start: 1_767_225_600,
        end: 1_769_904_000,
        signals: [{ id: '0198a3c2-7f3e-7c11-9b1f-1f2a6c1d2e3f' }],
      },
    },
  }),
)

export const getReport = contract(
  {
    ...head,
    id: 'getReport',
    method: 'GET',
    path: '/api:1/reports/:report',
    summary: 'Get a report.',
  },
  () => ({ params: reportParams, answers: { 200: json('The report.', report) } }),
)

export const deleteReport = contract(
  {
    ...head,
    id: 'deleteReport',
    method: 'DELETE',
    path: '/api:1/reports/:report',
    summary: 'Delete a report with its content.',
  },
  () => ({ params: reportParams, answers: { 204: nothing('It is deleted.') } }),
)

export const getReportUrl = contract(
  {
    ...head,
    id: 'getReportUrl',
    method: 'GET',
    path: '/api:1/reports/:report/url',
    summary: 'Make a URL of the content of a report, which needs no credential.',
  },
  () => ({
    params: reportParams,
    query: StrictObject({
      expires_in: Type.Optional(Type.Integer({ description: 'The seconds for which it works.' })),
    }),
    answers: { 200: json('The URL.', StrictObject({ url: Type.String() })) },
  }),
)

const file = {
  description: 'The file: `text/csv`, `application/json`, or that of a sheet.',
  text: 'text/csv',
} as const

export const getReportContent = contract(
  {
    ...head,
    id: 'getReportContent',
    method: 'GET',
    path: '/api:1/reports/:report/content',
    summary: 'Read the content of a report that is completed.',
  },
  () => ({ params: reportParams, answers: { 200: file }, anyAnswer: true }),
)

export const readReportUrl = contract(
  {
    id: 'readReportUrl',
    method: 'GET',
    path: '/api:1/report-content/:token',
    permission: 'none',
    tag: 'assets',
    summary: 'Read the content of a report by its URL.',
  },
  () => ({
    params: StrictObject({ token: PathText('What getReportUrl has made.') }),
    answers: { 200: file },
    refuses: ['not_found', 'forbidden'],
    anyAnswer: true,
  }),
)
