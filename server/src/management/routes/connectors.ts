import { Fault, limits } from '../../kernel/index.ts'
import type { Provisioning } from '../../provisioning/index.ts'
import {
  createConnector,
  deleteConnector,
  deleteConnectorService,
  getConnector,
  importConnector,
  listConnectors,
  updateConnector,
  updateResources,
} from '../contract/connectors.ts'
import { created, noContent, ok, type Route, route } from '../route.ts'
import { parseDefinition } from '../wire/definition.ts'
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
  return [
    ...collectionRoutes(provisioning, domain),
    ...settingsRoutes(provisioning, domain),
    ...[deleteConnector, deleteConnectorService].map((contract) =>
      route(contract, async ({ principal, params, query, ip }) => {
        const id = connectorId(params)
        const cascade = query.cascade === true
        await provisioning.removals.remove(principal.businessId, id, { cascade, ip })
        return noContent()
      }),
    ),
  ]
}

function collectionRoutes({ connectors }: Connectors, domain: string): Route[] {
  return [
    route(listConnectors, async ({ principal }) => {
      const all = await connectors.list(principal.businessId)
      return ok({ connectors: all.map((one) => settingsBody(one, domain)) })
    }),
    route(createConnector, async ({ principal, body }) => {
      const input = parseConnectorBody(body)
      const connector = await inWireNames(connectors.create(principal.businessId, input))
      return created(settingsBody(connector, domain))
    }),
    route(importConnector, async ({ principal, body }) => {
      const { settings, dropped } = parseDefinition(body)
      const work = connectors.create(principal.businessId, parseConnectorBody(settings))
      return created({ ...settingsBody(await inWireNames(work), domain), dropped })
    }),
  ]
}

function settingsRoutes({ connectors }: Connectors, domain: string): Route[] {
  return [
    route(getConnector, async ({ principal, params }) => {
      const connector = await connectors.get(principal.businessId, connectorId(params))
      return ok(settingsBody(connector, domain))
    }),
    route(updateConnector, async ({ principal, params, body }) => {
      const id = connectorId(params)
      const part = parseSettingsBody(body, fqdnOf(id, domain))
      const work = connectors.patch(principal.businessId, id, part, changeOf(part))
      return ok(settingsBody(await inWireNames(work), domain))
    }),
    route(updateResources, async ({ principal, params, body }) => {
      const part = { resources: body }
      const work = connectors.patch(principal.businessId, connectorId(params), part)
      return ok(settingsBody(await inWireNames(work), domain).resources)
    }),
  ]
}

/** @throws Fault not_found where no connector can have such an id. */
export function connectorId({ connector = '' }: Readonly<Record<string, string>>): string {
  if (connector.length <= limits.hostLabelCharsMax && /^[a-z0-9-]+$/.test(connector)) {
    return connector
  }
  throw new Fault('not_found', 'the business has no such connector')
}
