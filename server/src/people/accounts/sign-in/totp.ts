import { generateSecret, generateURI, verifySync } from 'otplib'
import type { Database } from '../../../foundation/database/index.ts'
import {
  type Clock,
  Fault,
  hashToken,
  limits,
  type Passwords,
  type Random,
} from '../../../foundation/kernel/index.ts'
import type { Changes } from '../../../log/changes/index.ts'
import { accountLimits } from '../limits.ts'
import { parseEmail } from '../parse.ts'
import { type Principal, parseUserId } from '../permissions.ts'
import { type Requester, type Rights, toPrincipal } from '../rights.ts'
import type { Enrolment, TotpState } from '../schema.ts'
import type { Store } from '../store/store.ts'
import type { StoredTotp } from '../store/totp.ts'
import type { PasswordRow } from '../store/users.ts'
import type { Lockout } from './lockout.ts'

/** The second step of sign-ins: codes of an authenticator app (RFC 6238). */
export type Totp = {
  /** Faults: forbidden (no user). */
  readTotp(by: Principal): Promise<TotpState>
  /**
   * Begins to set up the second step of the caller, who shows the password. It counts once a code
   * was shown. Faults: forbidden (no user), unknown_credential, sign_in_locked, already_exists.
   */
  beginTotp(by: Principal, password: string, address?: string): Promise<Enrolment>
  /**
   * Confirms it by its first code. The recovery codes are shown this once.
   * Faults: forbidden, not_found, unknown_credential, sign_in_locked.
   */
  confirmTotp(by: Principal, code: string, address?: string): Promise<string[]>
  /** Other recovery codes. Faults: forbidden, not_found, unknown_credential, sign_in_locked. */
  renewRecoveryCodes(by: Principal, code: string, address?: string): Promise<string[]>
  /**
   * Faults: forbidden if the business demands it, not_found, unknown_credential, sign_in_locked.
   */
  removeTotp(by: Principal, code: string, address?: string): Promise<void>
  /** Removes that of another user. Faults: not_found, forbidden. */
  removeUserTotp(by: Requester, id: string): Promise<void>
}

/** A user of whom a code is asked. */
type Holder = { readonly businessId: string; readonly userId: string; readonly email: string }

export type TotpOptions = {
  readonly database: Database
  readonly store: Store
  readonly rights: Rights
  readonly lockout: Lockout
  /** Encrypts what is stored. */
  readonly secrets: SealedSecrets
  readonly passwords: Passwords
  readonly showPassword: (email: string, password: string, address?: string) => Promise<PasswordRow>
  readonly changed: (businessId: string) => void
  readonly changes: Changes
  readonly clock: Clock
  readonly random: Random
}

/** Encrypts with the key of the instance; `context` names what it is, and is shown again. */
export type SealedSecrets = {
  seal(text: string, context: string): string
  open(sealed: string, context: string): string
}

const issuer = 'Millrace'
const msPerS = 1_000
/** A code of the period before and after is taken, for clocks that differ. */
const toleranceS = 30
const codeShape = /^\d{6}$/
const recoveryShape = /^[a-z2-7]{16}$/
const letters = 'abcdefghijklmnopqrstuvwxyz234567'

/** Codes: showing, checking, and what is stored of them. */
export function createCodes(options: TotpOptions) {
  const { database, store, secrets, lockout, clock, random, changed } = options

  const sealContext = ({ businessId, userId }: Omit<Holder, 'email'>) =>
    `totp/${businessId}/${userId}`

  async function begin(holder: Holder): Promise<Enrolment> {
    const { businessId, userId, email } = holder
    const secret = generateSecret()
    const sealed = secrets.seal(secret, sealContext(holder))
    const written = await store.addTotp(businessId, userId, sealed, clock.nowMs())
    if (written === 0) throw new Fault('already_exists', 'A second step is already set up.')
    return { secret, uri: generateURI({ issuer, label: email, secret }) }
  }

  /** The step of the time in which the app showed the code; undefined if it showed none such. */
  function findStep(holder: Holder, { sealedSecret, lastStep }: StoredTotp, code: string) {
    if (!codeShape.test(code)) return undefined
    const found = verifySync({
      secret: secrets.open(sealedSecret, sealContext(holder)),
      token: code,
      epoch: Math.floor(clock.nowMs() / msPerS),
      epochTolerance: toleranceS,
      ...(lastStep > 0 && { afterTimeStep: lastStep }),
    })
    return found.valid && 'timeStep' in found ? found.timeStep : undefined
  }

  /** A code or a recovery code counts once. Faults: unknown_credential, sign_in_locked. */
  async function check(holder: Holder, totp: StoredTotp, code: string, address = '') {
    const { businessId, userId } = holder
    const plain = plainCode(code)
    await guess(holder, address, async () => {
      if (recoveryShape.test(plain)) {
        return (await store.takeRecoveryCode(businessId, userId, hashToken(plain))) > 0
      }
      const step = findStep(holder, totp, plain)
      return step !== undefined && (await store.takeStep(businessId, userId, step)) > 0
    })
  }

  async function guess(holder: Holder, address: string, run: () => Promise<boolean>) {
    const who = { businessId: holder.businessId, emailKey: parseEmail(holder.email).key, address }
    const attempt = { ...who, guessed: 'code', isFamiliar: false } as const
    if (await lockout.attempt(attempt, run)) return
    throw new Fault('unknown_credential', 'The code is wrong, or was used before.')
  }

  async function confirm(holder: Holder, totp: StoredTotp, code: string, address = '') {
    const { businessId, userId } = holder
    const { sealedSecret } = totp
    const codes = newRecoveryCodes(random)
    await guess(holder, address, async () => {
      const step = findStep(holder, totp, plainCode(code))
      if (step === undefined) return false
      return database.transaction(async (transaction) => {
        const confirmed = { sealedSecret, at: clock.nowMs(), step }
        const user = [businessId, userId] as const
        if ((await store.confirmTotp(transaction, ...user, confirmed)) === 0) return false
        await store.putRecoveryCodes(transaction, ...user, codes.map(hashCode))
        return true
      })
    })
    changed(businessId)
    return codes
  }

  return { begin, check, confirm }
}

export type Codes = ReturnType<typeof createCodes>

export function createTotp(options: TotpOptions, codes: Codes): Totp {
  const { database, store, rights, showPassword, changed, changes, random } = options

  async function requireHolder({ businessId, subject }: Principal): Promise<Holder> {
    const userId = parseUserId(subject)
    const user = userId === undefined ? undefined : await store.user(businessId, userId)
    if (userId === undefined || user === undefined)
      throw new Fault('forbidden', 'Only a user has a second step.')
    return { businessId, userId, email: user.email }
  }

  async function stored({ businessId, userId }: Holder, isConfirmed: boolean) {
    const totp = await store.totp(businessId, userId)
    if (totp !== undefined && (totp.confirmedAt !== null) === isConfirmed) return totp
    const missing = isConfirmed ? 'No second step is set up.' : 'No second step was begun.'
    throw new Fault('not_found', missing)
  }

  async function remove(businessId: string, userId: string): Promise<void> {
    const removed = await database.transaction((transaction) =>
      store.removeTotp(transaction, businessId, userId),
    )
    if (removed === 0) throw new Fault('not_found', 'No second step is set up.')
    changed(businessId)
  }

  return {
    async readTotp(by) {
      const { businessId, userId } = await requireHolder(by)
      const totp = await store.totp(businessId, userId)
      const confirmedAt = totp?.confirmedAt ?? null
      const recoveryCodesLeft = await store.countRecoveryCodes(businessId, userId)
      const isDemanded = await store.demandsTotp(businessId)
      return { isEnabled: confirmedAt !== null, confirmedAt, recoveryCodesLeft, isDemanded }
    },
    async beginTotp(by, password, address) {
      const holder = await requireHolder(by)
      await showPassword(holder.email, password, address)
      return codes.begin(holder)
    },
    confirmTotp: changes.publishing('accounts', async (by, code, address) => {
      const holder = await requireHolder(by)
      return codes.confirm(holder, await stored(holder, false), code, address)
    }),
    async renewRecoveryCodes(by, code, address) {
      const holder = await requireHolder(by)
      await codes.check(holder, await stored(holder, true), code, address)
      const made = newRecoveryCodes(random)
      await store.putRecoveryCodes(database, holder.businessId, holder.userId, made.map(hashCode))
      return made
    },
    removeTotp: changes.publishing('accounts', async (by, code, address) => {
      const holder = await requireHolder(by)
      const totp = await stored(holder, true)
      if (await store.demandsTotp(holder.businessId)) {
        throw new Fault('forbidden', 'The business requires a second step.')
      }
      await codes.check(holder, totp, code, address)
      await remove(holder.businessId, holder.userId)
    }),
    removeUserTotp: changes.publishing('accounts', async (by, id) => {
      const principal = toPrincipal(by)
      const user = await rights.requireUser(principal, await store.user(principal.businessId, id))
      await remove(principal.businessId, user.id)
    }),
  }
}

/** People type codes with spaces, and recovery codes with dashes. */
function plainCode(code: string): string {
  return code.length > limits.codeCharsMax ? '' : code.replaceAll(/[\s-]/g, '').toLowerCase()
}

/** Each has 80 random bits, in four groups that people can read. */
function newRecoveryCodes(random: Random): string[] {
  return Array.from({ length: accountLimits.recoveryCodes }, () => {
    const code = [...random(16)].map((byte) => letters[byte % letters.length]).join('')
    return (code.match(/.{4}/g) ?? []).join('-')
  })
}

function hashCode(code: string): string {
  return hashToken(plainCode(code))
}
