import { type Command, print, withPlatform } from '../command.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'
import { tagOf } from './extend.ts'

export const deviceReprovision: Command = {
  name: 'device reprovision',
  summary: 'Order provisioned devices to activate again; their credentials are revoked at once.',
  options: {
    connector: connectorOption,
    identity: { meaning: 'One identity; or --tag, or --all.' },
    tag: { meaning: 'All identities with a tag: <name> or <name>=<value>.' },
    all: { meaning: 'All identities.', flag: true },
    business: businessOption,
  },
  example: 'npx millrace device reprovision --connector demo --tag site=lab',
  run: ({ connector = '', business, identity, tag, all }) =>
    withPlatform(async (platform) => {
      const { id } = await ownerOf(platform, business, connector)
      const { ordered } = await platform.provisioning.orderReprovision(id, connector, {
        ...(identity !== undefined && { identity }),
        ...(tag !== undefined && { tag: tagOf(tag) }),
        ...(all === 'yes' && { all: true }),
      })
      print(`${ordered} ordered to activate again`)
      return 0
    }),
}
