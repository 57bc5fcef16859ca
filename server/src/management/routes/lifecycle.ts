import { omitUndefined } from '../../kernel/index.ts'
import type { Provisioning } from '../../provisioning/index.ts'
import { noContent, ok, type Route } from '../legacy-route.ts'
import { bodyObject, fieldsOf } from '../wire/fields.ts'
import { connectorId } from './connectors.ts'
import { named } from './identities.ts'

/** Rotations of devices' credentials. */
export function rotationRoutes({ rotations }: Pick<Provisioning, 'rotations'>): Route[] {
  return [
    {
      path: '/api:1/service/:connector/device2/identity/:identity/rotation',
      GET: {
        permission: 'Setup',
        act: async (call) => ok(await rotations.get(...named(call))),
      },
      PUT: {
        permission: 'Setup',
        async act(call) {
          const body = call.body === undefined ? {} : bodyObject(call.body)
          const { hours, auth } = fieldsOf('body', body, ['hours', 'auth'])
          const { type: authType, key } = fieldsOf('auth', auth, ['type', 'key'])
          return ok(await rotations.open(...named(call), omitUndefined({ hours, authType, key })))
        },
      },
      DELETE: {
        permission: 'Setup',
        async act(call) {
          await rotations.cancel(...named(call))
          return noContent()
        },
      },
    },
  ]
}

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
