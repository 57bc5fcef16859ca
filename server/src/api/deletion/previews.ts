import {
  connectorDependants,
  type Provisioning,
  provisioningDependants,
} from '../../devices/provisioning/index.ts'
import type { Database } from '../../foundation/database/index.ts'
import { type DependantKind, Fault } from '../../foundation/kernel/index.ts'
import { assetDependants, connectorFedAssets } from '../../insight/assets/index.ts'
import { dashboardDependants } from '../../insight/dashboards/index.ts'
import { listingUses, type Marketplace, marketDependants } from '../../insight/marketplace/index.ts'
import { moduleLinks, type Pipelines, solutionActions } from '../../insight/pipelines/index.ts'
import { policyDependants } from '../../insight/policies/index.ts'
import { reportDependants } from '../../insight/reports/index.ts'
import { deadDependants } from '../../log/jobs/index.ts'
import type { Accounts } from '../../people/accounts/index.ts'
import { groupDependants } from '../../people/groups/index.ts'
import {
  connectorServices,
  type Scripting,
  solutionDependants,
  solutionSubscribers,
} from '../../scripts/scripting/index.ts'
import { solutionUsers } from '../../scripts/services/user/index.ts'
import type { Deletion } from './types.ts'

type Previews = Pick<Deletion, 'business' | 'connector' | 'module' | 'listing' | 'solution'>

export type PreviewsOptions = {
  readonly database: Database
  readonly accounts: Pick<Accounts, 'findBusiness' | 'listPeople'>
  readonly provisioning: { readonly connectors: Pick<Provisioning['connectors'], 'get'> }
  readonly pipelines: { readonly modules: Pick<Pipelines['modules'], 'get'> }
  readonly scripting: Pick<Scripting, 'usage'> & {
    readonly solutions: Pick<Scripting['solutions'], 'get'>
  }
  readonly marketplace: { readonly listings: Pick<Marketplace['listings'], 'get'> }
}

export function createPreviews(options: PreviewsOptions): Previews {
  const { database, accounts, provisioning, pipelines, scripting, marketplace } = options
  return {
    async business(nameOrId) {
      const business = await accounts.findBusiness(nameOrId)
      if (business === undefined) throw new Fault('not_found', 'There is no such business.')
      const { id, name } = business
      const found = [
        await accounts.listPeople(id),
        await groupDependants(database, id),
        await provisioningDependants(database, id),
        await solutionDependants(database, id),
        await assetDependants(database, id),
        await marketDependants(database, id),
        await policyDependants(database, { businessId: id }),
        await reportDependants(database, id),
        await dashboardDependants(database, id),
      ]
      return { id, name, dependants: found.flat() }
    },
    async connector(businessId, id) {
      const { name } = await provisioning.connectors.get(businessId, id)
      const found = [
        await connectorDependants(database, id),
        await connectorServices(database, businessId, id),
        await connectorFedAssets(database, businessId, id),
      ]
      return { id, name, dependants: found.flat() }
    },
    async solution(businessId, id) {
      const { name } = await scripting.solutions.get(businessId, id)
      const failed = { queue: 'scripts', businessId, tenant: id }
      const found = [
        await solutionSubscribers(database, businessId, id),
        await solutionActions(database, businessId, id),
        await solutionUsers(database, id),
        (await scripting.usage(businessId, id)).flatMap(toKept),
        await deadDependants(database, failed),
      ]
      return { id, name, dependants: found.flat() }
    },
    async module(businessId, id) {
      const { name } = await pipelines.modules.get(businessId, id)
      return { id, name, dependants: await moduleLinks(database, businessId, id) }
    },
    async listing(businessId, id) {
      const { own, name } = await marketplace.listings.get(businessId, id)
      if (!own) throw new Fault('not_found', 'There is no such listing.')
      return { id, name, dependants: await listingUses(database, businessId, id) }
    },
  }
}

/**
 * The data that services keep for a solution go with it; the limit of a kind names what it counts.
 */
const keptKinds: ReadonlyMap<string, DependantKind> = new Map<string, DependantKind>([
  ['solutionContentsMax', 'contents'],
  ['notificationBindingsMax', 'bindings'],
  ['keystoreKeysMax', 'keys'],
  ['timersMax', 'timers'],
  ['tsdbSeriesMax', 'series'],
])

function toKept({ limit, used: count }: Awaited<ReturnType<Scripting['usage']>>[number]) {
  const kind = keptKinds.get(limit)
  return kind === undefined || count === 0
    ? []
    : [{ kind, effect: 'deleted', count, names: [] } as const]
}
