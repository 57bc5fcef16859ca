import {
  type DeviceFilter,
  type DeviceRecord,
  deviceId,
  formatFqdn,
} from '../../../devices/provisioning/index.ts'
import { Fault, limits } from '../../../foundation/kernel/index.ts'
import type { Context } from '../context.ts'
import { toRowError } from '../errors.ts'
import type { DeviceFilters, Resolvers } from '../generated/resolvers.ts'
import { type PageInput, parseObject, parseSort, toPage } from '../inputs.ts'

export const deviceResolvers = {
  Query: {
    products(_, __, context) {
      return context.provisioning.connectors.list(context.principal.view)
    },

    async devices(_, { product, filters, ids, pagination }, context) {
      const filter = {
        ...parseFilters(filters),
        connectorId: product,
        ids: ids?.filter((id) => id != null),
        after: pagination?.after,
      }
      const page = toPage(pagination)
      const isWanted = parseUses(filters)
      const found =
        isWanted === undefined
          ? await context.provisioning.devices.list(context.principal.view, filter, page)
          : await devicesByUse(context, filter, page, isWanted)
      return found
    },
  },

  Mutation: {
    claimDevice(_, { device, groupId }, context) {
      const { devices } = context.provisioning
      return devices.update(context.principal.view, device, { groupId })
    },

    claimDevices(_, { devices: named, groupId }, context) {
      const { devices } = context.provisioning
      return devices.claim(context.principal.view, named, groupId)
    },

    async claimEachDevice(_, { devices: named, groupId }, context) {
      const { devices } = context.provisioning
      const moved = await devices.claimEach(context.principal.view, named, groupId)
      return moved.map((one) =>
        one instanceof Fault
          ? { device: null, error: toRowError(one) }
          : { device: one, error: null },
      )
    },

    updateDevice(_, { device, input }, context) {
      const { devices } = context.provisioning
      return devices.update(context.principal.view, device, input)
    },

    async setDeviceResources(_, { device, values }, { provisioning, principal: { view } }) {
      const wanted = parseObject(values, 'values')
      await provisioning.setState(view, device.connectorId, device.identity, wanted)
      const [written] = await provisioning.devices.some(view, [device])
      return written
    },
  },

  Product: {
    pid: ({ id }) => id,
    isSimulator: () => false,
    settings: ({ id }, _, { domain }) => ({ fqdn: formatFqdn(id, domain) }),
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
  if (is === 'online' || is === 'healthy') return true
  if (is === 'offline' || is === 'unhealthy') return false
  throw new Fault(
    'invalid_argument',
    'health_status must be online (healthy) or offline (unhealthy).',
  )
}

type IsWanted = (assets: number) => boolean

/** The number of assets that a device feeds, by `single` and `only_unused`. */
function parseUses(filters: DeviceFilters | null | undefined): IsWanted | undefined {
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
    work.countLookups(1)
    const read = await provisioning.devices.list(view, { ...filter, after }, page)
    const uses = await assets.deviceUses(view, read)
    found.push(...read.filter((device) => isWanted(uses.get(deviceId(device)) ?? 0)))
    const last = read.at(-1)
    if (last === undefined || read.length < limits.pageMax) break
    after = deviceId(last)
  }
  return found.slice(offset, offset + limit)
}
