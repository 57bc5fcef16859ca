import {
  booleanField,
  choiceField,
  invalidField,
  limits,
  objectField,
  textField,
  wholeField,
} from '../../kernel/index.ts'
import type { Secrets } from '../credentials/secrets.ts'
import { parseClientCa } from './client-ca.ts'
import { type CertificateVendorName, vendorNames } from './vendors/vendor.ts'

/** The authority and the vendor of the certificates of a connector's devices. */
export type Pki = {
  readonly enabled: boolean
  /** The one authority whose certificates are trusted; PEM. */
  readonly caPem: string | null
  /** The vendor that signs requests; null: devices bring certificates that the authority signed. */
  readonly vendor: CertificateVendorName | null
  readonly vendorOptions: VendorOptions
}

export type VendorOptions = {
  readonly profile: string
  /** As `seal` made it; null: none. It leaves the module only towards the vendor. */
  readonly apiKey: string | null
  /** Null: `limits.certificateMonthsDefault`. */
  readonly validityMonths: number | null
  /** The vendor's URL; empty: its default URL. */
  readonly url: string
}

const noOptions: VendorOptions = { profile: '', apiKey: null, validityMonths: null, url: '' }

export const noPki: Pki = { enabled: false, caPem: null, vendor: null, vendorOptions: noOptions }

/** Null: then only certificates that the operator gave to identities are known. */
export function trustedCa({ pki }: { readonly pki: Pki }): string | null {
  return pki.enabled ? pki.caPem : null
}

/** Encrypts a secret for storing. */
export type Seal = (text: string) => string

/** The context of an API key's encryption, so that it decrypts for its own connector alone. */
export function apiKeyContext(connectorId: string): string {
  return `connector ${connectorId} api key`
}

/** The API key of a connector as it is sent; empty where it has none. */
export function openApiKey(
  secrets: Pick<Secrets, 'open'>,
  connector: { readonly id: string; readonly pki: Pki },
): string {
  const { apiKey } = connector.pki.vendorOptions
  return apiKey === null ? '' : secrets.open(apiKey, apiKeyContext(connector.id))
}

/**
 * The settings after a change; what is not named stays.
 * @throws Fault `invalid_argument`, naming the field and its rule.
 */
export function parsePki(input: unknown, base: Pki, seal: Seal): Pki {
  const part = objectField('pki', input, Object.keys(noPki))
  const enabled = booleanField('pki.enabled', part.enabled ?? base.enabled)
  const caPem = part.caPem === undefined ? base.caPem : parseCa(part.caPem)
  const vendor = part.vendor === undefined ? base.vendor : parseVendor(part.vendor)
  if (enabled && caPem === null && vendor !== 'internal') {
    throw invalidField('pki.caPem', 'is needed while pki.enabled')
  }
  if (!enabled && vendor !== null && vendor !== base.vendor) {
    throw invalidField('pki.vendor', 'can be chosen only while pki.enabled')
  }
  const kept = vendor === base.vendor ? base.vendorOptions : noOptions
  const vendorOptions =
    part.vendorOptions === undefined ? kept : parseOptions(part.vendorOptions, kept, seal)
  refuseOptions(vendor, vendorOptions)
  return { enabled, caPem, vendor, vendorOptions }
}

function parseCa(value: unknown): string | null {
  return value === null || value === '' ? null : parseClientCa('pki.caPem', value)
}

/** Blank is no vendor. */
function parseVendor(value: unknown): CertificateVendorName | null {
  return value === null || value === '' ? null : choiceField('pki.vendor', value, vendorNames)
}

function parseOptions(input: unknown, base: VendorOptions, seal: Seal): VendorOptions {
  const name = (field: string) => `pki.vendorOptions.${field}`
  const part = objectField('pki.vendorOptions', input, Object.keys(noOptions))
  const { profile = base.profile, validityMonths = base.validityMonths } = part
  const url = part.url === undefined ? base.url : parseUrl(name('url'), part.url)
  // A key is sent to the place that it was given for, and to no other.
  const kept = url === base.url ? base.apiKey : null
  const key = part.apiKey
  return {
    profile: textField(name('profile'), profile ?? '', { charsMax: limits.nameCharsMax }),
    apiKey: key === undefined ? kept : parseApiKey(name('apiKey'), key, seal),
    validityMonths:
      validityMonths === null
        ? null
        : wholeField(name('validityMonths'), validityMonths, {
            min: 1,
            max: limits.certificateMonthsMax,
          }),
    url,
  }
}

function parseApiKey(field: string, value: unknown, seal: Seal): string | null {
  if (value === null || value === '') return null
  return seal(textField(field, value, { charsMax: limits.settingCharsMax }))
}

function parseUrl(field: string, value: unknown): string {
  const text = textField(field, value ?? '', { charsMax: limits.settingCharsMax })
  if (text === '') return ''
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw invalidField(field, 'must be an address that begins with https:// or http://')
  }
  if (url.username !== '' || url.password !== '')
    throw invalidField(field, 'must not hold a password')
  if (url.search !== '' || url.hash !== '') throw invalidField(field, 'must not hold ? or #')
  return text
}

function refuseOptions(vendor: Pki['vendor'], options: VendorOptions): void {
  const { profile, apiKey, validityMonths, url } = options
  const any = profile !== '' || apiKey !== null || validityMonths !== null || url !== ''
  if (vendor === null && any) {
    throw invalidField('pki.vendorOptions', 'belong to a vendor: choose pki.vendor')
  }
  if ((vendor === 'cfssl' || vendor === 'est') && url === '') {
    throw invalidField('pki.vendorOptions.url', `is needed by ${vendor}`)
  }
}
