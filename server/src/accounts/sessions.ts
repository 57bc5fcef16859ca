import type { Database } from '../database/index.ts'
import { wholeView } from '../groups/index.ts'
import { type Clock, Fault, hashToken, limits, newToken, type Random } from '../kernel/index.ts'
import { isToken } from './parse.ts'
import { knownPermissions, type Principal } from './permissions.ts'
import { createRecent } from './recent.ts'
import type { PasswordRow, Store } from './store.ts'

export type SessionsOptions = { database: Database; store: Store; clock: Clock; random: Random }
export type Sessions = ReturnType<typeof createSessions>

const hourMs = 3_600_000

/** A session with more time left than any gets was opened by a clock that ran ahead. */
function isOpen(expiresAt: number, nowMs: number): boolean {
  const leftMs = expiresAt - nowMs
  return leftMs > 0 && leftMs <= 2 * limits.sessionHours * hourMs
}

export function createSessions({ database, store, clock, random }: SessionsOptions) {
  const recent = createRecent(clock, (tokenHash) => store.session(tokenHash))

  return {
    /** Opens a session for a user who has just shown the password, unless it has changed since. */
    async open(user: PasswordRow): Promise<{ token: string; expiresAt: number }> {
      const { businessId, userId, passwordHash } = user
      const token = newToken(random)
      const at = clock.nowMs()
      const expiresAt = at + limits.sessionHours * hourMs
      await database.transaction(async (transaction) => {
        const held = await store.holdUser(transaction, businessId, userId, passwordHash)
        if (held === undefined) throw new Fault('unknown_credential')
        const session = { tokenHash: hashToken(token), at, expiresAt }
        const keep = limits.sessionsPerUserMax - 1
        await store.trimSessions(transaction, businessId, userId, { at, keep })
        await store.addSession(transaction, businessId, userId, session)
      })
      return { token, expiresAt }
    },
    async find(token: string): Promise<Principal> {
      const session = isToken(token) ? await recent.find(hashToken(token)) : undefined
      if (session === undefined || !isOpen(session.expiresAt, clock.nowMs())) {
        throw new Fault('unknown_credential')
      }
      return {
        businessId: session.businessId,
        subject: `user:${session.id}`,
        permissions: knownPermissions(session.permissions),
        view: wholeView(session.businessId),
      }
    },
    async end(token: string): Promise<void> {
      if (isToken(token)) await store.removeSession(hashToken(token))
      recent.forget(() => true)
    },
    /** Empties the cache, after a change of a password or a role. */
    forget: () => recent.forget(() => true),
  }
}
