import {
  AnyValue,
  createSettingsParser,
  invalidField,
  limits,
  Nullable,
  omitUndefined,
  StrictObject,
  Text,
  Type,
} from '../../kernel/index.ts'
import { createPkiSchema, noPki, type Pki, parsePki, type Seal } from '../certificates/pki.ts'
import { type AuthType, authTypes } from '../credentials/auth-type.ts'
import {
  anyIdentity,
  type IdentityFormat,
  identityFormatSchema,
  parseIdentityFormat,
} from '../identities/identity-format.ts'
import {
  onOrder,
  parseReprovision,
  type Reprovision,
  reprovisionSchema,
} from '../rotation/reprovision.ts'
import { parseResources, type Resources, resourcesSchema } from '../values/resource.ts'
import {
  anywhere,
  createIpRestrictionSchema,
  type IpRestriction,
  parseIpRestriction,
} from './ip-restriction.ts'

export const protocolNames = ['http', 'onep', 'onep:v1/http', 'mqtt', 'murano:v1/mqtt'] as const
export type ProtocolName = (typeof protocolNames)[number]

/** The settings of one kind of device, with a host of its own. */
export type Connector = Settings & {
  /** Also the label of its host. */
  readonly id: string
  readonly businessId: string
}

export type Settings = {
  readonly name: string
  readonly description: string
  /** The name of its protocol; it answers HTTP and MQTT whatever this is. */
  readonly protocolName: ProtocolName
  /** The method by which new devices authenticate; those that are provisioned keep theirs. */
  readonly authType: AuthType
  /** True if credentials may cross a connection that is not encrypted. */
  readonly devmode: boolean
  /** True if devices may be activated. */
  readonly enabled: boolean
  readonly identityFormat: IdentityFormat
  /** True if a device that nobody whitelisted may activate itself. */
  readonly selfRegistration: boolean
  /** Kept for tools of the field, without effect. */
  readonly presenterIdentity: boolean
  /** The largest number of identities, however they came. */
  readonly identitiesMax: number
  /** The largest number of self-registrations from one address in a minute. */
  readonly registrationsPerMinute: number
  /** From where devices may be provisioned. */
  readonly ipRestriction: IpRestriction
  readonly pki: Pki
  /** The rules for provisioning devices again. */
  readonly reprovision: Reprovision
  readonly resources: Resources
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

export const protocolNameSchema = Type.Enum([...protocolNames], {
  component: 'ProtocolName',
  description: 'Kept for tools; HTTP and MQTT are served.',
})

export const connectorAuthTypeSchema = Type.Enum([...authTypes], {
  component: 'ConnectorAuthType',
  description: 'How new devices authenticate.',
})

function createScalars() {
  const count = (description: string, maximum: number) =>
    Type.Optional(Type.Integer({ description, minimum: 1, maximum }))
  return {
    name: Type.Optional(
      Text({ description: 'Required when created.', minLength: 1, maxLength: limits.nameCharsMax }),
    ),
    description: Type.Optional(Text({ maxLength: limits.settingCharsMax })),
    protocolName: Type.Optional(protocolNameSchema),
    authType: Type.Optional(connectorAuthTypeSchema),
    devmode: Type.Optional(
      Type.Boolean({ description: 'True if connections need not be encrypted.' }),
    ),
    enabled: Type.Optional(Type.Boolean({ description: 'True if devices may be activated.' })),
    selfRegistration: Type.Optional(
      Type.Boolean({ description: 'True if devices need not be whitelisted.' }),
    ),
    presenterIdentity: Type.Optional(Nullable(Type.Boolean(), { description: 'Without effect.' })),
    identitiesMax: count('The most identities.', limits.connectorIdentitiesMax),
    registrationsPerMinute: count(
      'The most self-registrations from one address.',
      limits.registrationsPerMinuteMax,
    ),
  }
}

/** The settings with all their parts, for the reference. Every field may be left out. */
export function createSettingsSchema() {
  return StrictObject({
    ...createScalars(),
    identityFormat: Type.Optional(identityFormatSchema),
    ipRestriction: Type.Optional(createIpRestrictionSchema()),
    pki: Type.Optional(createPkiSchema()),
    reprovision: Type.Optional(reprovisionSchema),
    resources: Type.Optional(resourcesSchema),
  })
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
