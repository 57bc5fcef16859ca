import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault, limits, omitUndefined } from '../../kernel/index.ts'
import type { CsvImport, Provisioning } from '../../provisioning/index.ts'
import {
  createBulkFieldsSchema,
  exportIdentities,
  importIdentities,
} from '../contract/identities.ts'
import { createQueryParser } from '../contract/validation.ts'
import { sendCsv } from '../csv-answer.ts'
import { type Form, readForm } from '../form.ts'
import { ok, type Route, route } from '../route.ts'
import { connectorId } from './connectors.ts'
import { listInputOf } from './identities.ts'

export type IdentitiesBulkOptions = {
  readonly identities: Pick<Provisioning['identities'], 'exportCsv' | 'importCsv'>
  /** The folder of temporary uploads. */
  readonly uploadDir: string
  readonly csv: CsvLimits
}

/** The limits of a file, and of its sender's idle time. */
export type CsvLimits = { readonly bytesMax: number; readonly stallMsMax: number }

/** Identities as CSV: those of a list, and the import of a file, with the result of each row. */
export function identitiesBulkRoutes(options: IdentitiesBulkOptions): Route[] {
  const { identities, csv } = options
  const fieldsSchema = createBulkFieldsSchema()
  const parseFields = createQueryParser(fieldsSchema)
  const fields = Object.keys(fieldsSchema.properties)
  let running = 0
  return [
    route(exportIdentities, async ({ principal, params, query, raw: { reply } }) => {
      const rows = identities.exportCsv(principal.view, connectorId(params), listInputOf(query))
      await sendCsv(reply, 'identities', rows, csv.stallMsMax)
      return 'sent'
    }),
    route(importIdentities, async ({ principal, params, query, raw: { request, reply } }) => {
      if (running >= limits.csvImportsMax) {
        const { retryAfterS } = limits
        throw new Fault('overloaded', 'Other files are being taken.', { retryAfterS })
      }
      running += 1
      let form: Form | undefined
      try {
        // A client that sends nothing, or reads nothing, would block others.
        reply.raw.setTimeout(csv.stallMsMax, () => reply.raw.destroy())
        const connector = connectorId(params)
        form = await readForm(request, {
          file: 'identities',
          fields,
          fileBytesMax: csv.bytesMax,
          dir: options.uploadDir,
        })
        reply.removeHeader('connection')
        const { expire, dry_run: dryRun } = { ...query, ...parseFields(form.fields) }
        const input = omitUndefined({ expire, dryRun })
        const taken = await identities.importCsv(principal.businessId, connector, form.file, input)
        if (wantsJson(request)) return ok(await countsOf(reply, taken))
        reply.header('millrace-rows', taken.counts().total)
        await sendCsv(reply, 'identities', taken.answer(query.rows), csv.stallMsMax)
        return 'sent'
      } finally {
        running -= 1
        await form?.file.close()
      }
    }),
  ]
}

async function countsOf(reply: FastifyReply, taken: CsvImport) {
  reply.raw.setTimeout(0)
  for await (const _ of taken.answer('failed'));
  return taken.counts()
}

function wantsJson({ headers }: FastifyRequest): boolean {
  const accept = headers.accept ?? ''
  return accept.includes('application/json') && !accept.includes('text/csv')
}
