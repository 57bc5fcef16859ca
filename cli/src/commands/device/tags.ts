import { unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { connectorOption } from '../options.ts'
import { identityOption, pairOf, tagOf } from './options.ts'

const path = '/api:1/service/{connector}/device2/identity/{identity}/tags'

export const deviceTags = defineCommand({
  options: {
    connector: connectorOption,
    identity: identityOption,
    add: { meaning: 'A tag: <name>=<value>; again for another.', many: true },
    remove: { meaning: 'A tag, or all of a name: <name>; again for another.', many: true },
  },
  example: 'npx millrace device tags --connector demo --identity my-device --add floor=2',
  routes: ['changeTags', 'getIdentity'],
  async run({ connector, identity, ...given }, { client, out }) {
    const add = given.add.map((text) => pairOf('add', text))
    const remove = given.remove.map((text) => tagOf('remove', text))
    const params = { path: { connector, identity } }
    const api = await client()
    const isChange = add.length + remove.length > 0
    const { tags } = isChange
      ? await unwrap(api.PATCH(path, { params, body: { add, remove } }))
      : await unwrap(api.GET('/api:1/service/{connector}/device2/identity/{identity}', { params }))
    out.show(tags, () => tags.map(({ name, value }) => `${name}=${value}`))
    return undefined
  },
})
