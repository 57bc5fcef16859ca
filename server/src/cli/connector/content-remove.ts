import { type Command, print, withPlatform } from '../command.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'
import { contentOption, putExample } from './content-put.ts'

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
