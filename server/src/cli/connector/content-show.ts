import { type Command, print, withPlatform } from '../command.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'
import { lineOf } from './content-list.ts'
import { contentOption, putExample } from './content-put.ts'

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
