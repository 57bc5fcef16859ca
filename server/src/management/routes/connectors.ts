import { Fault, limits } from '../../kernel/index.ts'
import type { Provisioning } from '../../provisioning/index.ts'
import { created, noContent, ok, type Route } from '../route.ts'
import { parseDefinition } from '../wire/definition.ts'
import { bodyObject, fieldsOf, invalid } from '../wire/fields.ts'
import {
  changeOf,
  fqdnOf,
  inWireNames,
  parseConnectorBody,
  parseSettingsBody,
  settingsBody,
} from '../wire/settings.ts'

type Connectors = Pick<Provisioning, 'connectors' | 'removals'>

/** Connectors and their settings. */
export function connectorRoutes(provisioning: Connectors, domain: string): Route[] {
  const { connectors } = provisioning
  const DELETE = deletion(provisioning)
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
      path: '/api:1/connectors/import',
      POST: {
        permission: 'Setup',
        async act({ principal, body }) {
          const { settings, dropped } = parseDefinition(body)
          const work = connectors.create(principal.businessId, parseConnectorBody(settings))
          return created({ ...settingsBody(await inWireNames(work), domain), dropped })
        },
      },
    },
    { path: '/api:1/connectors/:connector', DELETE },
    {
      path: '/api:1/service/:connector/device2',
      DELETE,
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
          const work = connectors.patch(principal.businessId, id, part, changeOf(part))
          return ok(settingsBody(await inWireNames(work), domain))
        },
      },
    },
    {
      path: '/api:1/service/:connector/device2/resources',
      PATCH: {
        permission: 'Setup',
        async act({ principal, params, body }) {
          const part = { resources: bodyObject(body) }
          const work = connectors.patch(principal.businessId, connectorId(params), part)
          return ok(settingsBody(await inWireNames(work), domain).resources)
        },
      },
    },
  ]
}

/** Deletes a connector; with `?cascade=true` its identities too. */
function deletion({ removals }: Connectors): NonNullable<Route['DELETE']> {
  return {
    permission: 'Setup',
    async act({ principal, params, query, ip }) {
      const { cascade } = fieldsOf('query', query, ['cascade'])
      if (cascade !== undefined && cascade !== 'true' && cascade !== 'false') {
        throw invalid('cascade', 'must be true or false')
      }
      const id = connectorId(params)
      await removals.remove(principal.businessId, id, { cascade: cascade === 'true', ip })
      return noContent()
    },
  }
}

/** @throws Fault not_found where no connector can have such an id. */
export function connectorId({ connector = '' }: Readonly<Record<string, string>>): string {
  if (connector.length <= limits.hostLabelCharsMax && /^[a-z0-9-]+$/.test(connector)) {
    return connector
  }
  throw new Fault('not_found', 'the business has no such connector')
}
