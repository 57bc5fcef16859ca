import { type components, fillPath, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { uploadFile } from '../../file.ts'
import { columns, timeOf } from '../../output/output.ts'
import { connectorOption } from '../options.ts'

type Content = components['schemas']['Content']

const path = '/api:1/service/{connector}/device2/content/{content}'

const idOption = { meaning: 'The id of the content.', required: true } as const

/** Creates the content that the examples of the others need. */
const putExample =
  'printf firmware > pump.bin && ' +
  'npx millrace content put --connector demo --id pump-1.bin --file pump.bin'

export const contentList = defineCommand({
  options: { connector: connectorOption },
  example: 'npx millrace content list --connector demo',
  routes: ['listContents'],
  async run({ connector }, { client, out }) {
    const api = await client()
    const params = { path: { connector } }
    const listPath = '/api:1/service/{connector}/device2/content'
    const { contents } = await unwrap(api.GET(listPath, { params }))
    out.show(contents, () => linesOf(contents))
    return undefined
  },
})

export const contentPut = defineCommand({
  options: {
    connector: connectorOption,
    id: idOption,
    file: { meaning: 'The file; - is the standard input.', required: true },
    type: { meaning: 'Its content type.', default: 'application/octet-stream' },
    meta: { meaning: 'A text for the devices, such as a version.' },
  },
  example: `${putExample} --meta 1.0.0`,
  routes: ['putContent'],
  async run({ connector, id, file, type, meta }, { client, ...context }) {
    const api = await client()
    const url = fillPath(path, { path: { connector, content: id }, query: { meta } })
    const sent = { option: 'file', file, contentType: type }
    const content = (await uploadFile(api, url, sent, context)) as Content
    context.out.show(content, () => linesOf([content]))
    return undefined
  },
})

export const contentShow = defineCommand({
  options: { connector: connectorOption, id: idOption },
  example: `${putExample} && npx millrace content show --connector demo --id pump-1.bin`,
  routes: ['getContent'],
  async run({ connector, id }, { client, out }) {
    const params = { path: { connector, content: id } }
    const content = await unwrap((await client()).GET(path, { params }))
    out.show(content, () => linesOf([content]))
    return undefined
  },
})

export const contentRemove = defineCommand({
  options: { connector: connectorOption, id: idOption },
  example: `${putExample} && npx millrace content remove --connector demo --id pump-1.bin --yes`,
  routes: ['deleteContent'],
  async run({ connector, id }, { client, out, confirm }) {
    const api = await client()
    await confirm(`Delete the content ${id} of ${connector}?`)
    await unwrap(api.DELETE(path, { params: { path: { connector, content: id } } }))
    out.print(`${id} is removed`)
    return undefined
  },
})

function linesOf(contents: readonly Content[]): string[] {
  return columns(
    contents.map(({ id, content_type, size, updated, meta }) => {
      return [id, content_type, `${size} bytes`, timeOf(updated), meta]
    }),
  ).map((line) => line.trimEnd())
}
