import { Fault, limits } from '../../kernel/index.ts'
import type { Provisioning } from '../../provisioning/index.ts'
import { created, ok, type Route } from '../route.ts'
import {
  fqdnOf,
  inWireNames,
  parseConnectorBody,
  parseSettingsBody,
  settingsBody,
} from '../wire/settings.ts'

type Connectors = Pick<Provisioning, 'connectors'>

/** Connectors and their settings. */
export function connectorRoutes({ connectors }: Connectors, domain: string): Route[] {
  return [
    {
      path: '/api:1/connectors',
      GET: {
        permission: 'Setup',
        async act({ principal }) {
          const all = await connectors.list(principal.businessId)
          return ok({ connectors: all.map((one) => settingsBody(one, domain)) })
        },
      },
      POST: {
        permission: 'Setup',
        async act({ principal, body }) {
          const input = parseConnectorBody(body)
          const connector = await inWireNames(connectors.create(principal.businessId, input))
          return created(settingsBody(connector, domain))
        },
      },
    },
    {
      path: '/api:1/service/:connector/device2',
      GET: {
        permission: 'Setup',
        async act({ principal, params }) {
          const connector = await connectors.get(principal.businessId, connectorId(params))
          return ok(settingsBody(connector, domain))
        },
      },
      PATCH: {
        permission: 'Setup',
        async act({ principal, params, body }) {
          const id = connectorId(params)
          const part = parseSettingsBody(body, fqdnOf(id, domain))
          const connector = await inWireNames(connectors.patch(principal.businessId, id, part))
          return ok(settingsBody(connector, domain))
        },
      },
    },
  ]
}

/** @throws Fault not_found where no connector can have such an id. */
export function connectorId({ connector = '' }: Readonly<Record<string, string>>): string {
  if (connector.length <= limits.hostLabelCharsMax && /^[a-z0-9-]+$/.test(connector)) {
    return connector
  }
  throw new Fault('not_found', 'the business has no such connector')
}
