import { readFile } from 'node:fs/promises'
import {
  connectorSchema,
  connectorWireNames,
  createConnectorChangeSchema,
  createDefinitionSchema,
  createNewConnectorSchema,
  formatFqdn,
  parseDefinition,
  resourcesInputSchema,
  resourcesSchema,
  shownConnector,
} from '../../../devices/provisioning/index.ts'
import {
  component,
  type Fields,
  invalidField,
  isJsonObject,
  Nullable,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import { confirm, does, lists, makes, shows } from '../contract/common.ts'
import { type Call, operations } from '../operation.ts'
import type { ApiServices } from '../services.ts'

const example = { name: 'Pumps', protocol: { devmode: true } }

const on = operations('connectors', 'Setup', '/api:1')

export const listConnectors = on.get(
  '/connectors',
  'List the connectors of the business, oldest first.',
  () => lists('connectors', connectorSchema, 'The connectors.'),
  async ({ domain, provisioning: { connectors } }, { view }) => {
    const all = await connectors.list(view)
    return all.map((one) => shownConnector(one, domain))
  },
)

export const createConnector = on.post(
  '/connectors',
  'Create a connector.',
  () => ({
    description: '`name` is needed; `id`, the first label of its host, may be chosen.',
    body: createNewConnectorSchema(),
    ...makes('The settings.', connectorSchema),
    refuses: ['already_exists'],
    example: { request: example },
  }),
  async ({ domain, provisioning: { connectors } }, { businessId, body }) =>
    shownConnector(await connectors.create(businessId, withoutFqdn(body)), domain),
)

export const importConnector = on.post(
  '/connectors/import',
  'Create a connector from a definition that another platform exported.',
  () => ({
    body: createDefinitionSchema(),
    ...makes(
      'The settings, and the fields of the definition that have no meaning here.',
      StrictObject(
        { ...connectorSchema.properties, dropped: Type.Array(Type.String()) },
        { wireNames: connectorWireNames },
      ),
    ),
    refuses: ['already_exists'],
    example: { request: { name: 'Pumps', resources: { level: { format: 'float' } } } },
  }),
  async ({ domain, provisioning: { connectors } }, { businessId, body }) => {
    const { settings, dropped } = parseDefinition(body)
    const connector = await connectors.create(businessId, settings)
    return { ...shownConnector(connector, domain), dropped }
  },
)

const confirmation = StrictObject({
  cascade: Type.Optional(
    Type.Boolean({ description: 'All that depends on it is deleted too, or does without it.' }),
  ),
  confirm,
})

const deletionDetails = () =>
  ({
    description:
      'Refused with `connector_in_use`, which names them, if devices, contents, services of ' +
      'solutions, assets or signals depend on it, unless `confirm` or `cascade` is given.',
    query: confirmation,
    ...does('It is deleted.'),
    refuses: ['not_found', 'connector_in_use'],
  }) as const

type Deletion = Call<ReturnType<typeof deletionDetails>, '/:connector'>

const removeConnector = ({ deletion }: ApiServices, call: Deletion) =>
  deletion.removeConnector(call.businessId, call.params.connector, { ...call.query, ip: call.ip })

const deleting = 'Delete a connector with its settings, contents, values and credentials.'

export const deleteConnector = on.remove(
  '/connectors/:connector',
  deleting,
  deletionDetails,
  removeConnector,
)

export const deleteConnectorService = on.remove(
  '/service/:connector/device2',
  deleting,
  deletionDetails,
  removeConnector,
)

export const getConnector = on.get(
  '/service/:connector/device2',
  'Show the settings of a connector.',
  () => ({
    ...shows('The settings.', connectorSchema),
    refuses: ['not_found'],
  }),
  async ({ domain, provisioning: { connectors } }, { businessId, params }) =>
    shownConnector(await connectors.get(businessId, params.connector), domain),
)

const address = (description: string) => Type.String({ description })

export const getDeviceAddresses = on.get(
  '/service/:connector/device2/addresses',
  'Show the addresses that the devices of a connector call.',
  () => ({
    description:
      'Each has the host of the connector and the port on which the instance listens. What is in ' +
      'front of the instance may give devices another port.',
    ...shows(
      'The addresses.',
      component('DeviceAddresses', {
        https: address('The device API over TLS.'),
        http: address('The device API without encryption, for connectors in developer mode.'),
        mqtts: address('MQTT over TLS.'),
        mqtt: Nullable(Type.String(), {
          description: 'MQTT without encryption, for connectors in developer mode.',
        }),
        ca: Nullable(Type.String(), {
          description:
            'The authority that devices trust with `https` and `mqtts`, in PEM; null if the ' +
            "operator's own certificate has the connector's host.",
        }),
      }),
    ),
    refuses: ['not_found'],
    example: {
      answer: {
        https: 'https://pumps.example.com:8443',
        http: 'http://pumps.example.com:8080',
        mqtts: 'mqtts://pumps.example.com:8883',
        mqtt: null,
        ca: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n',
      },
    },
  }),
  async ({ provisioning, listeners, domain }, { businessId, params }) => {
    const { id } = await provisioning.connectors.get(businessId, params.connector)
    const { httpUrl, tlsUrl, mqttTlsUrl, mqttUrl, ...certificates } = await listeners
    const at = (scheme: string, url: string) =>
      `${scheme}://${formatFqdn(id, domain)}:${readPort(url)}`
    return {
      https: at('https', tlsUrl),
      http: at('http', httpUrl),
      mqtts: at('mqtts', mqttTlsUrl ?? tlsUrl),
      mqtt: mqttUrl === undefined ? null : at('mqtt', mqttUrl),
      ca: certificates.isCovered(formatFqdn(id, domain))
        ? null
        : await readFile(certificates.caFile, 'utf8'),
    }
  },
)

export const updateConnector = on.patch(
  '/service/:connector/device2',
  'Change the settings that the body names.',
  () => ({
    description:
      'A map of `resources` replaces all of them; one with a null in it changes only those named.',
    body: createConnectorChangeSchema(),
    ...shows('The settings.', connectorSchema),
    refuses: ['not_found'],
    example: { request: example },
  }),
  async ({ domain, provisioning: { connectors } }, { businessId, params, body }) => {
    const id = params.connector
    const part = withoutFqdn(body, formatFqdn(id, domain))
    return shownConnector(
      await connectors.patch(businessId, id, part, resourceChange(part)),
      domain,
    )
  },
)

export const updateResources = on.patch(
  '/service/:connector/device2/resources',
  'Define or remove some resources of a connector; the others stay.',
  () => ({
    body: resourcesInputSchema,
    ...shows('All resources.', resourcesSchema),
    refuses: ['not_found'],
    example: { request: { level: { format: 'number' }, valve: null } },
  }),
  async ({ domain, provisioning: { connectors } }, { businessId, params, body }) => {
    const work = connectors.patch(businessId, params.connector, { resources: body })
    return shownConnector(await work, domain).resources
  },
)

/** @throws Fault `invalid_argument` for another host than its own. */
function withoutFqdn<Body extends Fields>({ fqdn, ...settings }: Body, own?: string) {
  if (fqdn === undefined || fqdn === own) return settings
  throw invalidField('fqdn', 'is not served by this build: it follows from the id')
}

/**
 * Returns how resources change: a map replaces all of them, as existing tools send it. A map with
 * a null in it removes resources by name, and changes only those that it names.
 */
function resourceChange({ resources }: { readonly resources?: unknown }) {
  const isWhole = isJsonObject(resources) && !Object.values(resources).includes(null)
  return { resources: isWhole ? 'replaced' : 'changed' } as const
}

/** Listeners name their port also if it is that of their scheme. */
function readPort(url: string): string {
  return url.slice(url.lastIndexOf(':') + 1)
}
