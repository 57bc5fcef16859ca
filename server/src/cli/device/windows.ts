import { type Command, print, withPlatform } from '../command.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'
import { timeOf, wholeNumber } from './list.ts'

export const deviceWindows: Command = {
  name: 'device windows',
  summary: 'Print the activation windows that close next.',
  options: {
    connector: connectorOption,
    limit: { meaning: 'The number of windows to print.', default: '20' },
    business: businessOption,
  },
  example: 'npx millrace device windows --connector demo --limit 5',
  run: ({ connector = '', business, limit }) =>
    withPlatform(async (platform) => {
      const { id } = await ownerOf(platform, business, connector)
      const asked = { limit: wholeNumber('limit', limit) }
      const { windows, mayLoadMore } = await platform.provisioning.windows.next(
        id,
        connector,
        asked,
      )
      for (const { identity, expire } of windows) print(`${timeOf(expire)}  ${identity}`)
      if (mayLoadMore) process.stderr.write('There are more; --limit shows them.\n')
      return 0
    }),
}
