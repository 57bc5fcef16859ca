import { limits, Nullable, StrictObject, Type } from '../../../kernel/index.ts'
import { component, json, nothing, PathText } from '../common.ts'
import { contract } from '../contract.ts'

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

export const getTotp = contract(
  {
    id: 'getTotp',
    method: 'GET',
    path: '/api:1/totp',
    permission: 'account',
    tag: 'accounts',
    summary: "Show the second step of the caller's sign-ins.",
  },
  () => ({
    answers: {
      200: json(
        'The second step.',
        StrictObject({
          enabled: Type.Boolean(),
          confirmed_at: Nullable(Type.Integer(), { description: 'Milliseconds since 1970.' }),
          recovery_codes_left: Type.Integer(),
          demanded: Type.Boolean({ description: 'The business demands it of its users.' }),
        }),
      ),
    },
    refuses: ['forbidden'],
  }),
)

export const beginTotp = contract(
  {
    id: 'beginTotp',
    method: 'POST',
    path: '/api:1/totp',
    permission: 'account',
    tag: 'accounts',
    summary: "Begin to set up a second step for the caller's sign-ins.",
    description: 'By an app that shows codes (TOTP, RFC 6238). It counts once confirmTotp has one.',
  },
  () => ({
    body: StrictObject({ password: Type.String({ description: 'The password of the caller.' }) }),
    answers: { 201: json('What the app needs.', enrolment) },
    refuses: ['already_exists', 'forbidden'],
    example: { request: { password: 'a long phrase' } },
  }),
)

export const confirmTotp = contract(
  {
    id: 'confirmTotp',
    method: 'PUT',
    path: '/api:1/totp',
    permission: 'account',
    tag: 'accounts',
    summary: 'Confirm the second step by the first code that the app shows.',
  },
  () => ({
    body: StrictObject({ code }),
    answers: { 200: json('Sign-ins have a second step from now on.', recoveryCodes) },
    refuses: ['not_found', 'forbidden'],
    example: { request: { code: '123456' } },
  }),
)

export const renewRecoveryCodes = contract(
  {
    id: 'renewRecoveryCodes',
    method: 'POST',
    path: '/api:1/totp/recovery-codes',
    permission: 'account',
    tag: 'accounts',
    summary: 'Replace the recovery codes of the caller.',
  },
  () => ({
    body: StrictObject({ code }),
    answers: { 200: json('Those before are no longer taken.', recoveryCodes) },
    refuses: ['not_found', 'forbidden'],
    example: { request: { code: '123456' } },
  }),
)

export const removeTotp = contract(
  {
    id: 'removeTotp',
    method: 'POST',
    path: '/api:1/totp/removal',
    permission: 'account',
    tag: 'accounts',
    summary: "Remove the second step of the caller's sign-ins.",
    description: 'Not where the business demands it.',
  },
  () => ({
    body: StrictObject({ code }),
    answers: { 204: nothing('It is removed.') },
    refuses: ['not_found', 'forbidden'],
    example: { request: { code: '123456' } },
  }),
)

export const removeUserTotp = contract(
  {
    id: 'removeUserTotp',
    method: 'DELETE',
    path: '/api:1/users/:user/totp',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Remove the second step of a user, who has lost the app and the recovery codes.',
  },
  () => ({
    params: StrictObject({ user: PathText('The id of a user.') }),
    answers: { 204: nothing('It is removed.') },
  }),
)

export const beginDemandedTotp = contract(
  {
    id: 'beginDemandedTotp',
    method: 'POST',
    path: '/api:1/token/totp',
    permission: 'none',
    tag: 'accounts',
    summary: 'Begin to set up the second step without which one cannot sign in.',
    description: 'After `totp_enrolment_required`. The sign-in with the first code confirms it.',
  },
  () => ({
    body: StrictObject({ email: Type.String(), password: Type.String() }),
    bodyBytesMax: limits.signInBodyBytesMax,
    answers: { 201: json('What the app needs.', enrolment) },
    refuses: ['unknown_credential', 'sign_in_locked', 'already_exists', 'forbidden'],
    example: { request: { email: 'ann@example.com', password: 'correct horse battery staple' } },
  }),
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

export const getBusiness = contract(
  {
    id: 'getBusiness',
    method: 'GET',
    path: '/api:1/business',
    permission: 'account',
    tag: 'accounts',
    summary: 'Show the business of the caller, with its settings.',
  },
  () => ({ answers: { 200: json('The business.', business) } }),
)

export const changeBusiness = contract(
  {
    id: 'changeBusiness',
    method: 'PATCH',
    path: '/api:1/business',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Change the settings of the business.',
    description:
      'If it demands a second step, sessions of users without one are refused within a second; ' +
      'they set it up at the next sign-in. API tokens have none. For callers who see the whole ' +
      'business.',
  },
  () => ({
    body: StrictObject({ totp_demanded: Type.Boolean() }),
    answers: { 200: json('The business.', business) },
    example: { request: { totp_demanded: true } },
  }),
)
