import {
  Fault,
  type Fields,
  invalidField,
  isJsonObject,
  omitUndefined,
} from '../../kernel/index.ts'
import type { Connector, Resource, SettingsInput } from '../../provisioning/index.ts'
import type { ConnectorChange } from '../contract/schemas/connector.ts'

/** A connector as the wire shows it. */
export function settingsBody(connector: Connector, domain: string) {
  const { prefix, type, casing, length } = connector.identityFormat
  return {
    id: connector.id,
    name: connector.name,
    description: connector.description,
    fqdn: fqdnOf(connector.id, domain),
    protocol: { name: connector.protocolName, devmode: connector.devmode },
    identity_format: { prefix, type, options: { casing, length } },
    provisioning: {
      auth_type: connector.authType,
      enabled: connector.enabled,
      generate_identity: connector.selfRegistration,
      identities_max: connector.identitiesMax,
      registrations_per_minute: connector.registrationsPerMinute,
      presenter_identity: connector.presenterIdentity,
      ip_whitelisting: connector.ipRestriction,
      pki: pkiBody(connector.pki),
      reprovision: connector.reprovision,
    },
    resources: Object.fromEntries(
      [...connector.resources].map(([alias, resource]) => [alias, resourceBody(resource)]),
    ),
  }
}

/** An API key is never shown, only that there is one. */
function pkiBody({ enabled, caPem, vendor, vendorOptions }: Connector['pki']) {
  const { profile, apiKey, validityMonths, url } = vendorOptions
  const options = { profile, validity_months: validityMonths, url }
  return {
    enabled,
    ca: caPem,
    vendor,
    vendor_options: { ...options, api_key_set: apiKey !== null },
  }
}

export function fqdnOf(connectorId: string, domain: string): string {
  return `${connectorId}.${domain}`
}

function resourceBody({ alias: _alias, ...definition }: Resource): Omit<Resource, 'alias'> {
  return definition
}

/** Settings as a request has them; provisioning checks the resources. */
export type SettingsBody = Omit<ConnectorChange, 'resources'> & { readonly resources?: unknown }

/**
 * The part of the settings that a body names, by the names of provisioning.
 * @throws Fault invalid_argument for another host than its own.
 */
export function parseSettingsBody(body: SettingsBody, fqdn: string | undefined): SettingsInput {
  if (body.fqdn !== undefined && body.fqdn !== fqdn) {
    throw invalidField('fqdn', 'is not served by this build: it follows from the id')
  }
  const { name, description, protocol, provisioning, resources } = body
  return omitUndefined({
    name,
    description,
    protocolName: protocol?.name,
    devmode: protocol?.devmode,
    identityFormat: parseFormat(body.identity_format),
    ...parseProvisioning(provisioning ?? {}),
    resources,
  })
}

/**
 * Returns how resources change: a map replaces all of them, as existing tools send it. One with a
 * null in it removes resources by name, and changes only those that it names.
 */
export function changeOf({ resources }: SettingsInput): {
  readonly resources: 'changed' | 'replaced'
} {
  const isWhole = isJsonObject(resources) && !Object.values(resources).includes(null)
  return { resources: isWhole ? 'replaced' : 'changed' }
}

/** The same for a new connector, whose id may be chosen. */
export function parseConnectorBody({
  id,
  ...settings
}: SettingsBody & { readonly id?: unknown }): SettingsInput & { readonly id?: unknown } {
  return omitUndefined({ id, ...parseSettingsBody(settings, undefined) })
}

function parseFormat(format: SettingsBody['identity_format']): Fields | undefined {
  if (format === undefined) return undefined
  const { prefix, type, options = {} } = format
  const { casing, length } = options
  return omitUndefined({ prefix, type, casing, length })
}

function parseProvisioning(part: NonNullable<SettingsBody['provisioning']>): SettingsInput {
  return {
    authType: part.auth_type,
    enabled: part.enabled,
    selfRegistration: part.generate_identity,
    presenterIdentity: part.presenter_identity,
    identitiesMax: part.identities_max,
    registrationsPerMinute: part.registrations_per_minute,
    ipRestriction: part.ip_whitelisting,
    pki: part.pki && parsePki(part.pki),
    reprovision: part.reprovision,
  }
}

type PkiBody = NonNullable<NonNullable<SettingsBody['provisioning']>['pki']>

/** `api_key` is only ever sent; `api_key_set` is only ever shown, and is ignored if it is sent. */
function parsePki({ enabled, ca, vendor, vendor_options: options }: PkiBody): Fields {
  const pki = omitUndefined({ enabled, caPem: ca, vendor })
  if (options === undefined) return pki
  const { profile, api_key: apiKey, validity_months: validityMonths, url } = options
  const vendorOptions = omitUndefined({ profile, apiKey, validityMonths, url })
  return { ...pki, vendorOptions }
}

const wireNames: readonly (readonly [string, string])[] = [
  ['identityFormat.casing', 'identity_format.options.casing'],
  ['identityFormat.length', 'identity_format.options.length'],
  ['identityFormat', 'identity_format'],
  ['authType', 'provisioning.auth_type'],
  ['enabled', 'provisioning.enabled'],
  ['selfRegistration', 'provisioning.generate_identity'],
  ['identitiesMax', 'provisioning.identities_max'],
  ['registrationsPerMinute', 'provisioning.registrations_per_minute'],
  ['pki.caPem', 'provisioning.pki.ca'],
  ['pki.vendorOptions.apiKey', 'provisioning.pki.vendor_options.api_key'],
  ['pki.vendorOptions.validityMonths', 'provisioning.pki.vendor_options.validity_months'],
  ['pki.vendorOptions', 'provisioning.pki.vendor_options'],
  ['pki', 'provisioning.pki'],
  ['reprovision.policy', 'provisioning.reprovision.policy'],
  ['reprovision.data', 'provisioning.reprovision.data'],
  ['reprovision', 'provisioning.reprovision'],
  ['ipRestriction', 'provisioning.ip_whitelisting'],
  ['devmode', 'protocol.devmode'],
  ['protocolName', 'protocol.name'],
  ['presenterIdentity', 'provisioning.presenter_identity'],
]

/** Runs the work; a refusal that names a field names it as the wire does. */
export async function inWireNames<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'invalid_argument') throw error
    const known = wireNames.find(([name]) => new RegExp(`^${name}[. ]`).test(error.detail))
    if (known === undefined) throw error
    const [name, wireName] = known
    throw new Fault(error.code, `${wireName}${error.detail.slice(name.length)}`, { cause: error })
  }
}
