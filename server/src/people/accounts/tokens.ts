import type { Database } from '../../foundation/database/index.ts'
import {
  type Clock,
  Fault,
  hashToken,
  type Logger,
  limits,
  newId,
  newToken,
  type Random,
} from '../../foundation/kernel/index.ts'
import type { Changes } from '../../log/changes/index.ts'
import { type Caches, useNotes } from './caches.ts'
import { accountLimits } from './limits.ts'
import { isPlain, isToken, parseName, parseRanges, parseRateLimits, rangeCheck } from './parse.ts'
import { knownPermissions, type Principal } from './permissions.ts'
import type { QuotaGuard } from './quotas/quotas.ts'
import { type Requester, type Rights, toPrincipal } from './rights.ts'
import type { NewToken, Token } from './schema.ts'
import type { Store } from './store/store.ts'

export type Tokens = {
  /**
   * The only time that the token is shown.
   * Faults: invalid_argument, forbidden for more than the caller has, not_found (a group).
   */
  createToken(by: Requester, token: NewToken): Promise<{ id: string; token: string }>
  /** The tokens that see no more than the caller, the newest first, at most limits.pageMax. */
  listTokens(by: Requester): Promise<Token[]>
  /** Holds at once here, in other processes within limits.accountCacheMs. Faults: not_found. */
  revokeToken(by: Requester, id: string): Promise<void>
  /** `address`: the network address of the caller. Faults: unknown_credential, forbidden. */
  automation(token: string, address?: string): Promise<Principal>
}

export type TokensOptions = {
  database: Database
  store: Store
  rights: Rights
  clock: Clock
  random: Random
  logger: Logger
  caches: Caches
  quotas: Pick<QuotaGuard, 'require'>
  changes: Changes
}

export function createTokens(options: TokensOptions): Tokens {
  return { ...createTokenChanges(options), automation: createAutomation(options) }
}

/** Finds the holder of a token that a request carries. */
function createAutomation(options: TokensOptions): Tokens['automation'] {
  const { store, clock, caches } = options
  const recent = caches.add(clock, async (tokenHash) => {
    const holder = await store.token(tokenHash)
    return holder && { ...holder, isAllowed: rangeCheck(holder.addresses) }
  })
  const noteUse = useNotes(options, store.noteUse)
  const hasExpired = ({ expiresAt }: { expiresAt: number | null }) =>
    expiresAt !== null && expiresAt <= clock.nowMs()

  return async (token, address = '') => {
    const holder = isToken(token) ? await recent.find(hashToken(token)) : undefined
    if (holder === undefined || hasExpired(holder)) throw new Fault('unknown_credential')
    if (!holder.isAllowed(address)) {
      throw new Fault('forbidden', 'The API token may not be used from this network address.')
    }
    noteUse(holder)
    const { businessId } = holder
    return {
      businessId,
      subject: `token:${holder.id}`,
      permissions: knownPermissions(holder.permissions),
      view: { businessId, groups: holder.groups ?? 'all' },
      ...(holder.expiresAt !== null && { expiresAt: holder.expiresAt }),
      rates: { holder: holder.id, requestsMax: holder.requestsMax, msMax: holder.msMax },
    }
  }
}

function createTokenChanges(options: TokensOptions): Omit<Tokens, 'automation'> {
  const { database, store, rights, clock, random, caches, quotas, changes } = options
  return {
    createToken: changes.publishing('accounts', async (by, wanted) => {
      const principal = toPrincipal(by)
      const { businessId, subject } = principal
      const now = clock.nowMs()
      const name = parseName(wanted.name)
      const expiresAt = parseExpiry(wanted.expiresAt, now)
      refuseLonger(principal, expiresAt)
      const rateLimits = parseRateLimits(wanted.rateLimits ?? {})
      const addresses = parseRanges(wanted.addresses ?? [])
      await rights.requireRole(principal, wanted.role)
      await store.removeExpiredTokens(businessId, now)
      if ((await store.countTokens(businessId)) >= limits.apiTokensMax) {
        throw new Fault('invalid_argument', `A business has at most ${limits.apiTokensMax} tokens.`)
      }
      const id = newId(random)
      const token = newToken(random)
      const createdBy = subject === 'platform' ? null : subject
      const described = { id, name, role: wanted.role, createdAt: now, createdBy, expiresAt }
      const tokenHash = hashToken(token)
      await database.transaction(async (transaction) => {
        const groups = await rights.holdGroups(transaction, principal, wanted.groups)
        const kept = { ...described, rateLimits, groups, addresses, tokenHash }
        await store.addToken(transaction, businessId, kept)
        await quotas.require(transaction, businessId, 'tokens')
      })
      return { id, token }
    }),
    async listTokens(by) {
      const principal = toPrincipal(by)
      const within = await rights.seen(principal)
      return store.tokens(principal.businessId, within, limits.pageMax)
    },
    revokeToken: changes.publishing('accounts', async (by, id) => {
      const principal = toPrincipal(by)
      const { businessId } = principal
      const within = await rights.seen(principal)
      const removed = isPlain(id) ? await store.removeToken(businessId, within, id) : 0
      if (removed === 0) throw new Fault('not_found', 'There is no such API token.')
      caches.changed(businessId)
    }),
  }
}

const dayMs = 86_400_000

/** @throws Fault invalid_argument */
function parseExpiry(expiresAt: number | undefined, now: number): number | null {
  if (expiresAt === undefined) return null
  const days = accountLimits.apiTokenDaysMax
  if (Number.isInteger(expiresAt) && expiresAt > now && expiresAt <= now + days * dayMs) {
    return expiresAt
  }
  const rule = `in milliseconds since 1970, must lie in the future, and within ${days} days`
  throw new Fault('invalid_argument', `"expires_at", ${rule}.`)
}

/** @throws Fault `forbidden` for an end after that of the caller: a token cannot renew itself. */
function refuseLonger({ expiresAt: own }: Principal, wanted: number | null): void {
  if (own === undefined || (wanted !== null && wanted <= own)) return
  const rule = `"expires_at" must be at most its own, ${own} (${new Date(own).toISOString()}).`
  throw new Fault('forbidden', `A token that expires creates none that outlives it: ${rule}`)
}
