import { Fault } from '../../../foundation/kernel/index.ts'
import type { AuditNote, AuditSource } from '../audit.ts'
import type { Enrolment, SignedIn } from '../schema.ts'
import type { Store } from '../store/store.ts'
import type { PasswordRow } from '../store/users.ts'
import type { createSessions } from './sessions.ts'
import type { Codes } from './totp.ts'

/** The client from which a person signs in. */
export type SignInFrom = {
  /** The network address. */
  readonly address?: string | undefined
  readonly userAgent?: string | undefined
  readonly source?: AuditSource | undefined
  /** The code of the second step: of the app, or a recovery code. */
  readonly code?: string | undefined
}

export type SignIn = {
  /**
   * Opens a session, in one step, or with a code for a user that has a second one. The first code
   * of an enrolment that the business demands confirms it; then `recoveryCodes` are shown.
   * Faults: unknown_credential, sign_in_locked, totp_required (without a code),
   * totp_enrolment_required, overloaded.
   */
  signIn(email: string, password: string, from?: SignInFrom): Promise<SignedIn>
  /**
   * Begins the second step of a user who cannot sign in without, for the business demands it.
   * Faults: unknown_credential, sign_in_locked, already_exists, forbidden, overloaded.
   */
  beginDemandedTotp(email: string, password: string, from?: SignInFrom): Promise<Enrolment>
}

export type SignInOptions = {
  readonly store: Store
  readonly codes: Codes
  readonly sessions: Pick<ReturnType<typeof createSessions>, 'open'>
  readonly showPassword: (
    email: string,
    password: string,
    address?: string,
    source?: AuditSource,
  ) => Promise<PasswordRow>
  readonly note: AuditNote
}

export function createSignIn(options: SignInOptions): SignIn {
  const { store, codes, sessions, showPassword, note } = options

  /** Notes what came of something that a user has begun, also if it failed. */
  async function noted<Result>(
    action: string,
    { businessId, userId, email }: PasswordRow,
    { address, source = 'management' }: SignInFrom,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const by = { businessId, subject: `user:${userId}`, ...(address !== undefined && { address }) }
    return note({ by, source, action, target: email }, run)
  }

  async function secondStep(user: PasswordRow, { code, address }: SignInFrom) {
    const { businessId, userId, hasTotp, demandsTotp } = user
    if (!hasTotp && !demandsTotp) return undefined
    if (hasTotp && code === undefined) throw new Fault('totp_required')
    const stored = await store.totp(businessId, userId)
    if (stored === undefined || code === undefined) throw new Fault('totp_enrolment_required')
    if (stored.confirmedAt === null) return codes.confirm(user, stored, code, address)
    await codes.check(user, stored, code, address)
    return undefined
  }

  return {
    async signIn(email, password, from = {}) {
      const user = await showPassword(email, password, from.address, from.source)
      return noted('signIn', user, from, async () => {
        const recoveryCodes = await secondStep(user, from)
        const method = from.code === undefined ? 'password' : 'totp'
        const session = await sessions.open(user, { ...from, method })
        return Object.assign(session, recoveryCodes && { recoveryCodes })
      })
    },
    async beginDemandedTotp(email, password, from = {}) {
      const user = await showPassword(email, password, from.address, from.source)
      return noted('beginTotp', user, from, async () => {
        if (!user.demandsTotp) {
          throw new Fault('forbidden', 'The business requires no second step: sign in first.')
        }
        return codes.begin(user)
      })
    },
  }
}
