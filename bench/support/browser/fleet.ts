import { serve } from '../../../server/src/main.ts'
import { wholeView } from '../../../server/src/people/groups/index.ts'
import type { Platform, Served } from '../../../server/src/platform/platform.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { type Fleet, type Instance, makeFleet, openInstance } from '../platform/instance.ts'

/** A fleet as a business has it: some devices are tagged, locked or online; assets have groups. */

export type OpenFleet = { readonly address: Address; readonly devices: number }
export type OpenedFleet = {
  readonly httpUrl: string
  readonly account: { readonly email: string; readonly password: string }
  readonly connectorId: string
  readonly groupId: string
  readonly assetId: string
}

const account = { email: 'bench@example.com', password: 'correct horse battery' }
const groupsMax = 100
/** A device of so many is tagged, and its asset critical; a tenth of them is locked, too. */
const taggedOf = 1_000

let instance: Instance | undefined
let served: Served | undefined

async function openFleet({ address, devices }: OpenFleet): Promise<OpenedFleet> {
  instance = await openInstance(address)
  const { platform } = instance
  const fleet = await makeFleet(platform, devices)
  await platform.accounts.createUser(fleet.businessId, { ...account, role: 'Administrator' })
  const groupId = await arrange(platform, fleet)
  await rate(platform, fleet)
  await platform.provisioning.searchTerms.fill()
  await change(platform, fleet)
  await platform.database.run('vacuum analyze')
  const [asset] = await platform.assets.list(wholeView(fleet.businessId), { limit: 1 })
  served = await serve(platform)
  await platform.pipelines.caughtUp()
  const { connectorId } = fleet
  const httpUrl = new URL(served.httpUrl).origin
  return { httpUrl, account, connectorId, groupId, assetId: asset?.id ?? '' }
}

/** Each device was seen from an address of its own, a second after the next one. */
async function change({ database }: Platform, { connectorId }: Fleet): Promise<void> {
  await database.run(
    `update provisioning_presence set
       lastseen = $2::bigint - substr(identity, 8)::bigint * 1000000,
       lastip = host('10.0.0.0'::inet + substr(identity, 8)::bigint)
     where connector_id = $1`,
    [connectorId, Date.now() * 1_000],
  )
  await database.run(
    `update provisioning_identity set
       tags = '[{"name":"site","value":"north"}]',
       locked = substr(identity, 8)::bigint % ($2::bigint * 10) = 0
     where connector_id = $1 and substr(identity, 8)::bigint % $2::bigint = 0`,
    [connectorId, taggedOf],
  )
}

/** @returns the id of the first group. */
async function arrange(platform: Platform, { businessId, identities }: Fleet): Promise<string> {
  const view = wholeView(businessId)
  const groups: string[] = []
  for (let at = 0; at < Math.min(groupsMax, identities.length / 10); at += 1) {
    groups.push((await platform.groups.create(view, { name: `Group ${at}` })).id)
  }
  await platform.database.run(
    `update assets_asset set group_id = ($2::text[])[1 + substr(name, 8)::int % $3::int]
     where business_id = $1`,
    [businessId, `{${groups.join(',')}}`, groups.length],
  )
  return groups[0] ?? ''
}

/** Each asset has the status of one rule; few are not normal. */
async function rate({ database, assets }: Platform, { businessId }: Fleet): Promise<void> {
  const critical = await database.rows<{ id: string }>(
    `select id from assets_asset
     where business_id = $1 and substr(name, 8)::bigint % $2::bigint = 0`,
    [businessId, taggedOf],
  )
  const status = { businessId, ruleId: 'bench', ts: Date.now() * 1_000, level: 3 } as const
  await database.transaction((held) =>
    assets.setStatuses(
      held,
      critical.map(({ id: assetId }) => ({ ...status, assetId })),
    ),
  )
  await database.run(
    `insert into assets_status (business_id, asset_id, rule_id, ts, since, level, previous)
     select business_id, id, 'bench', 1, 1, 0, 0 from assets_asset where business_id = $1
     on conflict do nothing`,
    [businessId],
  )
}

answerParent({ openFleet }, async () => {
  await served?.close()
  await instance?.removeFolder()
})
