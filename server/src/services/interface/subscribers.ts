import type { Configuration, ConfigurationReads } from '../../scripting/index.ts'
import { isSubscriptionId, type SubscriberChange, type SubscribersAsked } from './arguments.ts'
import { refusals } from './errors.ts'
import type { Exposed } from './exposed.ts'
import { changedQuota } from './quota.ts'
import type { Quotas } from './quotas.ts'
import { checkParameters, type Subscription, subscriptionOf } from './subscription.ts'

/** The subscribers of an exposed solution, as it sees them. */
export type Subscribers = {
  /** By the subscription's id, or the subscriber's; undefined where it has no such subscriber. */
  find(exposed: Exposed, id: string): Promise<Configuration | undefined>
  /** @throws Fault not_found */
  get(exposed: Exposed, id: string): Promise<Subscription>
  list(exposed: Exposed, asked: SubscribersAsked): Promise<SubscriberPage>
  /**
   * What is named changes, null takes away. The exposing solution is not told of what it does
   * itself. @throws Fault not_found, invalid_argument
   */
  set(exposed: Exposed, change: SubscriberChange): Promise<void>
}

export type SubscriberPage = {
  readonly items: readonly Subscription[]
  readonly total: number
}

export type SubscribersNeeds = {
  readonly configurations: ConfigurationReads
  readonly quotas: Quotas
}

/** What is no id names no solution. */
const solutionShape = /^[a-zA-Z0-9]{1,63}$/

export function createSubscribers({ configurations, quotas }: SubscribersNeeds): Subscribers {
  async function find({ solutionId }: Exposed, id: string): Promise<Configuration | undefined> {
    if (isSubscriptionId(id)) return configurations.find(solutionId, id)
    if (!solutionShape.test(id)) return undefined
    const [oldest] = await configurations.ofSolution(solutionId, id)
    return oldest
  }

  async function mustFind(exposed: Exposed, id: string): Promise<Configuration> {
    const found = await find(exposed, id)
    if (found === undefined) throw refusals.noSubscriber()
    return found
  }

  return {
    find,
    async get(exposed, id) {
      const found = await mustFind(exposed, id)
      const usages = await quotas.read([found.id])
      return subscriptionOf(found, usages.get(found.id)?.quota)
    },
    async list({ solutionId }, asked) {
      const { items, total } = await configurations.ofService(solutionId, asked)
      const usages = await quotas.read(items.map(({ id }) => id))
      return { items: items.map((one) => subscriptionOf(one, usages.get(one.id)?.quota)), total }
    },
    async set(exposed, { subscriberId, quota, parameters }) {
      const found = await mustFind(exposed, subscriberId)
      const checked = parameters && checkParameters(exposed, merged(found.parameters, parameters))
      if (quota !== undefined) {
        const before = (await quotas.read([found.id])).get(found.id)?.quota ?? {}
        await quotas.write(exposed.solutionId, found.id, changedQuota(before, quota))
      }
      if (checked === undefined) return
      await configurations.setParameters(exposed.solutionId, found.id, checked)
    },
  }
}

function merged(before: Configuration['parameters'], change: Configuration['parameters']) {
  const entries = Object.entries({ ...before, ...change })
  return Object.fromEntries(entries.filter(([, value]) => value !== null))
}
