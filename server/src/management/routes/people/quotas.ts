import type { Accounts, QuotaKind } from '../../../accounts/index.ts'
import { getUsage, listUsage, setQuotas } from '../../contract/operation/quotas.ts'
import { ok, type Route, route } from '../../route.ts'
import { businessNamed } from '../operator.ts'

/** What businesses may have, and what they have. */
export function quotaRoutes(
  accounts: Pick<Accounts, 'findBusiness' | 'listBusinesses' | 'quotas'>,
): Route[] {
  const { quotas } = accounts
  async function usageOf(ids: readonly string[]) {
    const [most, used] = await Promise.all([quotas.of(ids), quotas.uses(ids)])
    return (id: string) => {
      const of = (kind: QuotaKind) => ({
        used: used.get(id)?.[kind] ?? 0,
        most: most.get(id)?.[kind] ?? null,
      })
      return {
        devices: of('devices'),
        messages: of('messages'),
        storage: of('storage'),
        script_cpu: of('script_cpu'),
        tokens: of('tokens'),
        users: of('users'),
      }
    }
  }
  return [
    route(getUsage, async ({ principal: { businessId } }) =>
      ok((await usageOf([businessId]))(businessId)),
    ),
    route(listUsage, async () => {
      const businesses = await accounts.listBusinesses()
      const usage = await usageOf(businesses.map(({ id }) => id))
      return ok({ businesses: businesses.map(({ id, name }) => ({ id, name, usage: usage(id) })) })
    }),
    route(setQuotas, async ({ params, body }) => {
      const id = await businessNamed(accounts, params.business)
      await quotas.set(id, body)
      const all = (await quotas.of([id])).get(id)
      if (all === undefined) throw new Error('the quotas were not read')
      return ok(all)
    }),
  ]
}
