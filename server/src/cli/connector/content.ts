import { open } from 'node:fs/promises'
import { timeOf } from '@millrace/cli/output'
import type { Content } from '../../provisioning/index.ts'
import { type Command, print, withPlatform } from '../command.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'

export const contentList: Command = {
  name: 'content list',
  summary: 'Print the contents that the devices of a connector may download.',
  options: { connector: connectorOption, business: businessOption },
  example: 'npx millrace content list --connector demo',
  run: ({ connector = '', business }) =>
    withPlatform(async (platform) => {
      const { id } = await ownerOf(platform, business, connector)
      const contents = await platform.provisioning.contents.list(id, connector)
      for (const content of contents) print(lineOf(content))
      return 0
    }),
}

export function lineOf({ id, contentType, bytes, meta, updatedAt }: Content): string {
  const about = meta === '' ? '' : `  ${meta}`
  return `${id}  ${contentType}  ${bytes} bytes  ${timeOf(updatedAt)}${about}`
}

export const contentOption = { meaning: 'The id of the content.', required: true } as const

/** A line that makes the content that the examples of the others need. */
export const putExample =
  'printf firmware > pump.bin && ' +
  'npx millrace content put --connector demo --id pump-1.bin --file pump.bin'

export const contentPut: Command = {
  name: 'content put',
  summary: 'Upload a file that the devices of a connector may download.',
  options: {
    connector: connectorOption,
    id: contentOption,
    file: { meaning: 'The file.', required: true },
    type: { meaning: 'Its content type. Default: application/octet-stream.' },
    meta: { meaning: 'A text for the devices, such as a version.' },
    business: businessOption,
  },
  example: `${putExample} --meta 1.0.0`,
  run: ({ connector = '', business, id = '', file = '', type, meta }) =>
    withPlatform(async (platform) => {
      const { id: businessId } = await ownerOf(platform, business, connector)
      const handle = await open(file)
      try {
        const bytes: AsyncIterable<Buffer> = handle.createReadStream({ autoClose: false })
        const input = { contentType: type, meta }
        const { contents } = platform.provisioning
        print(lineOf(await contents.put(businessId, connector, id, input, bytes)))
      } finally {
        await handle.close()
      }
      return 0
    }),
}

export const contentShow: Command = {
  name: 'content show',
  summary: 'Print the details of a content.',
  options: { connector: connectorOption, id: contentOption, business: businessOption },
  example: `${putExample} && npx millrace content show --connector demo --id pump-1.bin`,
  run: ({ connector = '', business, id = '' }) =>
    withPlatform(async (platform) => {
      const { id: businessId } = await ownerOf(platform, business, connector)
      print(lineOf(await platform.provisioning.contents.get(businessId, connector, id)))
      return 0
    }),
}

export const contentRemove: Command = {
  name: 'content remove',
  summary: 'Delete a content; downloads in progress go on.',
  options: { connector: connectorOption, id: contentOption, business: businessOption },
  example: `${putExample} && npx millrace content remove --connector demo --id pump-1.bin`,
  run: ({ connector = '', business, id = '' }) =>
    withPlatform(async (platform) => {
      const { id: businessId } = await ownerOf(platform, business, connector)
      await platform.provisioning.contents.remove(businessId, connector, id)
      print(`${id} is removed`)
      return 0
    }),
}
