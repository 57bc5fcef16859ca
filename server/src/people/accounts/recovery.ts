import type { Database, Transaction } from '../../foundation/database/index.ts'
import { Fault, type Logger, limits, type Passwords } from '../../foundation/kernel/index.ts'
import type { CountAnonymous } from './anonymous-count.ts'
import type { AuditNote, AuditSource } from './audit.ts'
import { accountLimits } from './limits.ts'
import { goneLink, type MailLinks } from './links.ts'
import { emailKey, parseEmail, parsePassword } from './parse.ts'
import { type Principal, parseUserId } from './permissions.ts'
import { attemptAccounts } from './sign-in/lockout.ts'
import type { Store } from './store/store.ts'

export type Recovery = {
  /**
   * Sets the own password of a user, who shows the present one; all sessions end.
   * Faults: forbidden (no user), unknown_credential, invalid_argument, sign_in_locked.
   */
  changeOwnPassword(by: Principal, present: string, wanted: string, address?: string): Promise<void>
  /**
   * Sends a link by mail that sets a new password, within limits.passwordResetMinutes. It resolves
   * at once and in the same way if there is no such user, so that nobody learns who is one.
   */
  requestReset(email: string, address?: string): Promise<void>
  /**
   * Sets the password, once; all sessions end, and a lock after failed sign-ins.
   * Faults: not_found, invalid_argument, overloaded.
   */
  resetPassword(token: string, password: string, from?: LinkFrom): Promise<void>
}

/** The client that follows a link of a mail: its network address, and its program. */
export type LinkFrom = {
  readonly address?: string | undefined
  readonly source?: AuditSource | undefined
}

export type RecoveryOptions = {
  database: Database
  store: Store
  links: MailLinks
  note: AuditNote
  countAnonymous: CountAnonymous
  passwords: Passwords
  showPassword: (email: string, password: string, address?: string) => Promise<unknown>
  changed: (businessId: string) => void
  logger: Logger
}

const minuteMs = 60_000

export function createRecovery(options: RecoveryOptions): Recovery {
  const { database, store, passwords, showPassword, changed, links, countAnonymous } = options

  async function setPassword(
    { businessId, email }: { businessId: string; email: string },
    hash: string,
    tokenHash?: string,
  ): Promise<void> {
    await database.transaction(async (transaction) => {
      if (tokenHash !== undefined && (await store.takeReset(transaction, tokenHash)) === 0) {
        throw goneLink(gone)
      }
      await replacePassword(store, transaction, { businessId, email, hash })
    })
    changed(businessId)
  }

  return {
    async changeOwnPassword({ businessId, subject }, present, wanted, address) {
      const userId = parseUserId(subject)
      const user = userId === undefined ? undefined : await store.user(businessId, userId)
      if (userId === undefined || user === undefined)
        throw new Fault('forbidden', 'Only a user has a password.')
      parsePassword(wanted)
      await showPassword(user.email, present, address)
      await setPassword({ businessId, email: user.email }, await passwords.hash(wanted))
    },
    async requestReset(email, address) {
      countAnonymous('requestPasswordReset', address)
      const key = emailKey(email)
      const user = key === undefined ? undefined : await store.credentials(key)
      if (user === undefined) return
      // The answer does not wait for the mail: the time that it takes would show that there is a
      // user.
      sendLink(options, user, email).catch((error: unknown) => {
        options.logger.warn({ err: error }, 'a link that resets a password was not sent')
      })
    },
    async resetPassword(token, password, { address, source = 'management' } = {}) {
      countAnonymous('resetPassword', address)
      const found = await links.open(token, store.reset, gone)
      const { businessId, userId, email: target, tokenHash } = found
      const by = {
        businessId,
        subject: `user:${userId}`,
        ...(address !== undefined && { address }),
      }
      await options.note({ by, source, action: 'resetPassword', target }, async () =>
        setPassword(found, await passwords.hash(parsePassword(password)), tokenHash),
      )
    },
  }
}

/**
 * Sets a password. The sessions and the links that set one end with the old password: whoever knew
 * it may have them. Faults: not_found.
 */
export async function replacePassword(
  store: Store,
  transaction: Transaction,
  { businessId, email, hash }: { businessId: string; email: string; hash: string },
): Promise<void> {
  const { key } = parseEmail(email)
  const user = await store.setPassword(transaction, businessId, key, hash)
  if (user === undefined) throw new Fault('not_found', 'There is no such user.')
  await store.clearAttempts(transaction, Object.values(attemptAccounts(key)))
  await store.removeSessions(transaction, businessId, user.id)
  await store.removeResets(transaction, businessId, user.id)
}

const gone = 'The link is not valid: ask for another one.'

async function sendLink(
  { store, links }: RecoveryOptions,
  user: { businessId: string; userId: string },
  email: string,
): Promise<void> {
  const validMs = limits.passwordResetMinutes * minuteMs
  const { secret, tokenHash, at, expiresAt } = links.issue(validMs)
  const window = { since: at - validMs, max: accountLimits.passwordResetsMax }
  const added = await store.addReset(user, { tokenHash, at, expiresAt, ...window })
  if (added === 0) return
  const note = 'Did you not ask for it? Do nothing.'
  await links.send(user.businessId, email, {
    subject: 'A new password for Millrace',
    before: ['Open this link to set a new password:'],
    fragment: 'reset',
    secret,
    after: `It is valid for ${limits.passwordResetMinutes} minutes. ${note}`,
  })
}
