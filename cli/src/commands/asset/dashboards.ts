import { writeFile } from 'node:fs/promises'
import { type components, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../../command.ts'
import { type Input, wholeNumber } from '../../input.ts'
import { columns, timeOf } from '../../output/output.ts'

type Document = components['schemas']['DashboardDocument']

const idOption = {
  meaning: 'The id of the dashboard; see millrace dashboard list.',
  required: true,
} as const

const each = 'for BOARD in $(npx millrace dashboard list | cut -d " " -f 1); do'

export const dashboardList = defineCommand({
  options: {
    text: { meaning: 'Letters of the name or of the description.' },
    rows: { meaning: 'The most rows.', default: '50' },
  },
  example: 'npx millrace dashboard list',
  routes: ['listDashboards'],
  async run({ text, rows }, { client, out }) {
    const api = await client()
    const query = { limit: wholeNumber('rows', rows), ...(text !== undefined && { text }) }
    const { dashboards } = await unwrap(api.GET('/api:1/dashboards', { params: { query } }))
    out.show(dashboards, () =>
      columns(
        dashboards.map(({ id, panels, version, changed, name }) => {
          return [id, `${panels} panels`, `version ${version}`, timeOf(changed), name]
        }),
      ),
    )
    return undefined
  },
})

export const dashboardExport = defineCommand({
  options: { id: idOption, output: { meaning: 'The file to write. Default: print.' } },
  operand: 'id',
  example: `${each} npx millrace dashboard export $BOARD --output board.json; done`,
  routes: ['getDashboard'],
  async run({ id, output }, { client, input, out }) {
    const api = await client()
    const params = { path: { dashboard: id } }
    const { document } = await unwrap(api.GET('/api:1/dashboards/{dashboard}', { params }))
    const text = JSON.stringify(document, null, 2)
    if (output === undefined) out.show(document, () => [text])
    else await writeFile(input.path(output), `${text}\n`)
    return undefined
  },
})

export const dashboardImport = defineCommand({
  options: {
    file: {
      meaning: 'A document as JSON or YAML, as dashboard export writes it.',
      required: true,
    },
    replace: { meaning: 'The id of a dashboard that becomes what the file says.' },
  },
  operand: 'file',
  example: `echo '{"name": "Notes", "panels": [{"id": "note", "type": "text", "text": "Shift A", \
"column": 0, "row": 0, "width": 4, "height": 2}]}' > notes.json && \
npx millrace dashboard import notes.json`,
  routes: ['createDashboard', 'getDashboard', 'replaceDashboard'],
  async run({ file, replace }, { client, input, out }) {
    const api = await client()
    const document = await documentOf(input, file)
    if (replace === undefined) {
      const made = await unwrap(api.POST('/api:1/dashboards', { body: document }))
      out.show(made, () => [made.id])
      return undefined
    }
    const params = { path: { dashboard: replace } }
    const { version } = await unwrap(api.GET('/api:1/dashboards/{dashboard}', { params }))
    const body = { version, document }
    const changed = await unwrap(api.PUT('/api:1/dashboards/{dashboard}', { params, body }))
    out.show(changed, () => [changed.id])
    return undefined
  },
})

async function documentOf(input: Input, file: string): Promise<Document> {
  const document = await input.yamlOfFile('file', file)
  if (Array.isArray(document.panels)) return document as Document
  throw new UsageError(`--file ${file} has no list "panels"`)
}

export const dashboardDelete = defineCommand({
  options: { id: idOption },
  operand: 'id',
  example: `${each} npx millrace dashboard delete $BOARD; done`,
  routes: ['deleteDashboard'],
  async run({ id }, { client, out }) {
    const api = await client()
    const params = { path: { dashboard: id } }
    await unwrap(api.DELETE('/api:1/dashboards/{dashboard}', { params }))
    out.note(`the dashboard ${id} is deleted`)
    return undefined
  },
})
