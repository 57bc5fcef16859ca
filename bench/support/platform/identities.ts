import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { type Instance, openInstance } from './instance.ts'

/** Lists of the identities of one connector, as the management API reads them, and by hand. */

export type OpenIdentities = { readonly address: Address; readonly identities: number }
export type ListAsked = { readonly times: number; readonly limit: number }

const seenAt = 1_600_000_000_000_000
const batchRows = 50_000
let instance: Instance | undefined
let businessId = ''
let connectorId = ''
let size = 0

/** Half of the identities were seen, each at a time of its own. */
async function open({ address, identities }: OpenIdentities): Promise<void> {
  instance = await openInstance(address)
  size = identities
  const { accounts, provisioning, database } = instance.platform
  businessId = (await accounts.createBusiness({ name: 'Bench' })).id
  connectorId = (await provisioning.connectors.create(businessId, { name: 'Bench' })).id
  for (let from = 0; from < size; from += batchRows) {
    const bounds = [connectorId, from, Math.min(size, from + batchRows) - 1]
    await database.run(
      `insert into provisioning_identity
         (connector_id, identity, locked, tags, created_at, provisioned_at, auth_type, seen)
       select $1, 'device-' || to_char(n, 'fm0000000'), false, '[]', 1,
         case when n % 2 = 0 then 1 end, case when n % 2 = 0 then 'token' end, n % 2 = 0
       from generate_series($2::int, $3::int) as n`,
      bounds,
    )
    await database.run(
      `insert into provisioning_presence (connector_id, identity, lastip, lastseen)
       select $1, 'device-' || to_char(n, 'fm0000000'), '10.0.0.1', $4::bigint + n
       from generate_series($2::int, $3::int) as n where n % 2 = 0`,
      [...bounds, seenAt],
    )
  }
  await database.run('analyze')
}

/** Milliseconds of each. */
async function measured(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  for (let at = 0; at < times; at += 1) {
    const start = performance.now()
    await work()
    took.push(performance.now() - start)
  }
  return took
}

const middle = () => `${seenAt + (size >> 1)}:device-${String(size >> 1).padStart(7, '0')}`

function list({ times, limit }: ListAsked, more: Record<string, unknown>): Promise<number[]> {
  const { identities } = running().platform.provisioning
  return measured(times, () => identities.list(businessId, connectorId, { limit, ...more }))
}

const first = (asked: ListAsked) => list(asked, {})
const inTheMiddle = (asked: ListAsked) => list(asked, { before: middle() })
const neverSeen = (asked: ListAsked) => list(asked, { status: 'whitelisted' })

/** As many rows of the table as they lie there: nothing that answers a list can be faster. */
function byHand({ times, limit }: ListAsked): Promise<number[]> {
  const { database } = running().platform
  return measured(times, () =>
    database.rows(
      `select identity, locked, reprovision, devmode, activate_until, auth_type, tags
       from provisioning_identity limit $1::bigint`,
      [limit],
    ),
  )
}

function running(): Instance {
  if (instance === undefined) throw new Error('open comes first')
  return instance
}

answerParent({ open, first, inTheMiddle, neverSeen, byHand }, async () => {
  await instance?.platform.close()
  await instance?.removeFolder()
})
