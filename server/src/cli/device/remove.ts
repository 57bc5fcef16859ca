import { type Command, print, withPlatform } from '../command.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'

export const deviceRemove: Command = {
  name: 'device remove',
  summary: 'Delete an identity with its credential and its values.',
  options: {
    connector: connectorOption,
    identity: { meaning: 'The identity.', required: true },
    business: businessOption,
  },
  example:
    'printf "ID\\npump-9\\n" > pump.csv && ' +
    'npx millrace device whitelist --connector demo --file pump.csv && ' +
    'npx millrace device remove --connector demo --identity pump-9',
  run: ({ connector = '', business, identity = '' }) =>
    withPlatform(async (platform) => {
      const { id } = await ownerOf(platform, business, connector)
      await platform.provisioning.identities.remove(id, connector, identity)
      print(`${identity} is removed`)
      return 0
    }),
}
