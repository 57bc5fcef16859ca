import {
  AnyValue,
  component,
  createSettingsParser,
  invalidField,
  isJsonObject,
  limits,
  Nullable,
  omitUndefined,
  RecordOf,
  type StaticResult,
  StrictObject,
  Text,
  Type,
} from '../../../foundation/kernel/index.ts'
import {
  createPkiInputSchema,
  noPki,
  type Pki,
  parsePki,
  pkiSchema,
  type Seal,
  shownPki,
} from '../certificates/pki.ts'
import { authTypes } from '../credentials/auth-type.ts'
import {
  anyIdentity,
  identityFormatInputSchema,
  identityFormatSchema,
  parseIdentityFormat,
} from '../identities/identity-format.ts'
import { provisioningLimits } from '../limits.ts'
import {
  onOrder,
  parseReprovision,
  reprovisionInputSchema,
  reprovisionSchema,
} from '../rotation/reprovision.ts'
import {
  parseResources,
  type Resources,
  resourceSchema,
  resourcesInputSchema,
} from '../values/resource.ts'
import {
  anywhere,
  createIpRestrictionInputSchema,
  ipRestrictionSchema,
  parseIpRestriction,
} from './ip-restriction.ts'

export const protocolNames = ['http', 'onep', 'onep:v1/http', 'mqtt', 'murano:v1/mqtt'] as const
export type ProtocolName = (typeof protocolNames)[number]

const protocolNameSchema = Type.Enum([...protocolNames], {
  component: 'ProtocolName',
  description: 'Kept for tools; HTTP and MQTT are served.',
})

const authTypeSchema = Type.Enum([...authTypes], {
  component: 'ConnectorAuthType',
  description: 'How new devices authenticate.',
})

/** The places of the settings that other programs know. */
export const connectorWireNames = {
  protocolName: 'protocol.name',
  devmode: 'protocol.devmode',
  authType: 'provisioning.auth_type',
  enabled: 'provisioning.enabled',
  selfRegistration: 'provisioning.generate_identity',
  identitiesMax: 'provisioning.identities_max',
  registrationsPerMinute: 'provisioning.registrations_per_minute',
  presenterIdentity: 'provisioning.presenter_identity',
  ipRestriction: 'provisioning.ip_whitelisting',
  pki: 'provisioning.pki',
  reprovision: 'provisioning.reprovision',
}

export const resourcesSchema = RecordOf(resourceSchema, { description: 'The resources by alias.' })

/** A connector as it is shown. */
export const connectorSchema = component(
  'Connector',
  {
    id: Type.String({ description: 'Also the first label of its host.' }),
    name: Type.String(),
    description: Type.String(),
    fqdn: Type.String({ description: 'Its host.' }),
    /** It answers HTTP and MQTT whatever this is. */
    protocolName: protocolNameSchema,
    /** True if credentials may cross a connection that is not encrypted. */
    devmode: Type.Boolean(),
    identityFormat: identityFormatSchema,
    /** The method of new devices; those that are provisioned keep theirs. */
    authType: authTypeSchema,
    /** True if devices may be activated. */
    enabled: Type.Boolean(),
    /** True if a device that nobody whitelisted may activate itself. */
    selfRegistration: Type.Boolean(),
    /** The largest number of identities, however they came. */
    identitiesMax: Type.Integer(),
    /** The largest number of self-registrations from one address in a minute. */
    registrationsPerMinute: Type.Integer(),
    /** Kept for tools of the field, without effect. */
    presenterIdentity: Type.Boolean(),
    /** From where devices may be provisioned. */
    ipRestriction: ipRestrictionSchema,
    pki: pkiSchema,
    /** The rules for provisioning devices again. */
    reprovision: reprovisionSchema,
    resources: resourcesSchema,
  },
  { description: 'The settings of a connector.', wireNames: connectorWireNames },
)

type Shown = StaticResult<typeof connectorSchema>

export type Settings = Omit<Shown, 'id' | 'fqdn' | 'pki' | 'resources'> & {
  readonly pki: Pki
  readonly resources: Resources
}

/** The settings of one kind of device, with a host of its own. */
export type Connector = Settings & {
  /** Also the label of its host. */
  readonly id: string
  readonly businessId: string
}

/** @param domain that of the hosts of the connectors. */
export function shownConnector(connector: Connector, domain: string) {
  return {
    ...connector,
    fqdn: formatFqdn(connector.id, domain),
    pki: shownPki(connector.pki),
    resources: Object.fromEntries(connector.resources),
  }
}

/** The host of a connector. */
export function formatFqdn(connectorId: string, domain: string): string {
  return `${connectorId}.${domain}`
}

/**
 * Settings as they come from outside; every field is checked here. `resources` is an object
 * `{<alias>: {format, unit, allowed, settable, initial, sync}}`, `null` takes an alias away.
 */
export type SettingsInput = { readonly [Field in keyof Settings]?: unknown }

export type NewConnector = SettingsInput & {
  /** Lower-case letters, digits and inner dashes, at most 63; made where it is missing. */
  readonly id?: unknown
}

export const defaultSettings = (): Settings => ({
  name: '',
  description: '',
  protocolName: 'http',
  authType: 'token',
  devmode: false,
  enabled: true,
  identityFormat: anyIdentity,
  selfRegistration: false,
  presenterIdentity: false,
  identitiesMax: limits.connectorIdentities,
  registrationsPerMinute: limits.registrationsPerMinute,
  ipRestriction: anywhere,
  pki: noPki,
  reprovision: onOrder,
  resources: new Map(),
})

/** Returns true if a connector can have the id: it is a host's label. */
export function isConnectorId(text: string): boolean {
  if (text.length > limits.hostLabelCharsMax) return false
  return /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(text)
}

const parseId = createSettingsParser(
  () => Text({ minLength: 1, maxLength: limits.hostLabelCharsMax }),
  'id',
)

/** @throws Fault `invalid_argument` where it cannot be a host's label. */
export function parseConnectorId(id: unknown): string {
  const text = parseId(id)
  if (!isConnectorId(text)) {
    throw invalidField('id', 'must be lower-case letters, digits and inner dashes')
  }
  return text
}

function createScalars() {
  const count = (description: string, maximum: number) =>
    Type.Optional(Type.Integer({ description, minimum: 1, maximum }))
  return {
    name: Type.Optional(
      Text({ description: 'Required when created.', minLength: 1, maxLength: limits.nameCharsMax }),
    ),
    description: Type.Optional(Text({ maxLength: limits.settingCharsMax })),
    protocolName: Type.Optional(protocolNameSchema),
    authType: Type.Optional(authTypeSchema),
    devmode: Type.Optional(
      Type.Boolean({ description: 'True if connections need not be encrypted.' }),
    ),
    enabled: Type.Optional(Type.Boolean({ description: 'True if devices may be activated.' })),
    selfRegistration: Type.Optional(
      Type.Boolean({ description: 'True if devices need not be whitelisted.' }),
    ),
    identitiesMax: count('The most identities.', limits.connectorIdentitiesMax),
    registrationsPerMinute: count(
      'The most self-registrations from one address.',
      provisioningLimits.registrationsPerMinuteMax,
    ),
    presenterIdentity: Type.Optional(Nullable(Type.Boolean(), { description: 'Without effect.' })),
  }
}

const newId = Type.Optional(
  AnyValue<unknown>({ description: 'Lower-case letters, digits and inner dashes.' }),
)

/** The settings that a request may name. Every field may be left out. */
function createInputFields() {
  const { name, description, protocolName, devmode, ...others } = createScalars()
  return {
    name,
    description,
    fqdn: Type.Optional(AnyValue<unknown>({ description: 'Its host; it can only be what it is.' })),
    protocolName,
    devmode,
    identityFormat: Type.Optional(identityFormatInputSchema),
    ...others,
    ipRestriction: Type.Optional(createIpRestrictionInputSchema()),
    pki: Type.Optional(createPkiInputSchema()),
    reprovision: Type.Optional(reprovisionInputSchema),
    resources: Type.Optional(resourcesInputSchema),
  }
}

/** The settings of a new connector. */
export function createNewConnectorSchema() {
  return component(
    'NewConnector',
    { id: newId, ...createInputFields() },
    { wireNames: connectorWireNames },
  )
}

/** The settings that a change names. */
export function createConnectorChangeSchema() {
  return component('ConnectorChange', createInputFields(), { wireNames: connectorWireNames })
}

const part = Type.Optional(AnyValue<unknown>())

/** Each part is checked where it is read. */
const parse = createSettingsParser(
  () =>
    StrictObject({
      ...createScalars(),
      identityFormat: part,
      ipRestriction: part,
      pki: part,
      reprovision: part,
      resources: part,
    }),
  'settings',
  '',
)

/**
 * The settings after a change; what is not named stays.
 * @param seal encrypts what must be sent on later.
 * @throws Fault `invalid_argument`, naming the field.
 */
export function parseSettings(input: SettingsInput, base: Settings, seal: Seal): Settings {
  const { identityFormat, ipRestriction, pki, reprovision, resources, ...scalars } = parse(input)
  if (scalars.name === undefined && base.name === '')
    throw invalidField('name', 'must not be empty')
  return {
    ...base,
    ...omitUndefined(scalars),
    presenterIdentity: scalars.presenterIdentity ?? base.presenterIdentity,
    identityFormat:
      identityFormat === undefined
        ? base.identityFormat
        : parseIdentityFormat(identityFormat, base.identityFormat),
    ipRestriction:
      ipRestriction === undefined
        ? base.ipRestriction
        : parseIpRestriction(ipRestriction, base.ipRestriction),
    pki: pki === undefined ? base.pki : parsePki(pki, base.pki, seal),
    reprovision:
      reprovision === undefined
        ? base.reprovision
        : parseReprovision(reprovision, base.reprovision),
    resources: resources === undefined ? base.resources : parseResources(resources, base.resources),
  }
}

/**
 * Returns how resources change: a map replaces all of them, as existing tools send it. A map with
 * a null in it removes resources by name, and changes only those that it names.
 */
export function resourceChange({ resources }: { readonly resources?: unknown }) {
  const isWhole = isJsonObject(resources) && !Object.values(resources).includes(null)
  return { resources: isWhole ? 'replaced' : 'changed' } as const
}
