import { omitUndefined } from '../../kernel/index.ts'
import type { Provisioning } from '../../provisioning/index.ts'
import { ok, type Route } from '../legacy-route.ts'
import { bodyObject, fieldsOf } from '../wire/fields.ts'
import { wholeNumber } from '../wire/identity.ts'
import { connectorId } from './connectors.ts'

/** Windows of activation: which close next, and more time for them. */
export function windowRoutes({ windows }: Pick<Provisioning, 'windows'>): Route[] {
  return [
    {
      path: '/api:1/service/:connector/device2/windows',
      GET: {
        permission: 'Setup',
        async act({ principal, params, query }) {
          const asked = Object.entries(query).filter(([, value]) => value !== '')
          const { limit, before, after } = fieldsOf('query', Object.fromEntries(asked), [
            'limit',
            'before',
            'after',
          ])
          const input = omitUndefined({
            limit: wholeNumber(limit),
            before: wholeNumber(before),
            after,
          })
          return ok(await windows.next(principal.businessId, connectorId(params), input))
        },
      },
      POST: {
        permission: 'Setup',
        async act({ principal, params, body }) {
          const where = [principal.businessId, connectorId(params)] as const
          return ok(await windows.extend(...where, bodyObject(body)))
        },
      },
    },
  ]
}
