import { omitUndefined } from '../../kernel/index.ts'
import type { Provisioning } from '../../provisioning/index.ts'
import {
  cancelRotation,
  extendWindows,
  getRotation,
  listWindows,
  openRotation,
  orderReprovision,
} from '../contract/lifecycle.ts'
import { noContent, ok, type Route, route } from '../route.ts'
import { connectorId } from './connectors.ts'
import { named } from './identities.ts'

type Options = Pick<Provisioning, 'orderReprovision' | 'rotations' | 'windows'>

/** Windows of activation, orders to activate again, and rotations of devices' credentials. */
export function lifecycleRoutes(provisioning: Options): Route[] {
  const { windows } = provisioning
  return [
    route(listWindows, async ({ principal, params, query }) =>
      ok(await windows.next(principal.businessId, connectorId(params), query)),
    ),
    route(extendWindows, async ({ principal, params, body }) =>
      ok(await windows.extend(principal.businessId, connectorId(params), body)),
    ),
    route(orderReprovision, async ({ principal, params, body }) =>
      ok(await provisioning.orderReprovision(principal.businessId, connectorId(params), body)),
    ),
    ...rotationRoutes(provisioning),
  ]
}

function rotationRoutes({ rotations }: Options): Route[] {
  return [
    route(getRotation, async (call) => ok(await rotations.get(...named(call)))),
    route(openRotation, async (call) => {
      const { hours, auth: { type: authType, key } = {} } = call.body ?? {}
      return ok(await rotations.open(...named(call), omitUndefined({ hours, authType, key })))
    }),
    route(cancelRotation, async (call) => {
      await rotations.cancel(...named(call))
      return noContent()
    }),
  ]
}
