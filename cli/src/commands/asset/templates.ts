import { writeFile } from 'node:fs/promises'
import { type components, type MillraceClient, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../../command.ts'
import { type Input, wholeNumber } from '../../input.ts'
import { columns, timeOf } from '../../output/output.ts'

type Document = components['schemas']['TemplateDocument']

export const idOption = {
  meaning: 'The id of the template; see millrace template list.',
  required: true,
} as const

export const each = 'for TEMPLATE in $(npx millrace template list | cut -d " " -f 1); do'

export const templateList = defineCommand({
  options: {
    text: { meaning: 'Letters of the name or of the description.' },
    rows: { meaning: 'The most rows.', default: '50' },
  },
  example: 'npx millrace template list',
  routes: ['listTemplates'],
  async run({ text, rows }, { client, out }) {
    const api = await client()
    const query = { limit: wholeNumber('rows', rows), ...(text !== undefined && { text }) }
    const { templates } = await unwrap(api.GET('/api:1/templates', { params: { query } }))
    out.show(templates, () =>
      columns(
        templates.map(({ id, signals, links, assets, changed, name }) => {
          return [
            ...[id, `${signals} signals`, `${links} links`, `${assets} assets`],
            ...[timeOf(changed), name],
          ]
        }),
      ),
    )
    return undefined
  },
})

export const templateShow = defineCommand({
  options: { id: idOption },
  operand: 'id',
  example: `${each} npx millrace template show $TEMPLATE; done`,
  routes: ['getTemplate'],
  async run({ id }, { client, out }) {
    const api = await client()
    const params = { path: { template: id } }
    const template = await unwrap(api.GET('/api:1/templates/{template}', { params }))
    out.show(template, () => linesOf(template.document))
    return undefined
  },
})

function linesOf({ name, description, assetType, signals = [], links = [] }: Document): string[] {
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

export const templateExport = defineCommand({
  options: {
    id: idOption,
    number: { meaning: 'The number of an earlier version. Default: the newest.' },
    output: { meaning: 'The file to write. Default: print.' },
  },
  operand: 'id',
  example: `${each} npx millrace template export $TEMPLATE --output template.json; done`,
  routes: ['getTemplate', 'getTemplateVersion'],
  async run({ id, number, output }, { client, input, out }) {
    const api = await client()
    const document = await documentIn(api, id, number)
    const text = JSON.stringify(document, null, 2)
    if (output === undefined) out.show(document, () => [text])
    else await writeFile(input.path(output), `${text}\n`)
    return undefined
  },
})

async function documentIn(
  api: MillraceClient,
  template: string,
  number: string | undefined,
): Promise<Document> {
  if (number === undefined) {
    const params = { path: { template } }
    return (await unwrap(api.GET('/api:1/templates/{template}', { params }))).document
  }
  const params = { path: { template, version: `${wholeNumber('number', number)}` } }
  const path = '/api:1/templates/{template}/versions/{version}'
  return (await unwrap(api.GET(path, { params }))).document
}

export const templateImport = defineCommand({
  options: {
    file: {
      meaning: 'A document as JSON or YAML, as template export writes it.',
      required: true,
    },
    replace: { meaning: 'The id of a template that becomes what the file says.' },
    current: {
      meaning: 'With --replace: the newest version that was seen; refused if there is a newer one.',
    },
  },
  operand: 'file',
  example: `echo '{"name": "Tank", "signals": [{"key": "level", "name": "Level", \
"primitiveType": "NUMERIC"}]}' > tank.json && npx millrace template import tank.json`,
  routes: ['createTemplate', 'replaceTemplate'],
  async run({ file, replace, current }, { client, input, out }) {
    if (current !== undefined && replace === undefined) {
      throw new UsageError('--current is given with --replace')
    }
    const api = await client()
    const body = await documentOf(input, file)
    const seen = current === undefined ? {} : { version: wholeNumber('current', current) }
    const template =
      replace === undefined
        ? await unwrap(api.POST('/api:1/templates', { body }))
        : await unwrap(
            api.PUT('/api:1/templates/{template}', {
              params: { path: { template: replace } },
              body: { ...body, ...seen },
            }),
          )
    out.show(template, () => [template.id])
    return undefined
  },
})

async function documentOf(input: Input, file: string): Promise<Document> {
  const document = await input.yamlOfFile('file', file)
  if (typeof document.name === 'string') return document as Document
  throw new UsageError(`--file ${file} has no text "name"`)
}

export const templateCreate = defineCommand({
  options: {
    asset: { meaning: 'The asset that has its signals and links.', required: true },
    name: { meaning: 'The name of the template.', required: true },
  },
  operand: 'asset',
  example: `for ASSET in $(npx millrace pipeline list --limit 1 | cut -d" " -f1); do \
npx millrace template create $ASSET --name Tank; done`,
  routes: ['createTemplate'],
  async run({ asset, name }, { client, out }) {
    const api = await client()
    const template = await unwrap(api.POST('/api:1/templates', { body: { asset, name } }))
    out.show(template, () => [template.id])
    return undefined
  },
})

export const templateDelete = defineCommand({
  options: { id: idOption },
  operand: 'id',
  example: `${each} npx millrace template delete $TEMPLATE; done`,
  routes: ['deleteTemplate'],
  async run({ id }, { client, out }) {
    const api = await client()
    const params = { path: { template: id } }
    await unwrap(api.DELETE('/api:1/templates/{template}', { params }))
    out.note(`the template ${id} is deleted`)
    return undefined
  },
})
