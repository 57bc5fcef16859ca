import type { Database } from '../../../foundation/database/index.ts'
import {
  type Clock,
  Fault,
  hashToken,
  type Logger,
  limits,
  newId,
  newToken,
  type Random,
} from '../../../foundation/kernel/index.ts'
import type { Changes } from '../../../log/changes/index.ts'
import { type Caches, useNotes } from '../caches.ts'
import { isPlain, isToken } from '../parse.ts'
import { knownPermissions, type Principal, parseUserId, ratesOfPerson } from '../permissions.ts'
import { type Requester, type Rights, toPrincipal } from '../rights.ts'
import type { SignInMethod, UserSession } from '../schema.ts'
import type { Store } from '../store/store.ts'
import type { PasswordRow } from '../store/users.ts'

/** The name of the program that opened a session; longer ones are cut. */
const userAgentCharsMax = 200

export type SessionsOptions = {
  database: Database
  store: Store
  rights: Rights
  clock: Clock
  random: Random
  logger: Logger
  caches: Caches
  changes: Changes
}

/** Open sessions of a user: the caller's own, or those of another whom the caller manages. */
export type Sessions = {
  /** The newest first. Faults: forbidden (no user), not_found. */
  listSessions(by: Principal, userId?: string): Promise<UserSession[]>
  /** Ends one, or all that there are. Faults: forbidden, not_found. */
  endSessions(by: Principal, wanted: { userId?: string; id?: string }): Promise<void>
}

/** The client that opens a session, and how its user signed in. */
export type SessionStart = {
  readonly address?: string | undefined
  readonly userAgent?: string | undefined
  readonly method?: SignInMethod | undefined
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
  const noteUse = useNotes(options, store.noteSessionUse)

  return {
    /** Opens a session for a user who has just shown the password, unless it has changed since. */
    async open(user: PasswordRow, start: SessionStart = {}) {
      const { businessId, userId, passwordHash } = user
      const { address = '', userAgent = '', method = 'password' } = start
      const token = newToken(random)
      const at = clock.nowMs()
      const expiresAt = at + limits.sessionHours * hourMs
      await database.transaction(async (transaction) => {
        const held = await store.holdUser(transaction, businessId, userId, passwordHash)
        if (held === undefined) throw new Fault('unknown_credential')
        const described = { address, userAgent: plainAgent(userAgent), method }
        const session = { id: newId(random), tokenHash: hashToken(token), at, expiresAt }
        const keep = limits.sessionsPerUserMax - 1
        await store.trimSessions(transaction, businessId, userId, { at, keep })
        await store.addSession(transaction, businessId, userId, { ...session, ...described })
        await store.noteSignIn(transaction, businessId, userId, at)
      })
      return { token, expiresAt }
    },
    async find(token: string): Promise<Principal> {
      const session = isToken(token) ? await recent.find(hashToken(token)) : undefined
      if (session === undefined || !isOpen(session.expiresAt, clock.nowMs())) {
        throw new Fault('unknown_credential')
      }
      if (session.lacksTotp) throw new Fault('totp_enrolment_required')
      const { businessId } = session
      noteUse({ businessId, id: session.sessionId })
      return {
        businessId,
        subject: `user:${session.id}`,
        permissions: knownPermissions(session.permissions),
        view: { businessId, groups: session.groups ?? 'all' },
        rates: ratesOfPerson(session.id),
      }
    },
    async end(token: string): Promise<void> {
      const ended = isToken(token) ? await store.removeSession(hashToken(token)) : undefined
      if (ended !== undefined) caches.changed(ended.businessId)
    },
  }
}

export function createSessionList(options: SessionsOptions): Sessions {
  const { database, store, rights, clock, caches, changes } = options

  /** The id of the caller, or of a user whom the caller manages. */
  async function resolveUser(by: Requester, userId?: string): Promise<string> {
    const principal = toPrincipal(by)
    const own = parseUserId(principal.subject)
    if (userId === undefined || userId === own) {
      if (own === undefined) throw new Fault('forbidden', 'Only a user has sessions.')
      return own
    }
    const found = isPlain(userId) ? await store.user(principal.businessId, userId) : undefined
    return (await rights.requireUser(principal, found)).id
  }

  return {
    async listSessions(by, userId) {
      const user = await resolveUser(by, userId)
      const found = await store.listSessions(by.businessId, user, limits.sessionsPerUserMax)
      return found.filter(({ expiresAt }) => isOpen(expiresAt, clock.nowMs()))
    },
    endSessions: changes.publishing('accounts', async (by, { userId, id }) => {
      const { businessId } = by
      const user = await resolveUser(by, userId)
      if (id === undefined) {
        await database.transaction((transaction) =>
          store.removeSessions(transaction, businessId, user),
        )
      } else {
        const ended = isPlain(id) ? await store.removeUserSession(businessId, user, id) : 0
        if (ended === 0) throw new Fault('not_found', 'There is no such session.')
      }
      caches.changed(businessId)
    }),
  }
}

function plainAgent(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, userAgentCharsMax)
    .toWellFormed()
}
