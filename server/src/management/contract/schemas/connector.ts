import {
  AnyValue,
  component,
  Nullable,
  RecordOf,
  type Static,
  StrictObject,
  Type,
} from '../../../kernel/index.ts'
import {
  connectorAuthTypeSchema,
  createSettingsSchema,
  identityCasingSchema,
  identityTypeSchema,
  protocolNameSchema,
  reprovisionDataSchema,
  reprovisionPolicySchema,
  resourceFormatSchema,
} from '../../../provisioning/index.ts'

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
  format: resourceFormatSchema,
  unit: Type.Optional(Type.String()),
  allowed: Type.Array(Type.String(), {
    description: 'Literals, and for numbers ranges such as `9-11`; empty: all.',
  }),
  settable: Type.Boolean({ description: 'True if the cloud may set it.' }),
  initial: Type.Optional(Type.String({ description: 'The first value of a new device.' })),
  sync: Type.Optional(Type.Boolean()),
})

export const resources = RecordOf(resource, { description: 'The resources by alias.' })

export const shownFields = {
  id: Type.String({ description: 'Also the first label of its host.' }),
  name: Type.String(),
  description: Type.String(),
  fqdn: Type.String({ description: 'Its host.' }),
  protocol: StrictObject({ name: protocolNameSchema, devmode: Type.Boolean() }),
  identity_format: StrictObject({
    prefix: Type.String(),
    type: identityTypeSchema,
    options: StrictObject({ casing: identityCasingSchema, length: Nullable(Type.Integer()) }),
  }),
  provisioning: StrictObject({
    auth_type: connectorAuthTypeSchema,
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
      policy: reprovisionPolicySchema,
      data: reprovisionDataSchema,
    }),
  }),
  resources,
}

export const connectorSchema = component('Connector', shownFields, {
  description: 'The settings of a connector.',
})

const newId = Type.Optional(
  AnyValue<unknown>({ description: 'Lower-case letters, digits and inner dashes.' }),
)

/** The settings of a new connector. */
export function createNewConnectorSchema() {
  return component('NewConnector', { id: newId, ...createChangeFields() })
}

/** The settings that a change names. */
export function createChangeSchema() {
  return component('ConnectorChange', createChangeFields())
}

export type ConnectorChange = Static<ReturnType<typeof createChangeSchema>>

const importedRule = 'must be an object, or a list of resources with their alias'

/** The document of the last release lets a resource of a list be without its alias. */
const namedResource = Type.Refine(
  Type.Object({ alias: Type.Optional(Type.String()) }),
  ({ alias }) => alias !== undefined,
  () => importedRule,
)

/** The settings as the other platform has them, and its fields that mean nothing here. */
export function createImportSchema() {
  const { protocol, ...fields } = createChangeFields()
  const ignored = Type.Optional(AnyValue<unknown>({ description: 'Without meaning here.' }))
  return component(
    'ImportedConnector',
    {
      id: newId,
      ...fields,
      fqdn: ignored,
      protocol: Type.Optional(StrictObject({ ...protocol.properties, port: ignored })),
      resources: Type.Optional(
        Type.Union([RecordOf(AnyValue<unknown>()), Type.Array(namedResource)], {
          description: 'By alias, or a list; the formats `float` and `integer` are numbers.',
          rule: importedRule,
        }),
      ),
      tags_schema: ignored,
    },
    { description: 'The definition of a product, as it was exported.' },
  )
}

export type ConnectorImport = Static<ReturnType<typeof createImportSchema>>
