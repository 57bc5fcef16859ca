import { Fault, limits } from '../../kernel/index.ts'
import { type DeviceFilter, type DeviceRecord, deviceId } from '../../provisioning/index.ts'
import type { Context } from '../context.ts'
import { rowErrorOf } from '../errors.ts'
import type { DeviceFilters, Resolvers } from '../generated/resolvers.ts'
import { type PageInput, pageOf, parseSort } from '../inputs.ts'

export const deviceResolvers = {
  Query: {
    async products(_, __, context) {
      context.work.countLookup()
      const found = await context.provisioning.connectors.list(context.principal.view)
      context.work.countRows(found.length)
      return found
    },

    async devices(_, { product, filters, ids, pagination }, context) {
      context.work.countLookup()
      const filter = {
        ...parseFilters(filters),
        connectorId: product,
        ids: ids?.filter((id) => id != null),
        after: pagination?.after,
      }
      const page = pageOf(pagination)
      const isWanted = usesOf(filters)
      const found =
        isWanted === undefined
          ? await context.provisioning.devices.list(context.principal.view, filter, page)
          : await devicesByUse(context, filter, page, isWanted)
      context.work.countRows(found.length)
      return found
    },
  },

  Mutation: {
    async claimDevice(_, { device, groupId }, context) {
      context.work.countLookup()
      const { devices } = context.provisioning
      const changed = await devices.update(context.principal.view, device, { groupId })
      context.forget()
      return changed
    },

    async claimDevices(_, { devices: named, groupId }, context) {
      context.work.countLookup()
      const { devices } = context.provisioning
      const changed = await devices.claim(context.principal.view, named, groupId)
      context.forget()
      return changed
    },

    async claimEachDevice(_, { devices: named, groupId }, context) {
      context.work.countLookup()
      const { devices } = context.provisioning
      const moved = await devices.claimEach(context.principal.view, named, groupId)
      context.forget()
      return moved.map((one) =>
        one instanceof Fault
          ? { device: null, error: rowErrorOf(one) }
          : { device: one, error: null },
      )
    },

    async updateDevice(_, { device, input }, context) {
      context.work.countLookup()
      const { devices } = context.provisioning
      const changed = await devices.update(context.principal.view, device, input)
      context.forget()
      return changed
    },
  },

  Product: {
    pid: ({ id }) => id,
    isSimulator: () => false,
    settings: ({ id }, _, { domain }) => ({ fqdn: `${id}.${domain}` }),
  },

  Device: {
    id: deviceId,
    name: ({ name, identity }) => name || identity,
    lastSeen: ({ lastseen }) => lastseen,
    lastIp: ({ lastip }) => lastip,
    group: ({ groupId }, _, { loaders }) => loaders.group(groupId),

    async resources(device, _, context) {
      const state = device.state ?? (await context.loaders.deviceState(device))
      const resources = Object.entries(state)
      context.work.countRows(resources.length)
      return resources.map(([name, { set: value, reported, timestamp }]) => {
        return { name, value, reported, timestamp }
      })
    },

    state: ({ online, lastseen }) => ({ connected: online, lastHeard: lastseen }),
  },
} satisfies Resolvers

function parseFilters(filters: DeviceFilters | null | undefined): DeviceFilter {
  const { text, status, health_status: health, group_id: groupId, sort } = filters ?? {}
  return { text, status, groupId, online: parseHealth(health), descending: parseSort(sort) }
}

function parseHealth(health: string | null | undefined): boolean | undefined {
  if (health == null) return undefined
  const is = health.toLowerCase()
  if (is === 'online' || is === 'offline') return is === 'online'
  throw new Fault('invalid_argument', 'health_status is online or offline.')
}

type IsWanted = (assets: number) => boolean

/** What `single` and `only_unused` say of the number of assets that a device feeds. */
function usesOf(filters: DeviceFilters | null | undefined): IsWanted | undefined {
  const { single, only_unused: unused } = filters ?? {}
  if (single == null && unused !== true) return undefined
  return (assets) => {
    return (single == null || (assets === 1) === single) && (unused !== true || assets === 0)
  }
}

/** Assets alone know which devices they use, so devices are read until a page is full. */
async function devicesByUse(
  { provisioning, assets, principal: { view }, work }: Context,
  filter: DeviceFilter,
  { limit, offset }: PageInput,
  isWanted: IsWanted,
): Promise<readonly DeviceRecord[]> {
  const found: DeviceRecord[] = []
  const page = { limit: limits.pageMax }
  let after = filter.after
  while (found.length < offset + limit) {
    work.countLookup()
    const read = await provisioning.devices.list(view, { ...filter, after }, page)
    const uses = await assets.deviceUses(view, read)
    found.push(...read.filter((device) => isWanted(uses.get(deviceId(device)) ?? 0)))
    const last = read.at(-1)
    if (last === undefined || read.length < limits.pageMax) break
    after = deviceId(last)
  }
  return found.slice(offset, offset + limit)
}
