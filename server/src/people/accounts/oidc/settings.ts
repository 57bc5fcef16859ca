import {
  type Clock,
  Fault,
  invalidField,
  isLoopbackHost,
} from '../../../foundation/kernel/index.ts'
import type { Changes } from '../../../log/changes/index.ts'
import { requireWhole } from '../../groups/index.ts'
import { parseName } from '../parse.ts'
import { type Requester, type Rights, toPrincipal } from '../rights.ts'
import type { NewOidcSettings, OidcSettings } from '../schema.ts'
import type { SealedSecrets } from '../sign-in/totp.ts'
import type { Store } from '../store/store.ts'

/** The address of a sign-in provider. */
const oidcUrlCharsMax = 1_000
/** The secret of the instance at a sign-in provider. */
const oidcSecretCharsMax = 1_000
/** Domains of e-mail addresses that may sign in at a business's provider. */
const oidcDomainsMax = 50

export type OidcSettingsApi = {
  /** Faults: not_found, forbidden for who sees a part of the business. */
  oidcSettings(by: Requester): Promise<OidcSettings>
  /**
   * The provider says who signs in. Faults: invalid_argument, forbidden for who has less than any
   * role of the business.
   */
  setOidc(by: Requester, settings: NewOidcSettings): Promise<OidcSettings>
  /** Faults: not_found, forbidden. */
  removeOidc(by: Requester): Promise<void>
}

export type OidcSettingsOptions = {
  readonly store: Store
  readonly rights: Rights
  readonly secrets: SealedSecrets
  readonly clock: Clock
  readonly changes: Changes
}

const domainShape = /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/
const about = 'The sign-in provider'

export function createOidcSettings(
  options: OidcSettingsOptions,
  redirectUri: string,
): OidcSettingsApi {
  const { store, rights, secrets, clock, changes } = options
  return {
    async oidcSettings(by) {
      const principal = toPrincipal(by)
      requireWhole(principal.view, about)
      const stored = await store.provider(principal.businessId)
      if (stored === undefined) throw absent()
      const { businessId: _, sealedSecret: __, ...settings } = stored
      return { ...settings, redirectUri }
    },
    setOidc: changes.publishing('accounts', async (by, wanted) => {
      const principal = toPrincipal(by)
      const { businessId } = principal
      await rights.requireEveryRole(principal, about)
      const settings = parseSettings(wanted)
      const { createsRole } = settings
      if (createsRole !== null) await rights.requireRole(principal, createsRole)
      const before = await store.provider(businessId)
      const { secret } = wanted
      if (secret === undefined && before?.issuer !== settings.issuer) {
        throw invalidField(
          'secret',
          'is missing: a new issuer does not get the secret of the former one',
        )
      }
      const sealedSecret =
        secret === undefined
          ? (before?.sealedSecret ?? '')
          : secrets.seal(parseSecret(secret), secretContext(businessId))
      await store.putProvider({ businessId, sealedSecret, ...settings }, clock.nowMs())
      return { ...settings, redirectUri }
    }),
    removeOidc: changes.publishing('accounts', async (by) => {
      const principal = toPrincipal(by)
      requireWhole(principal.view, about)
      if ((await store.removeProvider(principal.businessId)) > 0) return
      throw absent()
    }),
  }
}

/** Under which the secret of a business's client is sealed. */
export function secretContext(businessId: string): string {
  return `oidc/${businessId}`
}

function absent(): Fault {
  return new Fault('not_found', 'The business has no sign-in provider.')
}

function parseSettings({ label, issuer, clientId, domains, ...rest }: NewOidcSettings) {
  const url = URL.parse(issuer)
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  if (url === null || !isSafe || issuer.length > oidcUrlCharsMax) {
    throw invalidField('issuer', 'is a URL https://…')
  }
  const lower = [...new Set(domains.map((domain) => domain.trim().toLowerCase()))]
  if (lower.length === 0 || lower.length > oidcDomainsMax) {
    throw invalidField('domains', `are 1 to ${oidcDomainsMax}`)
  }
  if (!lower.every((domain) => domainShape.test(domain))) {
    throw invalidField('domains', 'must be domains such as example.com')
  }
  const parsed = { label: parseName(label), clientId: parseName(clientId) }
  return { ...parsed, issuer, domains: lower, createsRole: rest.createsRole ?? null }
}

function parseSecret(secret: string): string {
  const max = oidcSecretCharsMax
  if (secret.length > 0 && secret.length <= max) return secret
  throw invalidField('secret', `has 1 to ${max} characters`)
}
