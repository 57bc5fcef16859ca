import type { Resolvers } from '../generated/resolvers.ts'
import { toPage } from '../inputs.ts'
import type { Work } from '../limits/work.ts'
import type { Page } from '../loader.ts'
import type { Loaders } from '../loaders.ts'

export const groupResolvers = {
  Query: {
    groups(_, { filters, pagination }, context) {
      const page = toPage(pagination)
      const { text, group_id: groupId, custom_id: customId, recurse } = filters ?? {}
      const filter = { text, groupId, customId, nodeTypeId: filters?.group_type_id, recurse }
      return context.groups.list(context.principal.view, filter, page)
    },
  },

  Mutation: {
    createGroup(_, { input }, context) {
      return context.groups.create(context.principal.view, input)
    },

    updateGroup(_, { id, input }, context) {
      return context.groups.update(context.principal.view, id, input)
    },

    deleteGroup(_, { id, confirm }, context) {
      return context.groups.remove(context.principal.view, id, confirm ?? undefined)
    },
  },

  Group: {
    custom_id: ({ customId }) => customId,
    parent_id: ({ parentId }) => parentId,
    node_type_id: ({ nodeTypeId }) => nodeTypeId,
    devices: ({ id }, { pagination }, { loaders }) => loaders.groupDevices(id, toPage(pagination)),
    async users({ id }, { pagination }, { loaders, work }) {
      return pageFrom(await loaders.groupUsers(id), toPage(pagination), work)
    },
    async roles({ id }, _, { loaders, work }) {
      const users = await loaders.groupUsers(id)
      work.countRows(users.length, 1)
      const names = [...new Set(users.map(({ role }) => role))]
      const roles = await Promise.all(names.map((name) => loaders.role(name)))
      return roles.filter((role) => role !== undefined)
    },
    assets: ({ id }, { pagination }, { loaders }) => loaders.groupAssets(id, toPage(pagination)),

    async children({ id }, { pagination }, { loaders, work }) {
      return pageFrom(await loaders.groupChildren(id), toPage(pagination), work)
    },

    async totals({ id }, { recurse }, { groups, loaders, principal, work }) {
      if (!recurse) {
        const children = await loaders.groupChildren(id)
        work.countRows(children.length, 1)
        return sumTotals(loaders, [id], children.length)
      }
      const below = await groups.below(principal.view, id)
      return sumTotals(loaders, below, below.length - 1)
    },
  },
} satisfies Resolvers

/** A page of a list that was read whole; the rows that it leaves out count, too. */
function pageFrom<Row>(all: readonly Row[], { limit, offset }: Page, work: Work): readonly Row[] {
  const page = all.slice(offset, offset + limit)
  work.countRows(all.length - page.length, 1)
  return page
}

async function sumTotals(loaders: Loaders, groupIds: readonly string[], groups: number) {
  const sum = async (count: (id: string) => Promise<number>) => {
    const counts = await Promise.all(groupIds.map(count))
    return counts.reduce((all, one) => all + one, 0)
  }
  const [assets, devices, users] = await Promise.all([
    sum(loaders.groupCount),
    sum(loaders.groupDeviceCount),
    sum(loaders.groupUserCount),
  ])
  return { assets, devices, groups, users }
}
