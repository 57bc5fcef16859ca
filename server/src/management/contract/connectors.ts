import { Nullable, StrictObject, Type } from '../../kernel/index.ts'
import { resourcesSchema } from '../../provisioning/index.ts'
import { component, connectorParams, json, nothing } from './common.ts'
import { contract } from './contract.ts'
import {
  connectorSchema,
  createChangeSchema,
  createImportSchema,
  createNewConnectorSchema,
  resources,
  shownFields,
} from './schemas/connector.ts'
import { confirm } from './schemas/dependants.ts'

const example = { name: 'Pumps', protocol: { devmode: true } }

export const listConnectors = contract(
  {
    id: 'listConnectors',
    method: 'GET',
    path: '/api:1/connectors',
    permission: 'Setup',
    tag: 'connectors',
    summary: 'List the connectors of the business, oldest first.',
  },
  () => ({
    answers: {
      200: json('The connectors.', StrictObject({ connectors: Type.Array(connectorSchema) })),
    },
  }),
)

export const createConnector = contract(
  {
    id: 'createConnector',
    method: 'POST',
    path: '/api:1/connectors',
    permission: 'Setup',
    tag: 'connectors',
    summary: 'Create a connector.',
    description: '`name` is needed; `id`, the first label of its host, may be chosen.',
  },
  () => ({
    body: createNewConnectorSchema(),
    answers: { 201: json('The settings.', connectorSchema) },
    refuses: ['already_exists'],
    example: { request: example },
  }),
)

export const importConnector = contract(
  {
    id: 'importConnector',
    method: 'POST',
    path: '/api:1/connectors/import',
    permission: 'Setup',
    tag: 'connectors',
    summary: 'Create a connector from a definition that another platform exported.',
  },
  () => ({
    body: createImportSchema(),
    answers: {
      201: json(
        'The settings, and the fields of the definition that have no meaning here.',
        StrictObject({ ...shownFields, dropped: Type.Array(Type.String()) }),
      ),
    },
    refuses: ['already_exists'],
    example: { request: { name: 'Pumps', resources: { level: { format: 'float' } } } },
  }),
)

const confirmation = StrictObject({
  cascade: Type.Optional(
    Type.Boolean({ description: 'All that depends on it is deleted too, or does without it.' }),
  ),
  confirm,
})

const deletion = {
  method: 'DELETE',
  permission: 'Setup',
  tag: 'connectors',
  summary: 'Delete a connector with its settings, contents, values and credentials.',
  description:
    'Refused with `connector_in_use`, which names them, if devices, contents, services of ' +
    'solutions, assets or signals depend on it, unless `confirm` or `cascade` is given.',
} as const

const deletionDetails = () =>
  ({
    params: connectorParams,
    query: confirmation,
    answers: { 204: nothing('It is deleted.') },
    refuses: ['not_found', 'connector_in_use'],
  }) as const

export const deleteConnector = contract(
  { ...deletion, id: 'deleteConnector', path: '/api:1/connectors/:connector' },
  deletionDetails,
)

export const deleteConnectorService = contract(
  { ...deletion, id: 'deleteConnectorService', path: '/api:1/service/:connector/device2' },
  deletionDetails,
)

export const getConnector = contract(
  {
    id: 'getConnector',
    method: 'GET',
    path: '/api:1/service/:connector/device2',
    permission: 'Setup',
    tag: 'connectors',
    summary: 'Show the settings of a connector.',
  },
  () => ({
    params: connectorParams,
    answers: { 200: json('The settings.', connectorSchema) },
    refuses: ['not_found'],
  }),
)

const address = (description: string) => Type.String({ description })

export const getDeviceAddresses = contract(
  {
    id: 'getDeviceAddresses',
    method: 'GET',
    path: '/api:1/service/:connector/device2/addresses',
    permission: 'Setup',
    tag: 'connectors',
    summary: 'Show the addresses that the devices of a connector call.',
    description:
      'Each has the host of the connector and the port on which the instance listens. What is in ' +
      'front of the instance may give devices another port.',
  },
  () => ({
    params: connectorParams,
    answers: {
      200: json(
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
    },
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
)

export const updateConnector = contract(
  {
    id: 'updateConnector',
    method: 'PATCH',
    path: '/api:1/service/:connector/device2',
    permission: 'Setup',
    tag: 'connectors',
    summary: 'Change the settings that the body names.',
    description:
      'A map of `resources` replaces all of them; one with a null in it changes only those named.',
  },
  () => ({
    params: connectorParams,
    body: createChangeSchema(),
    answers: { 200: json('The settings.', connectorSchema) },
    refuses: ['not_found'],
    example: { request: example },
  }),
)

export const updateResources = contract(
  {
    id: 'updateResources',
    method: 'PATCH',
    path: '/api:1/service/:connector/device2/resources',
    permission: 'Setup',
    tag: 'connectors',
    summary: 'Define or remove some resources of a connector; the others stay.',
  },
  () => ({
    params: connectorParams,
    body: resourcesSchema,
    answers: { 200: json('All resources.', resources) },
    refuses: ['not_found'],
    example: { request: { level: { format: 'number' }, valve: null } },
  }),
)
