import { unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { columns } from '../../output/output.ts'
import { deletionOptions, showPreview } from '../../output/preview.ts'

const idOption = {
  meaning: 'The id of the group; see millrace group list.',
  required: true,
} as const

export const groupList = defineCommand({
  options: { text: { meaning: 'Letters of the name or the description.' } },
  example: 'npx millrace group list',
  routes: ['listGroups'],
  async run({ text }, { client, out }) {
    const api = await client()
    const query = text === undefined ? {} : { text }
    const { groups } = await unwrap(api.GET('/api:1/groups', { params: { query } }))
    out.show(groups, () =>
      columns(groups.map(({ id, depth, name }) => [id, `${'  '.repeat(depth)}${name}`])),
    )
    return undefined
  },
})

export const groupCreate = defineCommand({
  options: {
    name: { meaning: 'The name of the group.', required: true },
    parent: { meaning: 'The id of the group in which it lies. Default: the root.' },
  },
  operand: 'name',
  example: 'npx millrace group create "Plant 2"',
  routes: ['createGroup'],
  async run({ name, parent }, { client, out }) {
    const api = await client()
    const body = { name, ...(parent !== undefined && { parent_id: parent }) }
    const group = await unwrap(api.POST('/api:1/groups', { body }))
    out.show(group, () => [group.id])
    return undefined
  },
})

export const groupChange = defineCommand({
  options: {
    id: idOption,
    name: { meaning: 'Another name.' },
    parent: { meaning: 'The id of the group into which it is moved.' },
  },
  operand: 'id',
  example: 'npx millrace group change "$(npx millrace group create Hall)" --name "Hall 2"',
  routes: ['changeGroup'],
  async run({ id, name, parent }, { client, out }) {
    const api = await client()
    const params = { path: { group: id } }
    const body = {
      ...(name !== undefined && { name }),
      ...(parent !== undefined && { parent_id: parent }),
    }
    const group = await unwrap(api.PATCH('/api:1/groups/{group}', { params, body }))
    out.show(group, () => [`the group ${id} is "${group.name}"`])
    return undefined
  },
})

export const groupDelete = defineCommand({
  options: { id: idOption, ...deletionOptions },
  operand: 'id',
  example: 'npx millrace group delete "$(npx millrace group create Trial)" --yes',
  routes: ['deleteGroup', 'getGroupDependants'],
  async run({ id, 'dry-run': dry, confirm: given }, { client, out, confirm }) {
    const api = await client()
    const path = { group: id }
    if (dry) {
      const url = '/api:1/groups/{group}/dependants'
      showPreview(out, await unwrap(api.GET(url, { params: { path } })))
      return undefined
    }
    await confirm(`Delete the group ${id}?`)
    const params = { path, ...(given !== undefined && { query: { confirm: given } }) }
    await unwrap(api.DELETE('/api:1/groups/{group}', { params }))
    out.print(`the group ${id} is deleted`)
    return undefined
  },
})
