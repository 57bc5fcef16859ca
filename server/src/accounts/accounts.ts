import type { Database } from '../database/index.ts'
import { wholeView } from '../groups/index.ts'
import { type Clock, createPasswords, Fault, type Logger, type Random } from '../kernel/index.ts'
import { createBasic } from './basic.ts'
import { createBusinesses, type NewBusiness } from './businesses.ts'
import { type NewUser, preparation } from './new-user.ts'
import { parseAuthorization, type RateLimits } from './parse.ts'
import { knownPermissions, type Principal, type Role } from './permissions.ts'
import { createSessions } from './sessions.ts'
import { type Business, createStore, type PasswordRow, type Token, type User } from './store.ts'
import { createTokens, type NewToken } from './tokens.ts'
import { createUsers } from './users.ts'

export type Accounts = {
  /**
   * With three roles, `Administrator` among them, and its first user if one is given: all or
   * nothing. Faults: invalid_argument, already_exists, overloaded.
   */
  createBusiness(business: NewBusiness): Promise<Business>
  /** An id goes before a name. */
  findBusiness(nameOrId: string): Promise<Business | undefined>
  /** The oldest first, at most limits.pageMax. */
  listBusinesses(): Promise<Business[]>
  listRoles(businessId: string): Promise<Role[]>
  /**
   * An e-mail address is unique in the whole platform, in any letter case. The role is named.
   * Faults: invalid_argument, already_exists, overloaded.
   */
  createUser(businessId: string, user: NewUser): Promise<User>
  listUsers(businessId: string): Promise<User[]>
  /** Undefined if the business has none of that id, or of that e-mail address. */
  findUser(
    businessId: string,
    wanted: { readonly id: string } | { readonly email: string },
  ): Promise<User | undefined>
  /** Ends the user's sessions too. Faults: invalid_argument, not_found, overloaded. */
  setPassword(businessId: string, email: string, password: string): Promise<void>
  /** Ends the user's sessions too. Faults: not_found. */
  removeUser(businessId: string, userId: string): Promise<void>
  /**
   * `address` is the network address of the caller.
   * Faults: unknown_credential, too_many_requests, overloaded.
   */
  basic(email: string, password: string, address?: string): Promise<Principal>
  /** `expiresAt` is in milliseconds. Faults: unknown_credential, too_many_requests, overloaded. */
  signIn(
    email: string,
    password: string,
    address?: string,
  ): Promise<{ token: string; expiresAt: number }>
  /** Does nothing if there is no such session. */
  signOut(token: string): Promise<void>
  /** Faults: unknown_credential. */
  session(token: string): Promise<Principal>
  /** The only time that the token is shown. Faults: invalid_argument. */
  createToken(businessId: string, token: NewToken): Promise<{ id: string; token: string }>
  /**
   * Sets the limits of the role's tokens in the graph API, but for those that have their own.
   * Faults: invalid_argument, not_found.
   */
  setRoleRates(businessId: string, role: string, rateLimits: RateLimits): Promise<void>
  /** The newest first, at most limits.pageMax. */
  listTokens(businessId: string): Promise<Token[]>
  /** Holds at once here, in other processes after limits.accountCacheMs. Faults: not_found. */
  revokeToken(businessId: string, id: string): Promise<void>
  /** Faults: unknown_credential. */
  automation(token: string): Promise<Principal>
  /**
   * The holder of an `Authorization` header: `Basic …`, `token <session>`, `Automation <API token>`
   * or `Bearer <API token>`, the scheme in any letter case; `address` is the network address of
   * the caller.
   * Faults: unknown_credential, too_many_requests, overloaded.
   */
  authorize(header: string | undefined, address?: string): Promise<Principal>
}

export type AccountsOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

export function createAccounts({ database, clock, random, logger }: AccountsOptions): Accounts {
  const store = createStore(database)
  const passwords = createPasswords(random)
  const sessions = createSessions({ database, store, clock, random })
  const showPassword = createBasic({ store, passwords, clock, random, logger })
  const prepareUser = preparation({ passwords, clock, random })
  const tokens = createTokens({ store, clock, random })

  const basic = async (email: string, password: string, address?: string) =>
    principalOf(await showPassword(email, password, address))

  async function authorize(header: string | undefined, address?: string): Promise<Principal> {
    const credential = parseAuthorization(header ?? '')
    if (credential === undefined) throw new Fault('unknown_credential')
    if (credential.scheme === 'basic') {
      return basic(credential.email, credential.password, address)
    }
    if (credential.scheme === 'token') return sessions.find(credential.token)
    return tokens.automation(credential.token)
  }

  return {
    ...createBusinesses({ database, store, random, prepareUser, nowMs: () => clock.nowMs() }),
    ...createUsers({ database, store, passwords, sessions, prepareUser }),
    ...tokens,
    basic,
    signIn: async (email, password, address) =>
      sessions.open(await showPassword(email, password, address)),
    signOut: sessions.end,
    session: sessions.find,
    authorize,
  }
}

function principalOf({ businessId, userId, permissions }: PasswordRow): Principal {
  return {
    businessId,
    subject: `user:${userId}`,
    permissions: knownPermissions(permissions),
    view: wholeView(businessId),
  }
}
