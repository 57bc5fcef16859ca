import {
  AnyValue,
  component,
  type Fields,
  RecordOf,
  type StaticResult,
  StrictObject,
  Type,
} from '../../../../foundation/kernel/index.ts'
import { refusals } from '../errors.ts'
import type { Exposed } from '../exposed/exposed-definition.ts'
import type { ExposedServices } from '../exposed/exposed-services.ts'
import { interfaceOperations } from '../operations.ts'
import type { Subscriber, Subscribers } from './subscribers.ts'

export function createSubscriberSchema() {
  return component(
    'Subscriber',
    {
      ...interfaceOperations.schemas.getSubscriber.result.properties,
      triggers: RecordOf(AnyValue<unknown>(), { description: 'By event.' }),
      parameters: RecordOf(AnyValue<unknown>(), { description: 'Its settings of the service.' }),
      used: StrictObject(
        { calls_daily: Type.Integer(), calls_monthly: Type.Integer() },
        { description: 'The calls of this day and this month (UTC).' },
      ),
    },
    { description: 'A solution that has this one as a service.' },
  )
}
export type MeteredSubscription = StaticResult<ReturnType<typeof createSubscriberSchema>>

/** Manages the subscribers of an exposed solution, for its operators. */
export type SubscriberAdmin = {
  /** `query`: offset and limit. @throws Fault not_found, invalid_argument */
  list(
    businessId: string,
    solutionId: string,
    query: Fields,
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

export type SubscriberAdminOptions = {
  readonly exposedServices: ExposedServices
  readonly subscribers: Subscribers
}

export function createSubscriberAdmin(options: SubscriberAdminOptions): SubscriberAdmin {
  const { exposedServices, subscribers } = options

  async function requireExposed(businessId: string, solutionId: string): Promise<Exposed> {
    const exposed = await exposedServices.get(solutionId)
    if (exposed?.businessId !== businessId) throw refusals.notExposed()
    return exposed
  }

  async function get(businessId: string, solutionId: string, id: string) {
    const exposed = await requireExposed(businessId, solutionId)
    return toMetered(await subscribers.get(exposed, id))
  }

  return {
    get,
    async list(businessId, solutionId, query) {
      const exposed = await requireExposed(businessId, solutionId)
      const page = await subscribers.list(
        exposed,
        interfaceOperations.parse('listSubscribers', query),
      )
      return { items: page.items.map(toMetered), total: page.total }
    },
    async set(businessId, solutionId, id, change) {
      const exposed = await requireExposed(businessId, solutionId)
      await subscribers.set(
        exposed,
        interfaceOperations.parse('setSubscriber', { ...change, subscriber_id: id }),
      )
      return get(businessId, solutionId, id)
    },
  }
}

function toMetered({ subscription, usage }: Subscriber): MeteredSubscription {
  const { day_calls = 0, month_calls = 0 } = usage ?? {}
  return { ...subscription, used: { calls_daily: day_calls, calls_monthly: month_calls } }
}
