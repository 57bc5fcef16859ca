import type { components } from '@millrace/client'
import { command, UsageError } from '../../command.ts'
import { outputOption, printDocument } from '../../file.ts'
import type { Input } from '../../input.ts'
import { list, operation } from '../../operation.ts'
import { formatTime } from '../../output/output.ts'
import { rowsOption } from '../options.ts'

const idOption = {
  as: 'dashboard',
  meaning: 'The id of the dashboard; see millrace dashboard list.',
}
const each = 'for BOARD in $(npx millrace dashboard list | cut -d " " -f 1); do'

/** The commands of dashboards. */
export const commands = {
  'dashboard list': list('listDashboards', 'dashboards', {
    summary: 'Print the dashboards, in the order in which they were made.',
    options: { text: 'Letters of the name or of the description.', rows: rowsOption },
    row: ({ id, panels, version, changed, name }) => {
      return [id, `${panels} panels`, `version ${version}`, formatTime(changed), name]
    },
    example: 'npx millrace dashboard list',
  }),
  'dashboard export': command('Print a dashboard as a document, which another instance takes.', {
    options: { id: { meaning: idOption.meaning, required: true }, output: outputOption },
    operand: 'id',
    example: `${each} npx millrace dashboard export $BOARD --output board.json; done`,
    routes: ['getDashboard'],
    async run({ id: dashboard, output }, context) {
      const { document } = await context.call('getDashboard', { dashboard })
      await printDocument(document, output, context)
    },
  }),
  'dashboard import': command('Make a dashboard of a document, or change one to it.', {
    options: {
      file: {
        meaning: 'A document as JSON or YAML, as dashboard export writes it.',
        required: true,
      },
      replace: { meaning: 'The id of a dashboard to replace by the file.' },
    },
    operand: 'file',
    example: `echo '{"name": "Notes", "panels": [{"id": "note", "type": "text", "text": "Shift A", \
"column": 0, "row": 0, "width": 4, "height": 2}]}' > notes.json && \
npx millrace dashboard import notes.json`,
    routes: ['createDashboard', 'getDashboard', 'replaceDashboard'],
    async run({ file, replace: dashboard }, { call, input, out }) {
      const document = (await readDocument(input, file)) as Document
      if (dashboard === undefined) {
        const made = await call('createDashboard', {}, document)
        out.show(made, () => [made.id])
        return
      }
      const { version } = await call('getDashboard', { dashboard })
      const changed = await call('replaceDashboard', { dashboard, version, document })
      out.show(changed, () => [changed.id])
    },
  }),
  'dashboard delete': operation('deleteDashboard', {
    summary: 'Delete a dashboard.',
    options: { id: idOption },
    noted: 'the dashboard {id} is deleted',
    example: `${each} npx millrace dashboard delete $BOARD; done`,
  }),
}

type Document = components['schemas']['DashboardDocument']

async function readDocument(input: Input, file: string) {
  const document = await input.yamlOfFile('file', file)
  if (Array.isArray(document.panels)) return document
  throw new UsageError(`--file ${file} has no list "panels"`)
}
