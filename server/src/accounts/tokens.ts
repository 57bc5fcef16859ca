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
import { isPlain, isToken, parseName } from './parse.ts'
import { knownPermissions, type Principal } from './permissions.ts'
import { createRecent } from './recent.ts'
import type { Store, Token } from './store.ts'

export type TokensOptions = { store: Store; clock: Clock; random: Random }

export function createTokens({ store, clock, random }: TokensOptions) {
  const recent = createRecent(clock, (tokenHash) => store.token(tokenHash))

  return {
    async createToken(
      businessId: string,
      wanted: { name: string; role: string },
    ): Promise<{ id: string; token: string }> {
      const name = parseName(wanted.name)
      await requireRole(store, businessId, wanted.role)
      if ((await store.countTokens(businessId)) >= limits.apiTokensMax) {
        throw new Fault('invalid_argument', `A business has at most ${limits.apiTokensMax} tokens.`)
      }
      const id = newId(random)
      const token = newToken(random)
      const kept = { id, name, role: wanted.role, createdAt: clock.nowMs() }
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
      if (holder === undefined) throw new Fault('unknown_credential')
      return {
        businessId: holder.businessId,
        subject: `token:${holder.id}`,
        permissions: knownPermissions(holder.permissions),
      }
    },
  }
}
