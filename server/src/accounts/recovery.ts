import type { Database } from '../database/index.ts'
import {
  type Clock,
  Fault,
  hashToken,
  type Logger,
  limits,
  newToken,
  type Passwords,
  type Random,
} from '../kernel/index.ts'
import type { Mail } from '../mail/index.ts'
import { emailKey, isToken, parseEmail, parsePassword } from './parse.ts'
import type { Principal } from './permissions.ts'
import type { Store } from './store/store.ts'

export type Recovery = {
  /**
   * Sets the own password of a user, who shows the present one; all sessions end.
   * Faults: forbidden (no user), unknown_credential, invalid_argument, too_many_requests.
   */
  changeOwnPassword(by: Principal, present: string, wanted: string, address?: string): Promise<void>
  /**
   * Sends a link by mail that sets a new password, within limits.passwordResetMinutes. It resolves
   * at once and in the same way if there is no such user, so that nobody learns who is one.
   */
  requestReset(email: string): Promise<void>
  /** Sets the password, once; all sessions end. Faults: not_found, invalid_argument, overloaded. */
  resetPassword(token: string, password: string): Promise<void>
}

export type RecoveryOptions = {
  database: Database
  store: Store
  mail: Pick<Mail, 'send'>
  publicUrl: string
  passwords: Passwords
  showPassword: (email: string, password: string, address?: string) => Promise<unknown>
  changed: (businessId: string) => void
  clock: Clock
  random: Random
  logger: Logger
}

const minuteMs = 60_000

export function createRecovery(options: RecoveryOptions): Recovery {
  const { database, store, passwords, showPassword, changed, clock } = options

  async function setPassword(
    { businessId, userId, email }: { businessId: string; userId: string; email: string },
    hash: string,
    tokenHash?: string,
  ): Promise<void> {
    await database.transaction(async (transaction) => {
      if (tokenHash !== undefined && (await store.takeReset(transaction, tokenHash)) === 0) {
        throw gone()
      }
      const { key } = parseEmail(email)
      await store.setPassword(transaction, businessId, key, hash)
      await store.removeSessions(transaction, businessId, userId)
      await store.removeResets(transaction, businessId, userId)
    })
    changed(businessId)
  }

  return {
    async changeOwnPassword({ businessId, subject }, present, wanted, address) {
      const [kind, userId = ''] = subject.split(':')
      const user = kind === 'user' ? await store.user(businessId, userId) : undefined
      if (user === undefined) throw new Fault('forbidden', 'Only a user has a password.')
      parsePassword(wanted)
      await showPassword(user.email, present, address)
      await setPassword({ businessId, userId, email: user.email }, await passwords.hash(wanted))
    },
    async requestReset(email) {
      const key = emailKey(email)
      const user = key === undefined ? undefined : await store.credentials(key)
      if (user === undefined) return
      // Nobody waits for the mail: the time that it takes would tell that there is a user.
      sendLink(options, user, email).catch((error: unknown) => {
        options.logger.warn({ err: error }, 'a link that resets a password was not sent')
      })
    },
    async resetPassword(token, password) {
      const tokenHash = hashToken(token)
      const found = isToken(token) ? await store.reset(tokenHash) : undefined
      if (found === undefined || found.expiresAt <= clock.nowMs()) throw gone()
      await setPassword(found, await passwords.hash(parsePassword(password)), tokenHash)
    },
  }
}

function gone(): Fault {
  return new Fault('not_found', 'The link is not valid: ask for another one.')
}

async function sendLink(
  { store, mail, publicUrl, clock, random }: RecoveryOptions,
  user: { businessId: string; userId: string },
  email: string,
): Promise<void> {
  const token = newToken(random)
  const at = clock.nowMs()
  const validMs = limits.passwordResetMinutes * minuteMs
  const added = await store.addReset(user, {
    tokenHash: hashToken(token),
    at,
    expiresAt: at + validMs,
    since: at - validMs,
    max: limits.passwordResetsMax,
  })
  if (added === 0) return
  const text = [
    'Open this link to set a new password:',
    `${publicUrl}/#reset=${token}`,
    '',
    `It is valid for ${limits.passwordResetMinutes} minutes. Did you not ask for it? Do nothing.`,
  ].join('\n')
  await mail.send(user.businessId, { to: [email], subject: 'A new password for Millrace', text })
}
