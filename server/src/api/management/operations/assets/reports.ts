import type { FastifyReply } from 'fastify'
import { StrictObject, Type } from '../../../../foundation/kernel/index.ts'
import {
  newReportSchema,
  type ReportContent,
  reportSchema,
} from '../../../../insight/reports/index.ts'
import { does, holds, lists, makes, PathText, paging, sent, shows } from '../../contract/common.ts'
import { apiHeaders } from '../../errors.ts'
import { operations } from '../../operation.ts'

const data = operations('assets', 'View Asset Data', '/api:1/reports', { ofGroups: true })
const open = operations('assets', 'none', '/api:1/report-content', {
  params: { token: PathText('What getReportUrl has made.') },
})

export const listReports = data.get(
  '',
  'List reports, newest first.',
  () => ({
    description: "The caller's own, or all for those who see the whole business.",
    query: StrictObject(paging()),
    ...lists('reports', reportSchema, 'The reports.'),
  }),
  ({ reports }, { view, subject, query }) => reports.list(view, subject, query),
)

export const createReport = data.post(
  '',
  'Begin a report: all values of signals in a period, as a file.',
  () => ({
    body: newReportSchema,
    ...makes('The report, which is waiting.', reportSchema),
    example: {
      request: {
        start: 1_767_225_600,
        end: 1_769_904_000,
        signals: [{ id: '0198a3c2-7f3e-7c11-9b1f-1f2a6c1d2e3f' }],
      },
    },
  }),
  ({ reports }, { view, subject, body }) => reports.create(view, subject, body),
)

export const getReport = data.get(
  '/:report',
  'Get a report.',
  () => shows('The report.', reportSchema),
  ({ reports }, { view, subject, params }) => reports.get(view, subject, params.report),
)

export const deleteReport = data.remove(
  '/:report',
  'Delete a report with its content.',
  () => does('It is deleted.'),
  ({ reports }, { view, subject, params }) => reports.remove(view, subject, params.report),
)

export const getReportUrl = data.get(
  '/:report/url',
  'Make a URL of the content of a report, which needs no credential.',
  () => ({
    query: StrictObject({
      expiresIn: Type.Optional(Type.Integer({ description: 'The seconds for which it works.' })),
    }),
    ...holds('url', Type.String(), 'The URL.'),
  }),
  ({ reports }, { view, subject, params, query }) =>
    reports.url(view, subject, params.report, query.expiresIn),
)

const file = {
  description: 'The file: `text/csv`, `application/json`, or that of a sheet.',
  text: 'text/csv',
} as const

export const getReportContent = data.get(
  '/:report/content',
  'Read the content of a report that is completed.',
  () => ({ answers: { 200: file }, anyAnswer: true }),
  async ({ reports }, { view, subject, params, raw: { reply } }) => {
    sendContent(reply, await reports.content(view, subject, params.report))
    return sent
  },
)

export const readReportUrl = open.get(
  '/:token',
  'Read the content of a report by its URL.',
  () => ({
    answers: { 200: file },
    refuses: ['not_found', 'forbidden'],
    anyAnswer: true,
  }),
  async ({ reports }, { params, raw: { reply } }) => {
    sendContent(reply, await reports.open(params.token))
    return sent
  },
)

function sendContent(reply: FastifyReply, { filename, type, data }: ReportContent): void {
  reply
    .headers({ ...apiHeaders, 'content-disposition': `attachment; filename="${filename}"` })
    .type(type)
    .send(data)
}
