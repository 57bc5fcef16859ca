import {
  connectorSchema,
  connectorWireNames,
  createConnectorChangeSchema,
  createDefinitionSchema,
  createNewConnectorSchema,
  deviceAddressesSchema,
  formatFqdn,
  parseDefinition,
  readDeviceAddresses,
  resourceChange,
  resourcesInputSchema,
  resourcesSchema,
  shownConnector,
} from '../../../devices/provisioning/index.ts'
import { type Fields, invalidField, StrictObject, Type } from '../../../foundation/kernel/index.ts'
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

export const getDeviceAddresses = on.get(
  '/service/:connector/device2/addresses',
  'Show the addresses that the devices of a connector call.',
  () => ({
    description:
      'Each has the host of the connector and the port on which the instance listens. What is in ' +
      'front of the instance may give devices another port.',
    ...shows('The addresses.', deviceAddressesSchema),
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
    return readDeviceAddresses(await listeners, id, domain)
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
