import { AnyValue, Nullable, RecordOf, StrictObject, Type } from '../../kernel/index.ts'
import { createSettingsSchema, resourcesSchema } from '../../provisioning/index.ts'
import { component, connectorParams, json, nothing } from './common.ts'
import { contract } from './contract.ts'

/** The settings that a request may name. The rules of each field are those of provisioning. */
function createChangeFields() {
  const settings = createSettingsSchema().properties
  const { casing, length, prefix, type } = settings.identityFormat.properties
  const { caPem, enabled, vendor, vendorOptions } = settings.pki.properties
  const { apiKey, profile, url, validityMonths } = vendorOptions.properties
  const options = StrictObject({
    profile,
    api_key: apiKey,
    api_key_set: Type.Optional(
      AnyValue<unknown>({ description: 'Shown only; it is ignored where it is sent.' }),
    ),
    validity_months: validityMonths,
    url,
  })
  const pki = StrictObject({
    enabled,
    ca: caPem,
    vendor,
    vendor_options: Type.Optional(options),
  })
  const provisioning = StrictObject({
    auth_type: settings.authType,
    enabled: settings.enabled,
    generate_identity: settings.selfRegistration,
    identities_max: settings.identitiesMax,
    registrations_per_minute: settings.registrationsPerMinute,
    presenter_identity: settings.presenterIdentity,
    ip_whitelisting: settings.ipRestriction,
    pki: Type.Optional(pki),
    reprovision: settings.reprovision,
  })
  const format = StrictObject({
    prefix,
    type,
    options: Type.Optional(StrictObject({ casing, length })),
  })
  return {
    name: settings.name,
    description: settings.description,
    fqdn: Type.Optional(AnyValue<unknown>({ description: 'Its host; it can only be what it is.' })),
    protocol: Type.Optional(
      StrictObject({ name: settings.protocolName, devmode: settings.devmode }),
    ),
    identity_format: Type.Optional(format),
    provisioning: Type.Optional(provisioning),
    resources: settings.resources,
  }
}

const resource = component('Resource', {
  format: Type.String({ description: 'The format of its values.' }),
  unit: Type.Optional(Type.String()),
  allowed: Type.Array(Type.String(), {
    description: 'Literals, and for numbers ranges such as `9-11`; empty: all.',
  }),
  settable: Type.Boolean({ description: 'True if the cloud may set it.' }),
  initial: Type.Optional(Type.String({ description: 'The first value of a new device.' })),
  sync: Type.Optional(Type.Boolean()),
})

const resources = RecordOf(resource, { description: 'The resources by alias.' })

const shownFields = {
  id: Type.String({ description: 'Also the first label of its host.' }),
  name: Type.String(),
  description: Type.String(),
  fqdn: Type.String({ description: 'Its host.' }),
  protocol: StrictObject({ name: Type.String(), devmode: Type.Boolean() }),
  identity_format: StrictObject({
    prefix: Type.String(),
    type: Type.String(),
    options: StrictObject({ casing: Type.String(), length: Nullable(Type.Integer()) }),
  }),
  provisioning: StrictObject({
    auth_type: Type.String(),
    enabled: Type.Boolean(),
    generate_identity: Type.Boolean(),
    identities_max: Type.Integer(),
    registrations_per_minute: Type.Integer(),
    presenter_identity: Type.Boolean(),
    ip_whitelisting: StrictObject({
      enabled: Type.Boolean(),
      allowed: Type.Array(Type.String()),
    }),
    pki: StrictObject({
      enabled: Type.Boolean(),
      ca: Nullable(Type.String(), { description: 'PEM.' }),
      vendor: Nullable(Type.String()),
      vendor_options: StrictObject({
        profile: Type.String(),
        validity_months: Nullable(Type.Integer()),
        url: Type.String(),
        api_key_set: Type.Boolean({ description: 'True if there is a key; it is never shown.' }),
      }),
    }),
    reprovision: StrictObject({
      policy: Type.Enum(['never', 'on_order']),
      data: Type.Enum(['keep', 'anew']),
    }),
  }),
  resources,
}

export const connectorSchema = component('Connector', shownFields, {
  description: 'The settings of a connector.',
})

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
    body: component('NewConnector', {
      id: Type.Optional(
        AnyValue<unknown>({ description: 'Lower-case letters, digits and inner dashes.' }),
      ),
      ...createChangeFields(),
    }),
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
    body: Type.Object({}, { description: 'The definition, as it was exported.' }),
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

const cascade = StrictObject({
  cascade: Type.Optional(Type.Boolean({ description: 'Its identities are deleted too.' })),
})

const deletion = {
  method: 'DELETE',
  permission: 'Setup',
  tag: 'connectors',
  summary: 'Delete a connector with its settings, contents, values and credentials.',
} as const

const deletionDetails = () =>
  ({
    params: connectorParams,
    query: cascade,
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
    body: component('ConnectorChange', createChangeFields()),
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
