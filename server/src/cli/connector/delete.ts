import { type Command, print, withPlatform } from '../command.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'

export const connectorDelete: Command = {
  name: 'connector delete',
  summary: 'Delete a connector with its settings, contents and values, and close its connections.',
  options: {
    connector: connectorOption,
    cascade: { meaning: 'Delete its identities too; required if it has any.', flag: true },
    business: businessOption,
  },
  example:
    'npx millrace connector create --id gone2 --name Gone && ' +
    'npx millrace connector delete --connector gone2',
  run: ({ connector = '', business, cascade }) =>
    withPlatform(async (platform) => {
      const { id } = await ownerOf(platform, business, connector)
      const { removals } = platform.provisioning
      const { identities } = await removals.remove(id, connector, { cascade: cascade === 'yes' })
      print(`${connector} is deleted, with ${identities} identities`)
      await removals.clear()
      return 0
    }),
}
