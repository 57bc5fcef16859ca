import type { Connector, SettingsPart } from '../api/connectors.ts'

type Format = Connector['identity_format']
type Provisioning = Connector['provisioning']

/** A connector's settings as a form holds them. */
export type SettingsDraft = {
  readonly name: string
  readonly description: string
  readonly protocol: Connector['protocol']['name']
  readonly devmode: boolean
  readonly enabled: boolean
  readonly selfRegistration: boolean
  readonly authType: Provisioning['auth_type']
  readonly prefix: string
  readonly identityType: Format['type']
  readonly casing: Format['options']['casing']
  /** Empty for any length. */
  readonly length: string
  readonly isRestricted: boolean
  /** An address or a range a line. */
  readonly allowed: string
  readonly reprovision: Provisioning['reprovision']['policy']
  readonly reprovisionData: Provisioning['reprovision']['data']
  /** At most so many, as typed. */
  readonly identitiesMax: string
  /** From one address, as typed. */
  readonly registrationsPerMinute: string
  readonly pki: boolean
  /** PEM. */
  readonly ca: string
  readonly vendor: Vendor
  readonly profile: string
  /** A new one; empty: it stays as it is. */
  readonly apiKey: string
  /** Empty for that of the vendor. */
  readonly validityMonths: string
  readonly vendorUrl: string
}

/** The signers of requests; empty for none. */
export const vendors = ['', 'internal', 'cfssl', 'est', 'digicert'] as const
export type Vendor = (typeof vendors)[number]

/** The field of the API that each field of the form sets, as refusals name it. */
export const settingPaths: Readonly<Record<keyof SettingsDraft, string>> = {
  name: 'name',
  description: 'description',
  protocol: 'protocol.name',
  devmode: 'protocol.devmode',
  enabled: 'provisioning.enabled',
  selfRegistration: 'provisioning.generate_identity',
  authType: 'provisioning.auth_type',
  prefix: 'identity_format.prefix',
  identityType: 'identity_format.type',
  casing: 'identity_format.options.casing',
  length: 'identity_format.options.length',
  isRestricted: 'provisioning.ip_whitelisting.enabled',
  allowed: 'provisioning.ip_whitelisting.allowed',
  reprovision: 'provisioning.reprovision.policy',
  reprovisionData: 'provisioning.reprovision.data',
  identitiesMax: 'provisioning.identities_max',
  registrationsPerMinute: 'provisioning.registrations_per_minute',
  pki: 'provisioning.pki.enabled',
  ca: 'provisioning.pki.ca',
  vendor: 'provisioning.pki.vendor',
  profile: 'provisioning.pki.vendor_options.profile',
  apiKey: 'provisioning.pki.vendor_options.api_key',
  validityMonths: 'provisioning.pki.vendor_options.validity_months',
  vendorUrl: 'provisioning.pki.vendor_options.url',
}

export function draftOf(connector: Connector): SettingsDraft {
  const { name, description, protocol, identity_format: format, provisioning } = connector
  const { length } = format.options
  const { pki } = provisioning
  const { validity_months: months, profile, url } = pki.vendor_options
  return {
    name,
    description,
    protocol: protocol.name,
    devmode: protocol.devmode,
    enabled: provisioning.enabled,
    selfRegistration: provisioning.generate_identity,
    authType: provisioning.auth_type,
    prefix: format.prefix,
    identityType: format.type,
    casing: format.options.casing,
    length: length === null ? '' : `${length}`,
    isRestricted: provisioning.ip_whitelisting.enabled,
    allowed: provisioning.ip_whitelisting.allowed.join('\n'),
    reprovision: provisioning.reprovision.policy,
    reprovisionData: provisioning.reprovision.data,
    identitiesMax: `${provisioning.identities_max}`,
    registrationsPerMinute: `${provisioning.registrations_per_minute}`,
    pki: pki.enabled,
    ca: pki.ca ?? '',
    vendor: vendors.find((one) => one === pki.vendor) ?? '',
    ...{ profile, apiKey: '', vendorUrl: url },
    validityMonths: months === null ? '' : `${months}`,
  }
}

/**
 * The settings that a draft changes, and no others: what somebody else changed meanwhile stays.
 * @returns undefined where it changes nothing.
 */
export function changedPart(before: SettingsDraft, after: SettingsDraft): SettingsPart | undefined {
  const to: Changed = (name) => (before[name] === after[name] ? undefined : after[name])
  const part = said({
    name: to('name'),
    description: to('description'),
    protocol: said({ name: to('protocol'), devmode: to('devmode') }),
    identity_format: said({
      prefix: to('prefix'),
      type: to('identityType'),
      options: said({ casing: to('casing'), length: mapped(to('length'), parseLength) }),
    }),
    provisioning: said({
      auth_type: to('authType'),
      enabled: to('enabled'),
      generate_identity: to('selfRegistration'),
      ip_whitelisting: said({
        enabled: to('isRestricted'),
        allowed: mapped(to('allowed'), linesOf),
      }),
      pki: pkiPart(to),
      reprovision: said({ policy: to('reprovision'), data: to('reprovisionData') }),
      identities_max: mapped(to('identitiesMax'), parseNumber),
      registrations_per_minute: mapped(to('registrationsPerMinute'), parseNumber),
    }),
  })
  return part as SettingsPart | undefined
}

type Changed = <Name extends keyof SettingsDraft>(name: Name) => SettingsDraft[Name] | undefined

function pkiPart(to: Changed): object | undefined {
  return said({
    enabled: to('pki'),
    ca: mapped(to('ca'), (text) => (text.trim() === '' ? null : text)),
    vendor: mapped(to('vendor'), (vendor) => (vendor === '' ? null : vendor)),
    vendor_options: said({
      profile: to('profile'),
      api_key: to('apiKey'),
      validity_months: mapped(to('validityMonths'), parseLength),
      url: to('vendorUrl'),
    }),
  })
}

function mapped<From, To>(value: From | undefined, map: (value: From) => To): To | undefined {
  return value === undefined ? undefined : map(value)
}

function parseLength(text: string): number | string | null {
  return text.trim() === '' ? null : parseNumber(text)
}

/** A text that is no number is sent as it is, and rejected by the API. */
function parseNumber(text: string): number | string {
  const trimmed = text.trim()
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed
}

/** Returns the lines of a text that are not empty. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The fields that are not empty; undefined if all are. */
function said(fields: Readonly<Record<string, unknown>>): object | undefined {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined)
  return known.length === 0 ? undefined : Object.fromEntries(known)
}
