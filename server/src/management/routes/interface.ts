import { omitUndefined } from '../../kernel/index.ts'
import type { ExternalCalls, SubscriberAdmin } from '../../services/interface/index.ts'
import { type Call, noContent, ok, type Route } from '../legacy-route.ts'
import { bodyObject, fieldsOf, textOf } from '../wire/fields.ts'
import { wholeNumber } from '../wire/identity.ts'
import { solutionOf, solutionPath } from './solutions.ts'

/** Routes for the subscribers of an exposed solution and their quotas. */
export function subscriberRoutes(subscribers: SubscriberAdmin): Route[] {
  const named = (call: Call) => [...solutionOf(call), call.params.subscriber ?? ''] as const
  return [
    {
      path: `${solutionPath}/subscribers`,
      GET: {
        permission: 'Setup',
        async act(call) {
          const { offset, limit } = fieldsOf('query', call.query, ['offset', 'limit'])
          const asked = omitUndefined({ offset: wholeNumber(offset), limit: wholeNumber(limit) })
          return ok(await subscribers.list(...solutionOf(call), asked))
        },
      },
    },
    {
      path: `${solutionPath}/subscribers/:subscriber`,
      GET: {
        permission: 'Setup',
        act: async (call) => ok(await subscribers.get(...named(call))),
      },
      PATCH: {
        permission: 'Setup',
        async act(call) {
          const change = fieldsOf('body', bodyObject(call.body), ['quota', 'parameters'])
          return ok(await subscribers.set(...named(call), change))
        },
      },
    },
  ]
}

/** The operations of exposed solutions, for programs. Errors are the objects that scripts get. */
export function interfaceCallRoutes(externalCalls: ExternalCalls): Route[] {
  return [
    {
      path: `${solutionPath}/interface/:operation`,
      POST: {
        // An operation may change something, so the permission to read is not enough.
        permission: 'Asset Management',
        async act({ principal, params, query, body }) {
          const { subscriber } = fieldsOf('query', query, ['subscriber'])
          const { status, value } = await externalCalls.call({
            businessId: principal.businessId,
            solution: params.solution ?? '',
            operation: params.operation ?? '',
            args: body,
            subscriber: subscriber === undefined ? undefined : textOf('subscriber', subscriber),
          })
          return value === undefined ? noContent() : { status, json: JSON.stringify(value) }
        },
      },
    },
  ]
}
