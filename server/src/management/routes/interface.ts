import type { ExternalCalls, SubscriberAdmin } from '../../services/interface/index.ts'
import {
  callOperation,
  getSubscriber,
  listSubscribers,
  updateSubscriber,
} from '../contract/interface.ts'
import { noContent, ok, type Route, route } from '../route.ts'
import { solutionOf } from './solutions.ts'

/** Routes for the subscribers of an exposed solution and their quotas. */
export function subscriberRoutes(subscribers: SubscriberAdmin): Route[] {
  return [
    route(listSubscribers, async (call) =>
      ok(await subscribers.list(...solutionOf(call), call.query)),
    ),
    route(getSubscriber, async (call) =>
      ok(await subscribers.get(...solutionOf(call), call.params.subscriber)),
    ),
    route(updateSubscriber, async (call) =>
      ok(await subscribers.set(...solutionOf(call), call.params.subscriber, call.body)),
    ),
  ]
}

/** The operations of exposed solutions, for programs. Errors are the objects that scripts get. */
export function interfaceCallRoutes(externalCalls: ExternalCalls): Route[] {
  return [
    route(callOperation, async ({ principal, params, query, body }) => {
      const { status, value } = await externalCalls.call({
        businessId: principal.businessId,
        solution: params.solution,
        operation: params.operation,
        args: body,
        subscriber: query.subscriber,
      })
      return value === undefined ? noContent() : { status, json: JSON.stringify(value) }
    }),
  ]
}
