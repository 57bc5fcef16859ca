import type { Connector, SettingsPart } from '../api/connectors.ts'

type Format = Connector['identity_format']
type Provisioning = Connector['provisioning']

/** A connector's settings as a form holds them. */
export type SettingsDraft = {
  readonly name: string
  readonly description: string
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
}

export function draftOf(connector: Connector): SettingsDraft {
  const { name, description, protocol, identity_format: format, provisioning } = connector
  const { length } = format.options
  return {
    name,
    description,
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
  }
}

/**
 * The settings that a draft changes, and no others: what somebody else changed meanwhile stays.
 * @returns undefined where it changes nothing.
 */
export function changedPart(before: SettingsDraft, after: SettingsDraft): SettingsPart | undefined {
  const to = <Name extends keyof SettingsDraft>(name: Name): SettingsDraft[Name] | undefined =>
    before[name] === after[name] ? undefined : after[name]
  const length = to('length')
  const allowed = to('allowed')
  const identities = to('identitiesMax')
  const registrations = to('registrationsPerMinute')
  const part = said({
    name: to('name'),
    description: to('description'),
    protocol: said({ devmode: to('devmode') }),
    identity_format: said({
      prefix: to('prefix'),
      type: to('identityType'),
      options: said({
        casing: to('casing'),
        length: length === undefined ? undefined : parseLength(length),
      }),
    }),
    provisioning: said({
      auth_type: to('authType'),
      enabled: to('enabled'),
      generate_identity: to('selfRegistration'),
      ip_whitelisting: said({
        enabled: to('isRestricted'),
        allowed: allowed === undefined ? undefined : linesOf(allowed),
      }),
      reprovision: said({ policy: to('reprovision'), data: to('reprovisionData') }),
      identities_max: identities === undefined ? undefined : parseNumber(identities),
      registrations_per_minute:
        registrations === undefined ? undefined : parseNumber(registrations),
    }),
  })
  return part as SettingsPart | undefined
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
