import { readFile } from 'node:fs/promises'
import type { Deletion } from '../../deletion/index.ts'
import { Fault, limits, requireConfirmed } from '../../kernel/index.ts'
import type { Provisioning } from '../../provisioning/index.ts'
import {
  createConnector,
  deleteConnector,
  deleteConnectorService,
  getConnector,
  getDeviceAddresses,
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

/** The open listeners of devices, and the file of the authority that devices trust. */
export type DeviceListeners = {
  /** Each with its scheme, its address and its port. */
  readonly httpUrl: string
  readonly tlsUrl: string
  /** Undefined: MQTT over TLS is on the port of `tlsUrl` alone. */
  readonly mqttTlsUrl: string | undefined
  readonly mqttUrl: string | undefined
  readonly caFile: string
  /** Whether the operator has a certificate for a host, in place of one of that authority. */
  isCovered(host: string): boolean
}

export type ConnectorRoutesOptions = {
  readonly provisioning: Connectors
  readonly deletion: Pick<Deletion, 'connector'>
  /** A connector's host is `<connector_id>.<domain>`. */
  readonly domain: string
  /** Resolved once all are open. */
  readonly listeners: Promise<DeviceListeners>
}

/** Connectors and their settings. */
export function connectorRoutes(options: ConnectorRoutesOptions): Route[] {
  const { provisioning, domain } = options
  return [
    ...collectionRoutes(provisioning, domain),
    ...settingsRoutes(provisioning, domain),
    addressesRoute(options),
    ...[deleteConnector, deleteConnectorService].map((contract) =>
      route(contract, async ({ principal, params, query, ip }) => {
        const id = connectorId(params)
        const { businessId } = principal
        if (query.cascade !== true) await requireConnectorConfirmed(options, businessId, id, query)
        await provisioning.removals.remove(businessId, id, { cascade: true, ip })
        return noContent()
      }),
    ),
  ]
}

/** @throws Fault connector_in_use with what depends on it; not_found, invalid_argument. */
async function requireConnectorConfirmed(
  { deletion }: Pick<ConnectorRoutesOptions, 'deletion'>,
  businessId: string,
  id: string,
  { confirm: given }: { readonly confirm?: string },
): Promise<void> {
  const { name, dependants } = await deletion.connector(businessId, id)
  const code = 'connector_in_use'
  requireConfirmed({ what: 'the connector', names: [name, id], given, code }, dependants)
}

function collectionRoutes({ connectors }: Connectors, domain: string): Route[] {
  return [
    route(listConnectors, async ({ principal }) => {
      const all = await connectors.list(principal.view)
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

function addressesRoute({ provisioning, domain, listeners }: ConnectorRoutesOptions): Route {
  return route(getDeviceAddresses, async ({ principal, params }) => {
    const { id } = await provisioning.connectors.get(principal.businessId, connectorId(params))
    const { httpUrl, tlsUrl, mqttTlsUrl, mqttUrl, ...certificates } = await listeners
    const at = (scheme: string, url: string) => `${scheme}://${fqdnOf(id, domain)}:${portOf(url)}`
    return ok({
      https: at('https', tlsUrl),
      http: at('http', httpUrl),
      mqtts: at('mqtts', mqttTlsUrl ?? tlsUrl),
      mqtt: mqttUrl === undefined ? null : at('mqtt', mqttUrl),
      ca: certificates.isCovered(fqdnOf(id, domain))
        ? null
        : await readFile(certificates.caFile, 'utf8'),
    })
  })
}

/** Listeners name their port also if it is that of their scheme. */
function portOf(url: string): string {
  return url.slice(url.lastIndexOf(':') + 1)
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
