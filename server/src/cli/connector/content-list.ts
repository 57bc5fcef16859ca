import type { Content } from '../../provisioning/index.ts'
import { type Command, print, withPlatform } from '../command.ts'
import { timeOf } from '../device/list.ts'
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
