import { type Command, print, repeatedValues, UsageError, withPlatform } from '../command.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'
import { tagOf } from './windows.ts'

export const deviceTags: Command = {
  name: 'device tags',
  summary: 'Print the tags of an identity; with --add and --remove, change them first.',
  options: {
    connector: connectorOption,
    identity: { meaning: 'The identity.', required: true },
    add: { meaning: 'A tag: <name>=<value>; again for another.', many: true },
    remove: { meaning: 'A tag, or all of a name: <name>; again for another.', many: true },
    business: businessOption,
  },
  example: 'npx millrace device tags --connector demo --identity my-device --add floor=2',
  run: ({ connector = '', business, identity = '', add, remove }) =>
    withPlatform(async (platform) => {
      const { id } = await ownerOf(platform, business, connector)
      const { identities } = platform.provisioning
      const change = {
        add: repeatedValues(add).map(pairOf),
        remove: repeatedValues(remove).map(tagOf),
      }
      if (change.add.length + change.remove.length > 0) {
        await identities.changeTags(id, connector, identity, change)
      }
      const { tags } = await identities.get(id, connector, identity)
      for (const { name, value } of tags) print(`${name}=${value}`)
      return 0
    }),
}

function pairOf(text: string) {
  const tag = tagOf(text)
  if (tag.value === undefined) throw new UsageError('--add is <name>=<value>')
  return tag
}
