import { wholeView } from '../groups/index.ts'
import {
  type Clock,
  Fault,
  hashToken,
  limits,
  newId,
  newToken,
  type Random,
} from '../kernel/index.ts'
import { requireRole } from './businesses.ts'
import { isPlain, isToken, parseName, parseRateLimits, type RateLimits } from './parse.ts'
import { knownPermissions, type Principal } from './permissions.ts'
import { createRecent } from './recent.ts'
import type { Store, Token } from './store.ts'

/** `expiresAt` is in milliseconds; left out: the token does not expire. */
export type NewToken = {
  readonly name: string
  readonly role: string
  readonly expiresAt?: number | undefined
  /** Left out: as its role has them. */
  readonly rateLimits?: RateLimits | undefined
}

export type TokensOptions = { store: Store; clock: Clock; random: Random }

export function createTokens({ store, clock, random }: TokensOptions) {
  const recent = createRecent(clock, (tokenHash) => store.token(tokenHash))
  const hasExpired = ({ expiresAt }: { expiresAt: number | null }) =>
    expiresAt !== null && expiresAt <= clock.nowMs()

  return {
    async createToken(
      businessId: string,
      wanted: NewToken,
    ): Promise<{ id: string; token: string }> {
      const now = clock.nowMs()
      const name = parseName(wanted.name)
      const expiresAt = parseExpiry(wanted.expiresAt, now)
      const rateLimits = parseRateLimits(wanted.rateLimits ?? {})
      await requireRole(store, businessId, wanted.role)
      await store.removeExpiredTokens(businessId, now)
      if ((await store.countTokens(businessId)) >= limits.apiTokensMax) {
        throw new Fault('invalid_argument', `A business has at most ${limits.apiTokensMax} tokens.`)
      }
      const id = newId(random)
      const token = newToken(random)
      const kept = { id, name, role: wanted.role, createdAt: now, expiresAt, ...rateLimits }
      await store.addToken(businessId, { ...kept, tokenHash: hashToken(token) })
      return { id, token }
    },
    listTokens: (businessId: string): Promise<Token[]> => store.tokens(businessId, limits.pageMax),
    async revokeToken(businessId: string, id: string): Promise<void> {
      const removed = isPlain(id) ? await store.removeToken(businessId, id) : 0
      recent.forget((holder) => holder.id === id)
      if (removed === 0) throw new Fault('not_found', 'There is no such API token.')
    },
    async automation(token: string): Promise<Principal> {
      const holder = isToken(token) ? await recent.find(hashToken(token)) : undefined
      if (holder === undefined || hasExpired(holder)) throw new Fault('unknown_credential')
      return {
        businessId: holder.businessId,
        subject: `token:${holder.id}`,
        permissions: knownPermissions(holder.permissions),
        view: wholeView(holder.businessId),
        ...(holder.expiresAt !== null && { expiresAt: holder.expiresAt }),
        rates: { tokenId: holder.id, requestsMax: holder.requestsMax, msMax: holder.msMax },
      }
    },
    /** Holds for the role's tokens at once here, elsewhere after limits.accountCacheMs. */
    async setRoleRates(businessId: string, role: string, rateLimits: RateLimits): Promise<void> {
      const parsed = parseRateLimits(rateLimits)
      const written = isPlain(role) ? await store.setRoleRates(businessId, role, parsed) : 0
      recent.forget((holder) => holder.businessId === businessId)
      if (written === 0) throw new Fault('not_found', 'There is no such role.')
    },
  }
}

const dayMs = 86_400_000

/** @throws Fault invalid_argument */
function parseExpiry(expiresAt: number | undefined, now: number): number | null {
  if (expiresAt === undefined) return null
  const days = limits.apiTokenDaysMax
  if (Number.isInteger(expiresAt) && expiresAt > now && expiresAt <= now + days * dayMs) {
    return expiresAt
  }
  const rule = `in milliseconds since 1970, must lie in the future, and within ${days} days`
  throw new Fault('invalid_argument', `"expires_at", ${rule}.`)
}
