import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type CsvImport,
  createFilterSchema,
  createImportSchema,
  createManyChangeSchema,
  importCountsSchema,
  manyChangedSchema,
} from '../../../devices/provisioning/index.ts'
import {
  limits,
  readFromWire,
  StrictObject,
  Type,
  wireSchema,
} from '../../../foundation/kernel/index.ts'
import { sent, shows } from '../contract/common.ts'
import { createQueryParser } from '../contract/validation.ts'
import { sendCsv } from '../csv-answer.ts'
import { readForm } from '../form.ts'
import { operations } from '../operation.ts'

const setupOfGroups = operations('devices', 'Setup', '/api:1/service/:connector/device2', {
  ofGroups: true,
})
const setup = operations('devices', 'Setup', '/api:1/service')

export const exportIdentities = setupOfGroups.get(
  '/identities',
  'Export the identities of a connector as CSV, in the order of their names.',
  () => ({
    description:
      'The columns are `ID,Tags,State,Last Seen,Last Address`, in UTF-8, the filters those of ' +
      'the list. An import of the file reads `ID` and `Tags`. An ID that begins like a formula ' +
      'of a spreadsheet has an apostrophe before it, which an import removes.',
    query: createFilterSchema(),
    answers: { 200: { description: 'The file.', text: 'text/csv' } },
  }),
  async ({ csv, provisioning: { identities } }, { view, params, query, raw: { reply } }) => {
    const rows = identities.exportCsv(view, params.connector, query)
    await sendCsv(reply, 'identities', rows, csv.stallMsMax)
    return sent
  },
)

export const importIdentities = setup.post(
  '/:connector/device2/identities',
  'Whitelist the identities of a CSV file.',
  () => ({
    description: 'A field of the form replaces the parameter of its name.',
    query: StrictObject({
      ...createImportSchema().properties,
      rows: Type.Optional(
        Type.Literal('failed', {
          description: 'The answer holds only the rows that failed.',
          rule: 'can only be failed',
        }),
      ),
    }),
    body: {
      stream: ['multipart/form-data'],
      bytesMax: limits.csvBytesMax,
      schema: StrictObject({
        identities: Type.String({ description: 'The CSV file.', format: 'binary' }),
        ...createImportSchema().properties,
      }),
    },
    answers: {
      200: {
        description:
          'The same rows with `status,code,message` as CSV; or with `Accept: application/json` ' +
          'their counts.',
        text: 'text/csv',
        headers: {
          'millrace-rows': Type.Integer({ description: 'Of CSV: the rows below the header.' }),
        },
        json: importCountsSchema,
      },
    },
    refuses: ['csv_invalid', 'business_quota_full'],
  }),
  ({ csv, uploadDir, inTurn, provisioning: { identities } }, call) =>
    inTurn('devices', async () => {
      const { businessId, params, query, raw } = call
      const { request, reply } = raw
      // A client that sends nothing, or reads nothing, would block others.
      reply.raw.setTimeout(csv.stallMsMax, () => reply.raw.destroy())
      const schema = wireSchema(createImportSchema())
      const fields = Object.keys(schema.properties)
      const rules = { file: 'identities', fields, fileBytesMax: csv.bytesMax, dir: uploadDir }
      const form = await readForm(request, rules)
      try {
        reply.removeHeader('connection')
        const { rows, ...input } = query
        Object.assign(input, readFromWire(schema, createQueryParser(schema)(form.fields)))
        const taken = await identities.importCsv(businessId, params.connector, form.file, input)
        if (wantsJson(request)) return await countRows(reply, taken)
        reply.header('millrace-rows', taken.counts().total)
        await sendCsv(reply, 'identities', taken.answer(rows), csv.stallMsMax)
        return sent
      } finally {
        await form.file.close()
      }
    }),
)

export const changeIdentities = setupOfGroups.post(
  '/identities/change',
  'Lock, unlock, re-provision or delete many identities at once.',
  () => ({
    description:
      'Of those that `filter` selects, by the parameters of listIdentities, one call looks at ' +
      '`limit`, in the order of their names; `next` of its answer is `after` of the next call. ' +
      'So none is missed or changed twice, whatever devices do meanwhile. A filter of `{}` ' +
      'selects all. `identities` names them instead, and one call changes all of them. An ' +
      'identity whose status does not allow the change is skipped: `lock` changes those that ' +
      'are not locked, `unlock` those that are, `reprovision` those that are provisioned, ' +
      '`delete` all. A call that failed may be sent again.',
    body: createManyChangeSchema(),
    ...shows('The numbers of identities, and where to go on.', manyChangedSchema),
    refuses: ['reprovision_refused'],
    example: {
      request: { change: 'lock', filter: { status: 'provisioned', tag: 'site', tag_value: 'x' } },
    },
  }),
  ({ provisioning: { identities } }, { view, params, body }) =>
    identities.changeMany(view, params.connector, body),
)

async function countRows(reply: FastifyReply, taken: CsvImport) {
  reply.raw.setTimeout(0)
  for await (const _ of taken.answer('failed'));
  return taken.counts()
}

function wantsJson({ headers }: FastifyRequest): boolean {
  const accept = headers.accept ?? ''
  return accept.includes('application/json') && !accept.includes('text/csv')
}
