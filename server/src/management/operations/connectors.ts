import { readFile } from 'node:fs/promises'
import { component, Nullable, StrictObject, Type } from '../../kernel/index.ts'
import { resourcesSchema } from '../../provisioning/index.ts'
import { confirm, does, lists, makes, shows } from '../contract/common.ts'
import {
  connectorSchema,
  createChangeSchema,
  createImportSchema,
  createNewConnectorSchema,
  resources,
  shownFields,
} from '../contract/schemas/connector.ts'
import { type Call, operations } from '../operation.ts'
import type { ApiServices } from '../services.ts'
import { parseDefinition } from '../wire/definition.ts'
import {
  changeOf,
  fqdnOf,
  inWireNames,
  parseConnectorBody,
  parseSettingsBody,
  settingsBody,
} from '../wire/settings.ts'

const example = { name: 'Pumps', protocol: { devmode: true } }

const on = operations('connectors', 'Setup', '/api:1')

export const listConnectors = on.get(
  '/connectors',
  'List the connectors of the business, oldest first.',
  () => lists('connectors', connectorSchema, 'The connectors.'),
  async ({ domain, provisioning: { connectors } }, { view }) => {
    const all = await connectors.list(view)
    return all.map((one) => settingsBody(one, domain))
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
  async ({ domain, provisioning: { connectors } }, { businessId, body }) => {
    const input = parseConnectorBody(body)
    const connector = await inWireNames(connectors.create(businessId, input))
    return settingsBody(connector, domain)
  },
)

export const importConnector = on.post(
  '/connectors/import',
  'Create a connector from a definition that another platform exported.',
  () => ({
    body: createImportSchema(),
    ...makes(
      'The settings, and the fields of the definition that have no meaning here.',
      StrictObject({ ...shownFields, dropped: Type.Array(Type.String()) }),
    ),
    refuses: ['already_exists'],
    example: { request: { name: 'Pumps', resources: { level: { format: 'float' } } } },
  }),
  async ({ domain, provisioning: { connectors } }, { businessId, body }) => {
    const { settings, dropped } = parseDefinition(body)
    const work = connectors.create(businessId, parseConnectorBody(settings))
    return { ...settingsBody(await inWireNames(work), domain), dropped }
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
  async ({ domain, provisioning: { connectors } }, { businessId, params }) => {
    const connector = await connectors.get(businessId, params.connector)
    return settingsBody(connector, domain)
  },
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
    const at = (scheme: string, url: string) => `${scheme}://${fqdnOf(id, domain)}:${portOf(url)}`
    return {
      https: at('https', tlsUrl),
      http: at('http', httpUrl),
      mqtts: at('mqtts', mqttTlsUrl ?? tlsUrl),
      mqtt: mqttUrl === undefined ? null : at('mqtt', mqttUrl),
      ca: certificates.isCovered(fqdnOf(id, domain))
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
    body: createChangeSchema(),
    ...shows('The settings.', connectorSchema),
    refuses: ['not_found'],
    example: { request: example },
  }),
  async ({ domain, provisioning: { connectors } }, { businessId, params, body }) => {
    const id = params.connector
    const part = parseSettingsBody(body, fqdnOf(id, domain))
    const work = connectors.patch(businessId, id, part, changeOf(part))
    return settingsBody(await inWireNames(work), domain)
  },
)

export const updateResources = on.patch(
  '/service/:connector/device2/resources',
  'Define or remove some resources of a connector; the others stay.',
  () => ({
    body: resourcesSchema,
    ...shows('All resources.', resources),
    refuses: ['not_found'],
    example: { request: { level: { format: 'number' }, valve: null } },
  }),
  async ({ domain, provisioning: { connectors } }, { businessId, params, body }) => {
    const part = { resources: body }
    const work = connectors.patch(businessId, params.connector, part)
    return settingsBody(await inWireNames(work), domain).resources
  },
)

/** Listeners name their port also if it is that of their scheme. */
function portOf(url: string): string {
  return url.slice(url.lastIndexOf(':') + 1)
}
