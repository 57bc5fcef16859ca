import { Fault, isJsonObject, omitUndefined } from '../../kernel/index.ts'
import type { Connector, Resource, SettingsInput } from '../../provisioning/index.ts'
import { bodyObject, type Fields, fieldsOf, onlyDefault } from './fields.ts'

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

const settingFields = [
  'name',
  'description',
  'fqdn',
  'protocol',
  'identity_format',
  'provisioning',
  'resources',
]

/**
 * The part of the settings that a body names. Shapes and names are turned here; the fields
 * themselves are checked by provisioning.
 * @throws Fault malformed_request, invalid_argument
 */
export function parseSettingsBody(body: unknown, fqdn: string | undefined): SettingsInput {
  const input = fieldsOf('body', bodyObject(body), settingFields)
  const protocol = fieldsOf('protocol', input.protocol, ['name', 'devmode'])
  onlyDefault('fqdn', input.fqdn, fqdn)
  return omitUndefined({
    name: input.name,
    description: input.description,
    protocolName: protocol.name,
    devmode: protocol.devmode,
    identityFormat: parseFormat(input.identity_format),
    ...parseProvisioning(input.provisioning),
    resources: input.resources,
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
export function parseConnectorBody(body: unknown): SettingsInput & { readonly id?: unknown } {
  const { id, ...settings } = bodyObject(body)
  return omitUndefined({ id, ...parseSettingsBody(settings, undefined) })
}

function parseFormat(value: unknown): Fields | undefined {
  if (value === undefined) return undefined
  const { prefix, type, options } = fieldsOf('identity_format', value, [
    'prefix',
    'type',
    'options',
  ])
  const { casing, length } = fieldsOf('identity_format.options', options, ['casing', 'length'])
  return omitUndefined({ prefix, type, casing, length })
}

const provisioningFields = [
  'auth_type',
  'enabled',
  'generate_identity',
  'identities_max',
  'registrations_per_minute',
  'presenter_identity',
  'ip_whitelisting',
  'pki',
  'reprovision',
]

function parseProvisioning(value: unknown): SettingsInput {
  const part = fieldsOf('provisioning', value, provisioningFields)
  return {
    authType: part.auth_type,
    enabled: part.enabled,
    selfRegistration: part.generate_identity,
    presenterIdentity: part.presenter_identity,
    identitiesMax: part.identities_max,
    registrationsPerMinute: part.registrations_per_minute,
    ipRestriction: part.ip_whitelisting,
    pki: parsePki(part.pki),
    reprovision: part.reprovision,
  }
}

/** `api_key` is only ever sent. `api_key_set` is only ever shown; sent back it says nothing. */
function parsePki(value: unknown): Fields | undefined {
  if (value === undefined) return undefined
  const name = 'provisioning.pki'
  const part = fieldsOf(name, value, ['enabled', 'ca', 'vendor', 'vendor_options'])
  const { enabled, ca, vendor } = part
  if (part.vendor_options === undefined) return omitUndefined({ enabled, caPem: ca, vendor })
  const known = ['profile', 'api_key', 'api_key_set', 'validity_months', 'url']
  const options = fieldsOf(`${name}.vendor_options`, part.vendor_options, known)
  const { profile, api_key: apiKey, validity_months: validityMonths, url } = options
  const vendorOptions = omitUndefined({ profile, apiKey, validityMonths, url })
  return omitUndefined({ enabled, caPem: ca, vendor, vendorOptions })
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
