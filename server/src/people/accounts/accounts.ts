import type { Database } from '../../foundation/database/index.ts'
import {
  type Clock,
  createPasswords,
  Fault,
  type Logger,
  limits,
  type Random,
} from '../../foundation/kernel/index.ts'
import type { Mail } from '../../foundation/mail/index.ts'
import type { Outbound } from '../../foundation/outbound/index.ts'
import type { Changes } from '../../log/changes/index.ts'
import { type Groups, requireWhole } from '../groups/index.ts'
import { createAnonymousCount } from './anonymous-count.ts'
import { type Audit, createAudit } from './audit.ts'
import { createBusinesses, type NewBusiness } from './businesses.ts'
import { createCaches } from './caches.ts'
import { createInvitations, type Invitations } from './invitations.ts'
import { createLinks } from './links.ts'
import { preparation } from './new-user.ts'
import { createOidc, type Oidc } from './oidc/oidc.ts'
import type { OidcSettingsApi } from './oidc/settings.ts'
import { parseAuthorization } from './parse.ts'
import { knownPermissions, type Principal, ratesOfPerson } from './permissions.ts'
import { createPreferences, type Preferences } from './preferences.ts'
import { createQuotas, type QuotaGuard } from './quotas/quotas.ts'
import { createRecovery, type Recovery } from './recovery.ts'
import { createRemoval, type PeopleRemoval } from './removal.ts'
import { createRights, type Requester, toPrincipal } from './rights.ts'
import { createRoles, type Roles, type RolesOptions } from './roles.ts'
import type { Business, BusinessSettings } from './schema.ts'
import { createBasic } from './sign-in/basic-authentication.ts'
import { createLockout } from './sign-in/lockout.ts'
import { createSessionList, createSessions, type Sessions } from './sign-in/sessions.ts'
import { createSignIn, type SignIn } from './sign-in/sign-in.ts'
import { createCodes, createTotp, type SealedSecrets, type Totp } from './sign-in/totp.ts'
import { countTokens, countUsers } from './store/quotas.ts'
import { groupHolders } from './store/removal.ts'
import { createStore } from './store/store.ts'
import type { PasswordRow } from './store/users.ts'
import { createTokens, type Tokens } from './tokens.ts'
import { createUsers, type Users } from './users.ts'

export type Accounts = Roles &
  Users &
  Tokens &
  Invitations &
  Recovery &
  SignIn &
  Sessions &
  Totp &
  Oidc &
  OidcSettingsApi &
  PeopleRemoval &
  Preferences &
  Audit & {
    /** The most that businesses may have and use. */
    readonly quotas: QuotaGuard
    /**
     * With three roles, `Administrator` among them, and its first user if one is given: all or
     * nothing. Faults: invalid_argument, already_exists, overloaded.
     */
    createBusiness(business: NewBusiness): Promise<Business>
    /** An id goes before a name. */
    findBusiness(nameOrId: string): Promise<Business | undefined>
    /** The oldest first, at most limits.pageMax. */
    listBusinesses(): Promise<Business[]>
    /** Faults: unknown_credential if the business was deleted. */
    businessSettings(businessId: string): Promise<BusinessSettings>
    /**
     * Demands a second step of sign-ins, or does so no longer. Sessions without it are refused
     * until their users have set it up. Faults: forbidden for who sees a part of the business, and,
     * where the demand ends, for who has less than any role of the business.
     */
    demandTotp(by: Requester, isDemanded: boolean): Promise<void>
    /**
     * `address` is the network address of the caller. A user with a second step signs in.
     * Faults: unknown_credential, sign_in_locked, totp_required, totp_enrolment_required,
     * overloaded.
     */
    basic(email: string, password: string, address?: string): Promise<Principal>
    /** Does nothing if there is no such session. */
    signOut(token: string): Promise<void>
    /** Faults: unknown_credential, totp_enrolment_required. */
    session(token: string): Promise<Principal>
    /**
     * The holder of an `Authorization` header: `Basic …`, `token <session>`, `Automation <API
     * token>` or `Bearer <API token>`, the scheme in any letter case; `address` is the network
     * address of the caller.
     * Faults: unknown_credential, forbidden (the address), sign_in_locked, totp_required,
     * totp_enrolment_required, overloaded.
     */
    authorize(header: string | undefined, address?: string): Promise<Principal>
  }

export type AccountsOptions = {
  readonly database: Database
  readonly groups: Pick<Groups, 'hold' | 'below' | 'root' | 'onRemove'>
  readonly mail: Pick<Mail, 'send'>
  readonly secrets: SealedSecrets
  /** To the sign-in providers of businesses. */
  readonly outbound: Pick<Outbound, 'call'>
  /**
   * The address at which people reach the console: `https://millrace.example.com`, for the links in
   * mails.
   */
  readonly publicUrl: string
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly changes: Changes
}

export function createAccounts(options: AccountsOptions): Accounts {
  const { database, groups, mail, outbound, publicUrl, clock, random, logger, changes } = options
  const store = createStore(database)
  const rights = createRights({ store, groups })
  const passwords = createPasswords(random)
  const caches = createCaches(database)
  const quotas = openQuotas(options)
  const { changed } = caches
  const parts = { database, store, rights, clock, random, logger, changed, changes, caches, quotas }
  const links = createLinks({ mail, publicUrl, clock, random })
  const countAnonymous = createAnonymousCount(clock)
  const common = { ...parts, links, passwords, countAnonymous }
  const sessions = createSessions(common)
  const lockout = createLockout(common)
  const audit = createAudit(common)
  const note = audit.audited
  const showPassword = createBasic({ lockout, note, ...common })
  const stepOptions = { lockout, showPassword, secrets: options.secrets, ...common }
  const codes = createCodes(stepOptions)
  const prepareUser = preparation({ passwords, clock, random })
  const tokens = createTokens(common)
  groups.onRemove({ dependants: groupHolders })

  async function basic(email: string, password: string, address?: string): Promise<Principal> {
    const user = await showPassword(email, password, address)
    if (user.hasTotp) throw new Fault('totp_required')
    if (user.demandsTotp) throw new Fault('totp_enrolment_required')
    return passwordPrincipal(user)
  }

  async function authorize(header: string | undefined, address?: string): Promise<Principal> {
    const principal = await holderOfHeader(header, address)
    return address === undefined ? principal : { ...principal, address }
  }

  async function holderOfHeader(header: string | undefined, address?: string) {
    const credential = parseAuthorization(header ?? '')
    if (credential === undefined) throw new Fault('unknown_credential')
    if (credential.scheme === 'basic') {
      return basic(credential.email, credential.password, address)
    }
    if (credential.scheme === 'token') return sessions.find(credential.token)
    return tokens.automation(credential.token, address)
  }

  return {
    ...createBusinesses({ ...common, prepareUser, nowMs: () => clock.nowMs() }),
    ...createRoles({ ...common, note }),
    ...createUsers({ ...common, note, prepareUser }),
    ...createInvitations({ ...common, note, prepareUser }),
    ...createRecovery({ ...common, note, showPassword }),
    ...createSignIn({ store, codes, sessions, showPassword, note }),
    ...createSessionList(common),
    ...createRemoval(common),
    ...createPreferences(common),
    ...createTotp(stepOptions, codes),
    ...createSettings(common),
    ...createOidc({ ...stepOptions, outbound, sessions, prepareUser, note, publicUrl }),
    ...audit,
    ...tokens,
    quotas,
    basic,
    signOut: sessions.end,
    session: sessions.find,
    authorize,
  }
}

const msPerSecond = 1_000

function createSettings({
  store,
  rights,
  changed,
  changes,
}: Pick<RolesOptions, 'store' | 'rights' | 'changed' | 'changes'>) {
  return {
    async businessSettings(businessId: string) {
      const business = await store.businessNamed(businessId)
      if (business === undefined) throw new Fault('unknown_credential')
      const signIn = {
        sessionHours: limits.sessionHours,
        failuresMost: limits.failedSignInsMax,
        lockSeconds: Math.ceil(limits.lockoutMs / msPerSecond),
        lockSecondsMost: Math.ceil(limits.lockoutMsMax / msPerSecond),
        passwordCharsLeast: limits.accountPasswordCharsMin,
      }
      return { ...business, totpDemanded: await store.demandsTotp(businessId), signIn }
    },
    demandTotp: changes.publishing('accounts', async (by: Requester, isDemanded: boolean) => {
      const principal = toPrincipal(by)
      const what = 'A demand of the second step'
      if (isDemanded) requireWhole(principal.view, what)
      else await rights.requireEveryRole(principal, what)
      await store.setTotpDemanded(principal.businessId, isDemanded)
      changed(principal.businessId)
    }),
  }
}

function openQuotas(options: AccountsOptions): QuotaGuard {
  const quotas = createQuotas(options)
  quotas.addCount('tokens', countTokens)
  quotas.addCount('users', countUsers)
  return quotas
}

function passwordPrincipal({ businessId, userId, permissions, groups }: PasswordRow): Principal {
  return {
    businessId,
    subject: `user:${userId}`,
    permissions: knownPermissions(permissions),
    view: { businessId, groups: groups ?? 'all' },
    rates: ratesOfPerson(userId),
  }
}
