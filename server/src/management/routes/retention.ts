import type { Accounts } from '../../accounts/index.ts'
import type { Assets } from '../../assets/index.ts'
import { Fault, limits } from '../../kernel/index.ts'
import type { Provisioning } from '../../provisioning/index.ts'
import type { RetentionKind, RetentionPeriods, Upkeep } from '../../upkeep/index.ts'
import {
  getConnectorRetention,
  getInstanceRetention,
  getRetention,
  getSignalRetention,
  setBusinessRetention,
  setConnectorRetention,
  setInstanceRetention,
  setSignalRetention,
} from '../contract/operation/retention.ts'
import { ok, type Route, route } from '../route.ts'
import { businessNamed } from './operator.ts'

export type RetentionRoutesOptions = {
  readonly accounts: Pick<Accounts, 'findBusiness'>
  readonly upkeep: Pick<Upkeep, 'retention'>
  readonly provisioning: Pick<Provisioning, 'connectors'>
  readonly assets: Pick<Assets, 'valueRetention'>
}

/** How long data are kept. */
export function retentionRoutes(options: RetentionRoutesOptions): Route[] {
  const { retention } = options.upkeep
  return [
    route(getRetention, async ({ principal }) => {
      const [own, instance] = await Promise.all([
        retention.of(principal.businessId),
        retention.of(null),
      ])
      return ok(inForce(own, instance))
    }),
    ...periodRoutes(options),
    ...valueRoutes(options),
  ]
}

function periodRoutes({ accounts, upkeep }: RetentionRoutesOptions): Route[] {
  const { retention } = upkeep
  return [
    route(getInstanceRetention, async () => ok(await retention.of(null))),
    route(setInstanceRetention, async ({ body }) => {
      await retention.set(null, body)
      return ok(await retention.of(null))
    }),
    route(setBusinessRetention, async ({ params, body }) => {
      const business = await businessNamed(accounts, params.business)
      await retention.set(business, body)
      return ok(await retention.of(business))
    }),
  ]
}

function valueRoutes({ provisioning, assets }: RetentionRoutesOptions): Route[] {
  const { connectors } = provisioning
  const { valueRetention } = assets
  return [
    route(getConnectorRetention, async ({ principal: { businessId }, params }) => {
      const { id } = await connectors.get(businessId, params.connector)
      return ok({ hours: (await connectors.retentions(businessId)).get(id) ?? null })
    }),
    route(setConnectorRetention, async ({ principal, params, body }) => {
      await connectors.setRetention(principal.view, params.connector, body.hours)
      return ok(body)
    }),
    route(getSignalRetention, async ({ principal, params }) => {
      const [signal] = await valueRetention.some(principal.view, [params.signal])
      if (signal === undefined) throw new Fault('not_found', 'There is no such signal.')
      return ok({ hours: signal.hours })
    }),
    route(setSignalRetention, async ({ principal, params, body }) => {
      await valueRetention.set(principal.view, params.signal, body.hours)
      return ok(body)
    }),
  ]
}

/** What the limits say; null: for ever. Lines of assets have a limit of their own. */
const defaults = (): RetentionPeriods => ({
  log: limits.logRetentionHours,
  values: null,
  lines: limits.lineRetentionHours,
  notifications: limits.notificationHours,
  contents: null,
  audit: limits.auditDays * hoursPerDay,
})
const hoursPerDay = 24

function inForce(own: RetentionPeriods, instance: RetentionPeriods) {
  const byDefault = defaults()
  const of = (kind: RetentionKind) => {
    if (own[kind] !== null) return { hours: own[kind], set_by: 'business' as const }
    if (instance[kind] !== null) return { hours: instance[kind], set_by: 'instance' as const }
    return { hours: byDefault[kind], set_by: 'default' as const }
  }
  return {
    log: of('log'),
    values: of('values'),
    lines: of('lines'),
    notifications: of('notifications'),
    contents: of('contents'),
    audit: of('audit'),
  }
}
