import { Fault, limits } from '../../kernel/index.ts'
import type { Connector, IdentityRecord } from '../../provisioning/index.ts'
import type { Context } from '../context.ts'
import { type Pagination, pageOf } from '../inputs.ts'
import type { Resolvers } from '../schema.ts'

export const connectorResolvers = {
  Query: { connectors },
  Connector: { devices },
  Device: {
    lastSeen: ({ lastseen }: IdentityRecord) => lastseen,
    lastIp: ({ lastip }: IdentityRecord) => lastip,
    state,
  },
} satisfies Resolvers

async function connectors(_: unknown, __: unknown, context: Context): Promise<Connector[]> {
  context.work.countLookup()
  const found = await context.provisioning.connectors.list(context.businessId)
  context.work.countRows(found.length)
  return found
}

/** Provisioning pages by where the last page ended, so an offset costs what it passes over. */
async function devices(
  { id }: Connector,
  { pagination }: { readonly pagination?: Pagination | null },
  context: Context,
): Promise<readonly IdentityRecord[]> {
  context.work.countLookup()
  const { limit, offset } = pageOf(pagination)
  if (limit === 0) return []
  if (limit + offset > limits.pageMax) {
    throw new Fault('invalid_argument', `limit and offset together are at most ${limits.pageMax}.`)
  }
  const { identities } = context.provisioning
  const page = await identities.list(context.businessId, id, { limit: limit + offset })
  const found = page.devices.slice(offset)
  context.work.countRows(found.length)
  return found
}

function state(device: IdentityRecord, _: unknown, context: Context) {
  const resources = Object.entries(device.state)
  context.work.countRows(resources.length)
  return resources.map(([alias, value]) => ({ alias, ...value }))
}
