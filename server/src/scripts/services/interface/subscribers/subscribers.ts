import type { Configuration, ConfigurationReads } from '../../../scripting/index.ts'
import { refusals } from '../errors.ts'
import type { Exposed } from '../exposed/exposed-definition.ts'
import { isSubscriptionId, type SubscriberChange, type SubscribersQuery } from '../operations.ts'
import { callerKey, changedQuota } from '../quotas/quota.ts'
import type { Quotas } from '../quotas/quotas.ts'
import type { Usage } from '../store.ts'
import { checkParameters, makeSubscription, type Subscription, toCaller } from './subscription.ts'

/** A subscription, and the usage of its solution's quota. */
export type Subscriber = {
  readonly subscription: Subscription
  readonly usage: Usage | undefined
}

/** The subscribers of an exposed solution. */
export type Subscribers = {
  /** By the subscription's id, or the subscriber's; undefined if there is none. */
  find(exposed: Exposed, id: string): Promise<Configuration | undefined>
  /** @throws Fault not_found */
  get(exposed: Exposed, id: string): Promise<Subscriber>
  list(exposed: Exposed, query: SubscribersQuery): Promise<SubscriberPage>
  /**
   * Changes the fields that are given; null removes one. By the id of a solution it changes all of
   * its subscriptions; they share one quota. The exposing solution gets no event for its own
   * change. @throws Fault not_found, invalid_argument
   */
  set(exposed: Exposed, change: SubscriberChange): Promise<void>
}

export type SubscriberPage = {
  readonly items: readonly Subscriber[]
  readonly total: number
}

export type SubscribersOptions = {
  readonly configurations: ConfigurationReads
  readonly quotas: Quotas
}

/** The shape of a solution's id. */
const solutionShape = /^[a-zA-Z0-9]{1,63}$/

export function createSubscribers({ configurations, quotas }: SubscribersOptions): Subscribers {
  /** The subscriptions of a solution that has subscribed more than once, the oldest first. */
  async function findAll({ solutionId }: Exposed, id: string): Promise<readonly Configuration[]> {
    if (isSubscriptionId(id)) {
      const found = await configurations.find(solutionId, id)
      return found === undefined ? [] : [found]
    }
    return solutionShape.test(id) ? configurations.ofSolution(solutionId, id) : []
  }

  async function mustFind(exposed: Exposed, id: string) {
    const found = await findAll(exposed, id)
    const [oldest] = found
    if (oldest === undefined) throw refusals.noSubscriber()
    return { oldest, all: found }
  }

  async function metered(exposed: Exposed, found: readonly Configuration[]): Promise<Subscriber[]> {
    const usages = await quotas.readShared(found.map((one) => toCaller(exposed, one)))
    return found.map((one) => {
      const usage = usages.get(callerKey(toCaller(exposed, one)))
      return { subscription: makeSubscription(exposed, one, usage?.quota), usage }
    })
  }

  return {
    find: async (exposed, id) => (await findAll(exposed, id))[0],
    async get(exposed, id) {
      const { oldest } = await mustFind(exposed, id)
      const [one] = await metered(exposed, [oldest])
      if (one === undefined) throw refusals.noSubscriber()
      return one
    },
    async list(exposed, query) {
      const { items, total } = await configurations.ofService(exposed.solutionId, query)
      return { items: await metered(exposed, items), total }
    },
    async set(exposed, { subscriber_id: id, quota, parameters }) {
      const { oldest, all } = await mustFind(exposed, id)
      const checked = all.map((one) => {
        const change = parameters && merged(one.parameters, parameters)
        return { id: one.id, parameters: change && checkParameters(exposed, change) }
      })
      if (quota !== undefined) {
        const caller = toCaller(exposed, oldest)
        const before = (await quotas.read([caller])).get(callerKey(caller))?.quota ?? {}
        await quotas.write(caller, changedQuota(before, quota))
      }
      for (const one of checked) {
        if (one.parameters === undefined) continue
        await configurations.setParameters(exposed.solutionId, one.id, one.parameters)
      }
    },
  }
}

function merged(before: Configuration['parameters'], change: Configuration['parameters']) {
  const entries = Object.entries({ ...before, ...change })
  return Object.fromEntries(entries.filter(([, value]) => value !== null))
}
