import type { Fields } from '../../kernel/index.ts'
import { parseListSubscribers, parseSetSubscriber } from './arguments.ts'
import { refusals } from './errors.ts'
import type { Exposed } from './exposed.ts'
import type { Exposures } from './exposures.ts'
import type { Quota } from './quota.ts'
import type { ScriptMap } from './schema/check.ts'
import type { Subscriber, Subscribers } from './subscribers.ts'
import type { Subscription } from './subscription.ts'

/** A subscription with what was called of its quota, in this day and this month (UTC). */
export type MeteredSubscription = Subscription & { readonly used: Quota }

/** The subscribers of a business's exposed solution, for its operators. */
export type ManagedSubscribers = {
  /** `asked`: offset and limit. @throws Fault not_found, invalid_argument */
  list(
    businessId: string,
    solutionId: string,
    asked: Fields,
  ): Promise<{ readonly items: readonly MeteredSubscription[]; readonly total: number }>
  /** By the subscription's id, or the subscriber's. @throws Fault not_found */
  get(businessId: string, solutionId: string, id: string): Promise<MeteredSubscription>
  /** As setSubscriber, with quota and parameters. @throws Fault not_found, invalid_argument */
  set(
    businessId: string,
    solutionId: string,
    id: string,
    change: Fields,
  ): Promise<MeteredSubscription>
}

export type ManagedNeeds = {
  readonly exposures: Exposures
  readonly subscribers: Subscribers
}

export function createManagedSubscribers(needs: ManagedNeeds): ManagedSubscribers {
  const { exposures, subscribers } = needs

  async function exposedOf(businessId: string, solutionId: string): Promise<Exposed> {
    const exposed = await exposures.get(solutionId)
    if (exposed?.businessId !== businessId) throw refusals.notExposed()
    return exposed
  }

  async function get(businessId: string, solutionId: string, id: string) {
    const exposed = await exposedOf(businessId, solutionId)
    return meteredOf(await subscribers.get(exposed, id))
  }

  return {
    get,
    async list(businessId, solutionId, asked) {
      const exposed = await exposedOf(businessId, solutionId)
      const page = await subscribers.list(exposed, parseListSubscribers(asked as ScriptMap))
      return { items: page.items.map(meteredOf), total: page.total }
    },
    async set(businessId, solutionId, id, change) {
      const exposed = await exposedOf(businessId, solutionId)
      await subscribers.set(
        exposed,
        parseSetSubscriber({ ...(change as ScriptMap), subscriber_id: id }),
      )
      return get(businessId, solutionId, id)
    },
  }
}

function meteredOf({ subscription, usage }: Subscriber): MeteredSubscription {
  const { day_calls = 0, month_calls = 0 } = usage ?? {}
  return { ...subscription, used: { calls_daily: day_calls, calls_monthly: month_calls } }
}
