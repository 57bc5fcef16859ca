import type { Accounts } from '../../../accounts/index.ts'
import { component, Fault, limits, Nullable, StrictObject, Type } from '../../../kernel/index.ts'
import { does, makes, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const code = Type.String({
  maxLength: limits.codeCharsMax,
  description: 'Six digits that the app shows, or a recovery code.',
})

const enrolment = component('TotpEnrolment', {
  secret: Type.String({ description: 'For apps into which it is typed, in base32.' }),
  uri: Type.String({ description: 'The same as a link `otpauth://…`, for apps that scan it.' }),
})

const recoveryCodes = StrictObject({
  recovery_codes: Type.Array(Type.String(), {
    description: 'Each is taken once in place of a code of the app. They are shown this once.',
  }),
})

const account = operations('accounts', 'account', '/api:1')
const people = operations('accounts', 'User Management', '/api:1')
const open = operations('accounts', 'none', '/api:1/token/totp')

export const getTotp = account.get(
  '/totp',
  "Show the second step of the caller's sign-ins.",
  () => ({
    ...shows(
      'The second step.',
      StrictObject({
        isEnabled: Type.Boolean({ wire: 'enabled' }),
        confirmedAt: Nullable(Type.Integer(), { description: 'Milliseconds since 1970.' }),
        recoveryCodesLeft: Type.Integer(),
        demanded: Type.Boolean({ description: 'The business demands it of its users.' }),
      }),
    ),
    refuses: ['forbidden'],
  }),
  async ({ accounts }, { principal }) => {
    const demanded = await accounts.demandsTotp(principal.businessId)
    return { ...(await accounts.totpOf(principal)), demanded }
  },
)

export const beginTotp = account.post(
  '/totp',
  "Begin to set up a second step for the caller's sign-ins.",
  () => ({
    description: 'By an app that shows codes (TOTP, RFC 6238). It counts once confirmTotp has one.',
    body: StrictObject({ password: Type.String({ description: 'The password of the caller.' }) }),
    ...makes('What the app needs.', enrolment),
    refuses: ['already_exists', 'forbidden'],
    example: { request: { password: 'a long phrase' } },
  }),
  ({ accounts }, { principal, body: { password }, ip }) =>
    accounts.beginTotp(principal, password, ip),
)

export const confirmTotp = account.put(
  '/totp',
  'Confirm the second step by the first code that the app shows.',
  () => ({
    body: StrictObject({ code }),
    ...shows('Sign-ins have a second step from now on.', recoveryCodes),
    refuses: ['not_found', 'forbidden'],
    example: { request: { code: '123456' } },
  }),
  async ({ accounts }, { principal, body: { code }, ip }) => ({
    recovery_codes: await accounts.confirmTotp(principal, code, ip),
  }),
)

export const renewRecoveryCodes = account.post(
  '/totp/recovery-codes',
  'Replace the recovery codes of the caller.',
  () => ({
    body: StrictObject({ code }),
    ...shows('Those before are no longer taken.', recoveryCodes),
    refuses: ['not_found', 'forbidden'],
    example: { request: { code: '123456' } },
  }),
  async ({ accounts }, { principal, body: { code }, ip }) => ({
    recovery_codes: await accounts.renewRecoveryCodes(principal, code, ip),
  }),
)

export const removeTotp = account.post(
  '/totp/removal',
  "Remove the second step of the caller's sign-ins.",
  () => ({
    description: 'Not where the business demands it.',
    body: StrictObject({ code }),
    ...does('It is removed.'),
    refuses: ['not_found', 'forbidden'],
    example: { request: { code: '123456' } },
  }),
  ({ accounts }, { principal, body: { code }, ip }) => accounts.removeTotp(principal, code, ip),
)

export const removeUserTotp = people.remove(
  '/users/:user/totp',
  'Remove the second step of a user, who has lost the app and the recovery codes.',
  () => ({
    ...does('It is removed.'),
  }),
  ({ accounts }, { principal, params }) => accounts.removeUserTotp(principal, params.user),
)

export const beginDemandedTotp = open.post(
  '',
  'Begin to set up the second step without which one cannot sign in.',
  () => ({
    description: 'After `totp_enrolment_required`. The sign-in with the first code confirms it.',
    body: StrictObject({ email: Type.String(), password: Type.String() }),
    bodyBytesMax: limits.signInBodyBytesMax,
    ...makes('What the app needs.', enrolment),
    refuses: ['unknown_credential', 'sign_in_locked', 'already_exists', 'forbidden'],
    example: { request: { email: 'ann@example.com', password: 'correct horse battery staple' } },
  }),
  ({ accounts }, { body: { email, password }, from }) =>
    accounts.beginDemandedTotp(email, password, from),
)

const business = component('BusinessSettings', {
  id: Type.String(),
  name: Type.String(),
  totp_demanded: Type.Boolean({ description: 'Its users need a second step to sign in.' }),
  sign_in: StrictObject(
    {
      session_hours: Type.Integer({ description: 'A session ends so long after it began.' }),
      failures_most: Type.Integer({ description: 'Failed sign-ins of a user before a lock.' }),
      lock_seconds: Type.Integer({ description: 'Of the first lock; each further one doubles.' }),
      lock_seconds_most: Type.Integer({ description: 'Of the longest lock.' }),
      password_chars_least: Type.Integer({ description: 'Characters of a password.' }),
    },
    { description: 'Limits of the instance, which its operator sets.' },
  ),
})

export const getBusiness = account.get(
  '/business',
  'Show the business of the caller, with its settings.',
  () => shows('The business.', business),
  ({ accounts }, { businessId }) => settings(accounts, businessId),
)

export const changeBusiness = people.patch(
  '/business',
  'Change the settings of the business.',
  () => ({
    description:
      'If it demands a second step, sessions of users without one are refused within a second; ' +
      'they set it up at the next sign-in. API tokens have none. For callers who see the whole ' +
      'business.',
    body: StrictObject({ totp_demanded: Type.Boolean() }),
    ...shows('The business.', business),
    example: { request: { totp_demanded: true } },
  }),
  async ({ accounts }, { principal, body }) => {
    await accounts.demandTotp(principal, body.totp_demanded)
    return await settings(accounts, principal.businessId)
  },
)

async function settings(accounts: Accounts, businessId: string) {
  const business = await accounts.findBusiness(businessId)
  if (business === undefined) throw new Fault('unknown_credential')
  const isDemanded = await accounts.demandsTotp(businessId)
  return { ...business, totp_demanded: isDemanded, sign_in: signInLimits() }
}

const msPerSecond = 1_000

/** The settings of the operator for all businesses. */
function signInLimits() {
  return {
    session_hours: limits.sessionHours,
    failures_most: limits.failedSignInsMax,
    lock_seconds: Math.ceil(limits.lockoutMs / msPerSecond),
    lock_seconds_most: Math.ceil(limits.lockoutMsMax / msPerSecond),
    password_chars_least: limits.accountPasswordCharsMin,
  }
}
