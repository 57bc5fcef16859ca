import {
  AnyValue,
  createSettingsParser,
  invalidField,
  limits,
  Nullable,
  type StaticResult,
  StrictObject,
  Text,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { Secrets } from '../credentials/secrets.ts'
import { provisioningLimits } from '../limits.ts'
import { parseClientCa } from './client-ca.ts'
import { vendorNames } from './vendors/vendor.ts'

const wireNames = { caPem: 'ca' }

/** The authority and the vendor of the certificates of a connector's devices, as they are shown. */
export const pkiSchema = StrictObject(
  {
    enabled: Type.Boolean(),
    /** The one authority whose certificates are trusted. */
    caPem: Nullable(Type.String(), { description: 'PEM.' }),
    /** The signer of requests; null: devices bring certificates that the authority signed. */
    vendor: Nullable(Type.Enum([...vendorNames])),
    vendorOptions: StrictObject({
      profile: Type.String(),
      /** Null: `certificateMonthsDefault`. */
      validityMonths: Nullable(Type.Integer()),
      /** Empty: that of the vendor. */
      url: Type.String(),
      apiKeySet: Type.Boolean({ description: 'True if there is a key; it is never shown.' }),
    }),
  },
  { wireNames },
)

type Shown = StaticResult<typeof pkiSchema>

/** An API key is as `seal` made it; null: none. It leaves the module only towards the vendor. */
export type VendorOptions = Omit<Shown['vendorOptions'], 'apiKeySet'> & {
  readonly apiKey: string | null
}

export type Pki = Omit<Shown, 'vendorOptions'> & { readonly vendorOptions: VendorOptions }

export function shownPki({ vendorOptions: { apiKey, ...options }, ...pki }: Pki) {
  return { ...pki, vendorOptions: { ...options, apiKeySet: apiKey !== null } }
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

const vendorRule = `must be one of ${vendorNames.join(', ')}`

export function createPkiInputSchema() {
  const text = (description: string) =>
    Type.Optional(Nullable(Text({ maxLength: limits.settingCharsMax }), { description }))
  const vendorOptions = StrictObject({
    profile: Type.Optional(
      Nullable(Text({ maxLength: limits.nameCharsMax }), { description: 'Of the vendor.' }),
    ),
    apiKey: text('Sealed, and never shown.'),
    apiKeySet: Type.Optional(
      AnyValue<unknown>({ description: 'Shown only; it is ignored where it is sent.' }),
    ),
    validityMonths: Type.Optional(
      Nullable(Type.Integer({ minimum: 1, maximum: provisioningLimits.certificateMonthsMax }), {
        description: 'The validity of certificates; null: that of the vendor.',
      }),
    ),
    url: text('The address of the vendor; empty: the usual one.'),
  })
  return StrictObject(
    {
      enabled: Type.Optional(
        Nullable(Type.Boolean(), { description: 'True if certificates are trusted.' }),
      ),
      caPem: Type.Optional(
        Nullable(Type.String({ rule: 'must be a certificate as PEM text' }), {
          description: 'The authority that is trusted, as PEM; null for none.',
        }),
      ),
      vendor: Type.Optional(
        Nullable(Type.Enum([...vendorNames, '']), {
          description: 'The signer of requests; null or empty for none.',
          rule: vendorRule,
        }),
      ),
      vendorOptions: Type.Optional(vendorOptions),
    },
    { wireNames },
  )
}

const parse = createSettingsParser(createPkiInputSchema, 'pki')
type PkiInput = ReturnType<typeof parse>

/**
 * The settings after a change; what is not named stays.
 * @throws Fault `invalid_argument`, naming the field and its rule.
 */
export function parsePki(input: unknown, base: Pki, seal: Seal): Pki {
  const part = parse(input)
  const enabled = part.enabled ?? base.enabled
  const caPem = part.caPem === undefined ? base.caPem : parseCa(part.caPem)
  const vendor = part.vendor === undefined ? base.vendor : part.vendor || null
  if (enabled && caPem === null && vendor !== 'internal') {
    throw invalidField('pki.caPem', 'is needed while pki.enabled')
  }
  if (!enabled && vendor !== null && vendor !== base.vendor) {
    throw invalidField('pki.vendor', 'can be chosen only while pki.enabled')
  }
  const kept = vendor === base.vendor ? base.vendorOptions : noOptions
  const vendorOptions =
    part.vendorOptions === undefined ? kept : changedOptions(part.vendorOptions, kept, seal)
  refuseOptions(vendor, vendorOptions)
  return { enabled, caPem, vendor, vendorOptions }
}

function parseCa(value: unknown): string | null {
  return value === null || value === '' ? null : parseClientCa('pki.caPem', value)
}

function changedOptions(
  part: NonNullable<PkiInput['vendorOptions']>,
  base: VendorOptions,
  seal: Seal,
): VendorOptions {
  const { profile = base.profile, validityMonths = base.validityMonths, apiKey: key } = part
  const url = part.url === undefined ? base.url : parseUrl('pki.vendorOptions.url', part.url ?? '')
  // A key is sent to the place that it was given for, and to no other.
  const kept = url === base.url ? base.apiKey : null
  return {
    profile: profile ?? '',
    apiKey: key === undefined ? kept : key ? seal(key) : null,
    validityMonths,
    url,
  }
}

function parseUrl(field: string, text: string): string {
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
