import type { Database } from '../../database/index.ts'
import { type Clock, Fault, hashToken, limits, newToken, type Random } from '../../kernel/index.ts'
import type { Caches } from '../caches.ts'
import { isToken } from '../parse.ts'
import { knownPermissions, type Principal } from '../permissions.ts'
import type { Store } from '../store/store.ts'
import type { PasswordRow } from '../store/users.ts'

export type SessionsOptions = {
  database: Database
  store: Store
  clock: Clock
  random: Random
  caches: Caches
}

const hourMs = 3_600_000

/** A session with more time left than any gets was opened by a clock that ran ahead. */
function isOpen(expiresAt: number, nowMs: number): boolean {
  const leftMs = expiresAt - nowMs
  return leftMs > 0 && leftMs <= 2 * limits.sessionHours * hourMs
}

export function createSessions(options: SessionsOptions) {
  const { database, store, clock, random, caches } = options
  const recent = caches.add(clock, (tokenHash) => store.session(tokenHash))

  return {
    /** Opens a session for a user who has just shown the password, unless it has changed since. */
    async open(user: PasswordRow, address = ''): Promise<{ token: string; expiresAt: number }> {
      const { businessId, userId, passwordHash } = user
      const token = newToken(random)
      const at = clock.nowMs()
      const expiresAt = at + limits.sessionHours * hourMs
      await database.transaction(async (transaction) => {
        const held = await store.holdUser(transaction, businessId, userId, passwordHash)
        if (held === undefined) throw new Fault('unknown_credential')
        const session = { tokenHash: hashToken(token), at, expiresAt, address }
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
        view: { businessId: session.businessId, groups: session.groups ?? 'all' },
      }
    },
    async end(token: string): Promise<void> {
      const ended = isToken(token) ? await store.removeSession(hashToken(token)) : undefined
      if (ended !== undefined) caches.changed(ended.businessId)
    },
  }
}
