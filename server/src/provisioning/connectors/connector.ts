import {
  booleanField,
  choiceField,
  invalidField,
  limits,
  objectField,
  textField,
  wholeField,
} from '../../kernel/index.ts'
import { noPki, type Pki, parsePki, type Seal } from '../certificates/pki.ts'
import { type AuthType, authTypes } from '../credentials/auth-type.ts'
import {
  anyIdentity,
  type IdentityFormat,
  parseIdentityFormat,
} from '../identities/identity-format.ts'
import { onOrder, parseReprovision, type Reprovision } from '../rotation/reprovision.ts'
import { parseResources, type Resources } from '../values/resource.ts'
import { anywhere, type IpRestriction, parseIpRestriction } from './ip-restriction.ts'

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

/** @throws Fault `invalid_argument` where it cannot be a host's label. */
export function parseConnectorId(id: unknown): string {
  const charsMax = limits.hostLabelCharsMax
  const text = textField('id', id, { charsMin: 1, charsMax })
  if (!isConnectorId(text)) {
    throw invalidField('id', 'must be lower-case letters, digits and inner dashes')
  }
  return text
}

/**
 * The settings after a change; what is not named stays.
 * @param seal encrypts what must be sent on later.
 * @throws Fault `invalid_argument`, naming the field.
 */
export function parseSettings(input: SettingsInput, base: Settings, seal: Seal): Settings {
  const part: SettingsInput = objectField('settings', input, Object.keys(defaultSettings()))
  const { name = base.name, description = base.description } = part
  const { devmode = base.devmode, enabled = base.enabled } = part
  const { selfRegistration = base.selfRegistration, authType = base.authType } = part
  return {
    name: textField('name', name, { charsMin: 1, charsMax: limits.nameCharsMax }),
    description: textField('description', description, { charsMax: limits.settingCharsMax }),
    protocolName:
      part.protocolName === undefined
        ? base.protocolName
        : choiceField('protocolName', part.protocolName, protocolNames),
    authType: authType === base.authType ? base.authType : parseAuthType(authType),
    devmode: booleanField('devmode', devmode),
    enabled: booleanField('enabled', enabled),
    identityFormat:
      part.identityFormat === undefined
        ? base.identityFormat
        : parseIdentityFormat(part.identityFormat, base.identityFormat),
    selfRegistration: booleanField('selfRegistration', selfRegistration),
    presenterIdentity: booleanField(
      'presenterIdentity',
      part.presenterIdentity ?? base.presenterIdentity,
    ),
    ...parseQuotas(part, base),
    ipRestriction:
      part.ipRestriction === undefined
        ? base.ipRestriction
        : parseIpRestriction(part.ipRestriction, base.ipRestriction),
    pki: part.pki === undefined ? base.pki : parsePki(part.pki, base.pki, seal),
    reprovision:
      part.reprovision === undefined
        ? base.reprovision
        : parseReprovision(part.reprovision, base.reprovision),
    resources:
      part.resources === undefined
        ? base.resources
        : parseResources(part.resources, base.resources),
  }
}

function parseQuotas(part: SettingsInput, base: Settings) {
  const { identitiesMax = base.identitiesMax } = part
  const { registrationsPerMinute = base.registrationsPerMinute } = part
  const atMost = (max: number) => ({ min: 1, max })
  return {
    identitiesMax: wholeField(
      'identitiesMax',
      identitiesMax,
      atMost(limits.connectorIdentitiesMax),
    ),
    registrationsPerMinute: wholeField(
      'registrationsPerMinute',
      registrationsPerMinute,
      atMost(limits.registrationsPerMinuteMax),
    ),
  }
}

function parseAuthType(value: unknown): AuthType {
  return choiceField('authType', value, authTypes)
}
