import type { components } from '@millrace/client'
import { command, UsageError } from '../../command.ts'
import { outputOption, printDocument } from '../../file.ts'
import { type Input, wholeNumber } from '../../input.ts'
import { list, operation } from '../../operation.ts'
import { partLines } from '../../output/differences.ts'
import { columns, formatTime } from '../../output/output.ts'
import { rowsOption } from '../options.ts'
import { compareWords, restoreOptions, versionsWords } from '../versions.ts'

type Document = components['schemas']['TemplateDocument']

const idOption = { as: 'template', meaning: 'The id of the template; see millrace template list.' }
const each = 'for TEMPLATE in $(npx millrace template list | cut -d " " -f 1); do'

/** The commands of templates of assets. */
export const commands = {
  'template list': list('listTemplates', 'templates', {
    summary: 'Print the templates of assets, in the order in which they were made.',
    options: { text: 'Letters of the name or of the description.', rows: rowsOption },
    row: ({ id, signals, links, assets, changed, name }) => {
      const counts = [`${signals} signals`, `${links} links`, `${assets} assets`]
      return [id, ...counts, formatTime(changed), name]
    },
    example: 'npx millrace template list',
  }),
  'template show': operation('getTemplate', {
    summary: 'Print the signals and the links of a template.',
    options: { id: idOption },
    lines: ({ document }) => documentLines(document),
    example: `${each} npx millrace template show $TEMPLATE; done`,
  }),
  'template export': command('Print a template as a document, which another instance takes.', {
    options: {
      id: { meaning: idOption.meaning, required: true },
      number: { meaning: 'The number of an earlier version. Default: the newest.' },
      output: outputOption,
    },
    operand: 'id',
    example: `${each} npx millrace template export $TEMPLATE --output template.json; done`,
    routes: ['getTemplate', 'getTemplateVersion'],
    async run({ id: template, number, output }, context) {
      const { call } = context
      const { document } =
        number === undefined
          ? await call('getTemplate', { template })
          : await call('getTemplateVersion', {
              template,
              version: `${wholeNumber('number', number)}`,
            })
      await printDocument(document, output, context)
    },
  }),
  'template import': command('Make a template of a document, or change one to it.', {
    options: {
      file: {
        meaning: 'A document as JSON or YAML, as template export writes it.',
        required: true,
      },
      replace: { meaning: 'The id of a template to replace by the file.' },
      current: {
        meaning:
          'With --replace: the newest version that was seen; refused if there is a newer one.',
      },
    },
    operand: 'file',
    example: `echo '{"name": "Tank", "signals": [{"key": "level", "name": "Level", \
"primitiveType": "NUMERIC"}]}' > tank.json && npx millrace template import tank.json`,
    routes: ['createTemplate', 'replaceTemplate'],
    async run({ file, replace: template, current }, { call, input, out }) {
      if (current !== undefined && template === undefined) {
        throw new UsageError('--current is given with --replace')
      }
      const document = await readDocument(input, file)
      const seen = current === undefined ? {} : { version: wholeNumber('current', current) }
      const made =
        template === undefined
          ? await call('createTemplate', {}, document)
          : await call('replaceTemplate', { template }, { ...document, ...seen })
      out.show(made, () => [made.id])
    },
  }),
  'template versions': operation('listTemplateVersions', {
    summary: 'Print the versions of a template with what each changed, newest first.',
    ...versionsWords({ id: idOption }, differenceLines),
    example: `${each} npx millrace template versions $TEMPLATE; done`,
  }),
  'template compare': operation('getTemplateVersion', {
    summary: 'Print the changes from one version of a template to another.',
    ...compareWords({ id: idOption }, differenceLines),
    example: `${each} npx millrace template compare $TEMPLATE --to 1; done`,
  }),
  'template restore': operation('restoreTemplate', {
    summary: 'Save an earlier version of a template again, as a new version.',
    options: { id: idOption, ...restoreOptions },
    lines: ({ version }) => [`version ${version}`],
    example: `${each} npx millrace template restore $TEMPLATE --to 1; done`,
  }),
  'template create': operation('createTemplate', {
    summary: 'Make a template of an asset with its signals and links.',
    options: {
      asset: { meaning: 'The asset that has its signals and links.', required: true },
      name: 'The name of the template.',
    },
    operand: 'asset',
    lines: ({ id }) => [id],
    example: `for ASSET in $(npx millrace pipeline list --limit 1 | cut -d" " -f1); do \
npx millrace template create $ASSET --name Tank; done`,
  }),
  'template delete': operation('deleteTemplate', {
    summary: 'Delete a template; assets that were made of it stay.',
    options: { id: idOption },
    noted: 'the template {id} is deleted',
    example: `${each} npx millrace template delete $TEMPLATE; done`,
  }),
}

async function readDocument(input: Input, file: string): Promise<Document> {
  const document = await input.yamlOfFile('file', file)
  if (typeof document.name === 'string') return document as Document
  throw new UsageError(`--file ${file} has no text "name"`)
}

function documentLines({ name, assetType, description, signals = [], links = [] }: Document) {
  const head = [name, assetType, description].filter((one) => one !== undefined)
  return [
    head.join('  '),
    ...columns(
      signals.map(({ key, primitiveType, dataUnit = '', name: signal }) => {
        return ['signal', key, primitiveType, dataUnit, signal]
      }),
    ),
    ...columns(
      links.map(({ moduleId = '', functionId = '', inlets = [], name: link = '' }) => {
        const from = inlets.map((inlet) => inlet.signalId ?? inlet.link ?? '').join(',')
        return ['link', moduleId, functionId, from, link]
      }),
    ),
  ]
}

/** A line for each field, signal and link that differs. */
function differenceLines(difference: components['schemas']['TemplateDifference']): string[] {
  const { fields, signals, links } = difference
  return [...fields, ...partLines('signal', signals), ...partLines('link', links)]
}
