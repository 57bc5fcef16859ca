import { serve } from '../../../server/src/main.ts'
import type { Served } from '../../../server/src/platform/platform.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { makeCatalogue } from './catalogue.ts'
import { fillBusiness } from './fill.ts'
import { type Instance, openInstance } from './instance.ts'

/** A business of many assets in a thousand groups, filled by SQL, and who asks for them. */
export type OpenViews = { readonly address: Address; readonly assets: number }
export type OpenedViews = {
  readonly port: number
  /** Values of `Authorization`: the whole business, one group of it, and a person's session. */
  readonly whole: string
  readonly subtree: string
  readonly session: string
  /** An asset with the values of a year. */
  readonly assetId: string
}

const yearHours = 365 * 24
const account = { email: 'bench@example.com', password: 'correct horse battery' }

let instance: Instance | undefined
let served: Served | undefined

async function openViews({ address, assets }: OpenViews): Promise<OpenedViews> {
  instance = await openInstance(address)
  const { accounts, database } = instance.platform
  const { businessId, token } = await makeCatalogue(instance.platform, 50)
  await fillBusiness(database, businessId, assets)
  const first = await database.one<{ id: string }>(insertYear, [businessId, yearHours])
  await database.run('analyze')
  await accounts.createUser(businessId, { ...account, role: 'Viewer' })
  const rateLimits = { requests: 1_000_000, timeMs: 360_000_000 }
  const wanted = { name: 'Subtree', role: 'Viewer', groups: ['bench-7'], rateLimits }
  const { token: subtree } = await accounts.createToken(businessId, wanted)
  served = await serve(instance.platform)
  const answer = await fetch(`${served.httpUrl}/api:1/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  const { token: session } = (await answer.json()) as { token: string }
  return {
    port: Number(new URL(served.httpUrl).port),
    whole: `Automation ${token}`,
    subtree: `Automation ${subtree}`,
    session: `token ${session}`,
    assetId: first?.id ?? '',
  }
}

const insertYear = `
with one as (
  select s.asset_id, s.key from assets_signal s where s.business_id = $1 order by s.key limit 1
), filled as (
  insert into assets_value (signal_key, ts, v)
  select one.key, 1735689600000000 + n * 3600000000::bigint, n % 40
  from one, generate_series(0, $2::int - 1) n
)
select asset_id as id from one`

answerParent({ openViews }, async () => {
  await served?.close()
  await instance?.removeFolder()
})
