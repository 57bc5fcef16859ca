import type { Database } from '../../../foundation/database/index.ts'
import {
  type Clock,
  Fault,
  hashToken,
  limits,
  newToken,
  parseOwnJson,
  type Random,
} from '../../../foundation/kernel/index.ts'
import type { CountAnonymous } from '../anonymous-count.ts'
import type { AuditNote } from '../audit.ts'
import { insertUser, type PrepareUser } from '../new-user.ts'
import { emailKey, isPlain, isToken } from '../parse.ts'
import type { QuotaGuard } from '../quotas/quotas.ts'
import type { Business, OfferedProvider, SignedIn } from '../schema.ts'
import type { createSessions } from '../sign-in/sessions.ts'
import type { SignInFrom } from '../sign-in/sign-in.ts'
import type { SealedSecrets } from '../sign-in/totp.ts'
import type { StoredProvider } from '../store/oidc.ts'
import type { Store } from '../store/store.ts'
import type { PasswordRow } from '../store/users.ts'
import {
  type Checks,
  createOidcClient,
  type OidcClientOptions,
  type SignInProvider,
} from './client.ts'
import {
  createOidcSettings,
  type OidcSettingsApi,
  type OidcSettingsOptions,
  secretContext,
} from './settings.ts'

/** Sign-ins of one business that are at the provider; past it 503. */
const oidcSignInsMax = 1_000

/**
 * The page on which a browser signs in; `browser` is a secret that it keeps until it comes back.
 */
export type Departure = { readonly url: string; readonly browser: string }

/** Signing in at the OpenID Connect provider of a business. */
export type Oidc = {
  /** The address of this instance that a provider must allow. */
  readonly oidcRedirectUri: string
  /**
   * The provider of a business, by its id or name; without one, of the only business. Undefined: it
   * has none.
   */
  findOidc(business: string | undefined, address?: string): Promise<OfferedProvider | undefined>
  /** Faults: not_found, oidc_failed, overloaded, address_refused. */
  leaveForOidc(businessId: string, address?: string): Promise<Departure>
  /**
   * Ends what was begun, by the address with which the browser came back. Returns a code by which
   * the page takes the session, once.
   * Faults: not_found (another browser, too late, or again), forbidden (no such user), oidc_failed.
   */
  returnFromOidc(search: string, browser: string, from?: SignInFrom): Promise<string>
  /** Faults: unknown_credential. */
  takeOidcSession(code: string, from?: SignInFrom): Promise<SignedIn & { readonly email: string }>
}

export type OidcOptions = OidcClientOptions & {
  readonly database: Database
  readonly store: Store
  readonly sessions: Pick<ReturnType<typeof createSessions>, 'open'>
  readonly prepareUser: PrepareUser
  readonly quotas: Pick<QuotaGuard, 'require'>
  readonly secrets: SealedSecrets
  readonly note: AuditNote
  readonly countAnonymous: CountAnonymous
  readonly publicUrl: string
  readonly clock: Clock
  readonly random: Random
}

const oidcPath = '/api:1/oidc'
const minuteMs = 60_000

export function createOidc(options: OidcOptions & OidcSettingsOptions): Oidc & OidcSettingsApi {
  const redirectUri = `${options.publicUrl}${oidcPath}/callback`
  const travels = createTravels(options, redirectUri)
  const session = { takeOidcSession: takesSession(options), oidcRedirectUri: redirectUri }
  return { ...createOidcSettings(options, redirectUri), ...travels, ...session }
}

/** The business of an id or a name; without one, the only one. */
async function businessNamed(store: Store, name?: string): Promise<Business | undefined> {
  if (name !== undefined) return isPlain(name) ? store.businessNamed(name) : undefined
  const [only, ...others] = await store.businesses(2)
  return others.length === 0 ? only : undefined
}

/** Leaving for a provider, and coming back. */
function createTravels(options: OidcOptions & OidcSettingsOptions, redirectUri: string) {
  const { store, secrets, clock, random, countAnonymous } = options
  const client = createOidcClient(options)
  const match = matching(options)

  async function loadProvider(businessId: string): Promise<StoredProvider & SignInProvider> {
    const stored = isPlain(businessId) ? await store.provider(businessId) : undefined
    if (stored === undefined) throw new Fault('not_found', 'There is no sign-in provider.')
    const secret = secrets.open(stored.sealedSecret, secretContext(businessId))
    return { ...stored, secret }
  }

  /** The checks of a sign-in that has come back in the browser in which it left. */
  async function findChecks(state: string, browser: string) {
    const stateHash = hashToken(state)
    const left = isToken(state) ? await store.signInOfState(stateHash) : undefined
    const isSame = left !== undefined && left.browserHash === hashToken(browser)
    if (!isSame || left.expiresAt <= clock.nowMs()) {
      throw new Fault('not_found', 'The sign-in has expired: begin again.')
    }
    const { nonce, verifier } = parseOwnJson<Checks>(secrets.open(left.sealedChecks, stateHash))
    return { stateHash, businessId: left.businessId, checks: { state, nonce, verifier } }
  }

  return {
    async findOidc(business: string | undefined, address?: string) {
      countAnonymous('findOidc', address)
      const found = await businessNamed(store, business)
      const provider = found && (await store.provider(found.id))
      return provider && { label: provider.label, url: `${oidcPath}/${provider.businessId}/start` }
    },
    async leaveForOidc(businessId: string, address?: string) {
      countAnonymous('leaveForOidc', address)
      const provider = await loadProvider(businessId)
      const state = newToken(random)
      const browser = newToken(random)
      // A verifier has at least 43 characters (RFC 7636).
      const verifier = `${newToken(random)}${newToken(random)}`
      const checks = { state, nonce: newToken(random), verifier }
      const stateHash = hashToken(state)
      const sealedChecks = secrets.seal(JSON.stringify(checks), stateHash)
      const now = clock.nowMs()
      await store.removeOldSignIns(now)
      const expiresAt = now + limits.oidcSignInMinutes * minuteMs
      const left = { businessId, browserHash: hashToken(browser), sealedChecks, expiresAt }
      const added = await store.addSignIn(stateHash, left, oidcSignInsMax)
      // Only a sign-in that has a place calls the provider.
      if (added > 0) return { url: await client.leave(provider, checks, redirectUri), browser }
      const retry = { retryAfterS: limits.retryAfterS }
      throw new Fault('overloaded', 'Too many sign-ins are in progress.', retry)
    },
    async returnFromOidc(search: string, browser: string, from: SignInFrom = {}) {
      countAnonymous('returnFromOidc', from.address)
      const url = new URL(`${redirectUri}${search}`)
      const state = url.searchParams.get('state') ?? ''
      const { stateHash, businessId, checks } = await findChecks(state, browser)
      const provider = await loadProvider(businessId)
      const { email, isVerified } = await client.identify(provider, checks, url)
      const key = emailKey(email)
      if (key === undefined || !isVerified || !isOfDomains(key, provider.domains)) {
        throw new Fault('forbidden', 'The provider confirms no e-mail address of the business.')
      }
      await match(provider, email, key, from)
      const code = newToken(random)
      if ((await store.endSignIn(stateHash, key, hashToken(code))) > 0) return code
      throw new Fault('not_found', 'The sign-in has expired: begin again.')
    },
  } satisfies Partial<Oidc>
}

function takesSession(options: OidcOptions): Oidc['takeOidcSession'] {
  const { store, sessions, note, clock, countAnonymous } = options
  return async (code, from = {}) => {
    countAnonymous('takeOidcSession', from.address)
    const taken = isToken(code) ? await store.takeSignIn(hashToken(code)) : undefined
    const user = taken && (await store.credentials(taken.emailKey))
    const isValid = taken !== undefined && taken.expiresAt > clock.nowMs()
    if (!isValid || user?.businessId !== taken.businessId) throw new Fault('unknown_credential')
    const by = toSubject(user, from)
    const { source = 'management' } = from
    return note({ by, source, action: 'signIn', target: user.email }, async () => {
      const session = await sessions.open(user, { ...from, method: 'oidc' })
      return { ...session, email: user.email }
    })
  }
}

/** Finds the user of a verified e-mail address: an existing one, an invited one, or a new one. */
function matching(options: OidcOptions & OidcSettingsOptions) {
  const { database, store, prepareUser, quotas, note, clock, random, changes } = options
  return async (provider: StoredProvider, email: string, key: string, from: SignInFrom) => {
    const { businessId, createsRole } = provider
    const user = await store.credentials(key)
    if (user?.businessId === businessId) return
    const invitation = await store.invitationTo(businessId, key, clock.nowMs())
    const role = invitation?.role ?? createsRole
    const isRole = role !== null && (await store.role(businessId, role)) !== undefined
    // The address may be that of a user of another business, which is not revealed.
    if (user !== undefined || !isRole) {
      throw new Fault('forbidden', 'No user has that e-mail address.')
    }
    // The password is unknown to everybody: such a user signs in at the provider, or sets one by a
    // link.
    const prepared = await prepareUser({ email, role, password: newToken(random) })
    const by = toSubject({ businessId, userId: prepared.id }, from)
    const action = invitation === undefined ? 'createUser' : 'acceptInvitation'
    await note({ by, source: from.source ?? 'management', action, target: email }, () =>
      database.transaction(async (transaction) => {
        const hash = invitation?.tokenHash
        const taken = hash && (await store.takeInvitation(transaction, hash))
        // Meanwhile it was revoked, or somebody has accepted it.
        if (invitation !== undefined && !taken) throw new Fault('not_found', 'Begin again.')
        const groups = invitation?.groups ?? null
        changes.publish(transaction, businessId, 'accounts')
        return insertUser(store, transaction, businessId, { ...prepared, groups }, quotas)
      }),
    )
  }
}

function toSubject(
  { businessId, userId }: Pick<PasswordRow, 'businessId' | 'userId'>,
  { address }: SignInFrom,
) {
  return { businessId, subject: `user:${userId}`, ...(address !== undefined && { address }) }
}

function isOfDomains(key: string, domains: readonly string[]): boolean {
  return domains.includes(key.slice(key.lastIndexOf('@') + 1))
}
