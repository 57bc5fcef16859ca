import type { Provisioning } from '../../provisioning/index.ts'
import { ok, type Route } from '../route.ts'
import { bodyObject } from '../wire/fields.ts'
import { connectorId } from './connectors.ts'

/** Orders to activate again, for many devices at once. */
export function reprovisionRoutes({
  orderReprovision,
}: Pick<Provisioning, 'orderReprovision'>): Route[] {
  return [
    {
      path: '/api:1/service/:connector/device2/reprovision',
      POST: {
        permission: 'Setup',
        async act({ principal, params, body }) {
          const where = [principal.businessId, connectorId(params)] as const
          return ok(await orderReprovision(...where, bodyObject(body)))
        },
      },
    },
  ]
}
