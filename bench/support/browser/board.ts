import { serve } from '../../../server/src/main.ts'
import { wholeView } from '../../../server/src/people/groups/index.ts'
import type { Platform, Served } from '../../../server/src/platform/platform.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { type Fleet, type Instance, makeFleet, openInstance } from '../platform/instance.ts'

/** A dashboard with tables of groups of assets, each with the newest value of its signal. */

export type OpenBoard = { readonly address: Address; readonly rows: number }
export type OpenedBoard = {
  readonly httpUrl: string
  readonly path: string
  readonly account: { readonly email: string; readonly password: string }
  readonly host: string
  readonly tokens: readonly string[]
}

/** A panel shows at most so many assets of a group. */
const panelAssets = 200
const account = { email: 'bench@example.com', password: 'correct horse battery' }

let instance: Instance | undefined
let served: Served | undefined

async function openBoard({ address, rows }: OpenBoard): Promise<OpenedBoard> {
  instance = await openInstance(address)
  const { platform } = instance
  const fleet = await makeFleet(platform, rows)
  await platform.accounts.createUser(fleet.businessId, { ...account, role: 'Viewer' })
  const id = await makeDashboard(platform, fleet)
  served = await serve(platform)
  await platform.pipelines.caughtUp()
  return {
    httpUrl: new URL(served.httpUrl).origin,
    path: `/dashboards/${id}`,
    account,
    host: `${fleet.connectorId}.${platform.config.domain}`,
    tokens: fleet.tokens,
  }
}

/** @returns the id of the dashboard. */
async function makeDashboard(platform: Platform, fleet: Fleet): Promise<string> {
  const view = wholeView(fleet.businessId)
  const panels = []
  const all = await platform.assets.list(view, { limit: fleet.identities.length })
  for (let from = 0; from < all.length; from += panelAssets) {
    const { id: group } = await platform.groups.create(view, { name: `Group ${from}` })
    for (const { id } of all.slice(from, from + panelAssets)) {
      await platform.assets.update(view, id, { groupId: group })
    }
    const at = { column: 0, row: (from / panelAssets) * 50, width: 12, height: 50 }
    const shown = { type: 'table' as const, group, signal_name: 'temperature' }
    panels.push({ id: `group-${from}`, ...at, ...shown })
  }
  const author = { businessId: fleet.businessId, subject: 'bench', view: fleet.businessId }
  const { id } = await platform.dashboards.create(author, { name: 'Bench', panels })
  return id
}

answerParent({ openBoard }, async () => {
  await served?.close()
  await instance?.removeFolder()
})
