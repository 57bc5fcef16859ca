import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { AssetFiles } from '../../../asset-files/index.ts'
import { levelOf } from '../../../assets/index.ts'
import { Fault, limits } from '../../../kernel/index.ts'
import type { Report, ReportContent, Reports } from '../../../reports/index.ts'
import { exportAssets, importAssets } from '../../contract/assets/files.ts'
import {
  createReport,
  deleteReport,
  getReport,
  getReportContent,
  getReportUrl,
  listReports,
  readReportUrl,
} from '../../contract/assets/reports.ts'
import { sendCsv } from '../../csv-answer.ts'
import { apiHeaders } from '../../errors.ts'
import { created, noContent, ok, type Route, route } from '../../route.ts'
import { templateRoutes } from './templates.ts'

export type AssetRoutesOptions = { readonly assetFiles: AssetFiles; readonly reports: Reports }

/** Assets as CSV, templates of them, and reports of their values. */
export function assetRoutes({ assetFiles, reports }: AssetRoutesOptions): Route[] {
  return [
    ...fileRoutes(assetFiles),
    ...templateRoutes(assetFiles.templates),
    ...reportRoutes(reports),
    ...contentRoutes(reports),
  ]
}

function fileRoutes(assetFiles: AssetFiles): Route[] {
  let running = 0
  return [
    route(exportAssets, async ({ principal, query, raw: { reply } }) => {
      const { group: groupId, text, level, template } = query
      const rows = assetFiles.exportCsv(principal.view, {
        groupId,
        text,
        levels: level && [levelOf(level)],
        templateIds: template === undefined ? undefined : [template],
      })
      await sendCsv(reply, 'assets', rows)
      return 'sent'
    }),
    route(importAssets, async ({ principal, query, headers, bytes }) => {
      if (Number(headers['content-length'] ?? 0) > limits.assetCsvBytesMax) {
        throw new Fault('too_large')
      }
      if (running >= limits.csvImportsMax) {
        const { retryAfterS } = limits
        throw new Fault('overloaded', 'Other files are being taken.', { retryAfterS })
      }
      running += 1
      try {
        const { view, subject: by } = principal
        const file = Readable.from(bounded(bytes))
        const dryRun = query.dry_run === true
        const { rows, ...counts } = await assetFiles.importCsv({ view, by, file, dryRun })
        return ok({ ...counts, rows: [...rows] })
      } finally {
        running -= 1
      }
    }),
  ]
}

async function* bounded(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > limits.assetCsvBytesMax) throw new Fault('too_large')
    yield piece
  }
}

function reportRoutes(reports: Reports): Route[] {
  return [
    route(listReports, async ({ principal: { view, subject }, query }) => {
      const found = await reports.list(view, subject, query)
      return ok({ reports: found.map(shown) })
    }),
    route(createReport, async ({ principal: { view, subject }, body }) => {
      const { asset_names: assetNames, ...wanted } = body
      return created(shown(await reports.create(view, subject, { ...wanted, assetNames })))
    }),
    route(getReport, async ({ principal: { view, subject }, params }) =>
      ok(shown(await reports.get(view, subject, params.report))),
    ),
    route(deleteReport, async ({ principal: { view, subject }, params }) => {
      await reports.remove(view, subject, params.report)
      return noContent()
    }),
    route(getReportUrl, async ({ principal: { view, subject }, params, query }) =>
      ok({ url: await reports.url(view, subject, params.report, query.expires_in) }),
    ),
  ]
}

function contentRoutes(reports: Reports): Route[] {
  return [
    route(getReportContent, async ({ principal: { view, subject }, params, raw: { reply } }) => {
      sendContent(reply, await reports.content(view, subject, params.report))
      return 'sent'
    }),
    route(readReportUrl, async ({ params, raw: { reply } }) => {
      sendContent(reply, await reports.open(params.token))
      return 'sent'
    }),
  ]
}

function sendContent(reply: FastifyReply, { filename, type, data }: ReportContent): void {
  reply
    .headers({ ...apiHeaders, 'content-disposition': `attachment; filename="${filename}"` })
    .type(type)
    .send(data)
}

function shown({ id, state, reason, format, filename, rows, bytes, ...report }: Report) {
  const { madeBy: made_by, createdAt: created, expiresAt: expires } = report
  return { id, state, reason, format, filename, rows, bytes, made_by, created, expires }
}
