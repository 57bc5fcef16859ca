import { limits, StrictObject, Type } from '../../../../foundation/kernel/index.ts'
import {
  businessSettingsSchema,
  enrolmentSchema,
  totpSchema,
} from '../../../../people/accounts/index.ts'
import { does, holds, makes, shows } from '../../contract/common.ts'
import { managementLimits } from '../../limits.ts'
import { operations } from '../../operation.ts'

const code = Type.String({
  maxLength: limits.codeCharsMax,
  description: 'Six digits that the app shows, or a recovery code.',
})

const recoveryCodes = Type.Array(Type.String(), {
  description: 'Each is taken once in place of a code of the app. They are shown this once.',
})

const account = operations('accounts', 'account', '/api:1')
const people = operations('accounts', 'User Management', '/api:1')
const open = operations('accounts', 'none', '/api:1/token/totp')

export const getTotp = account.get(
  '/totp',
  "Show the second step of the caller's sign-ins.",
  () => ({
    ...shows('The second step.', totpSchema),
    refuses: ['forbidden'],
  }),
  ({ accounts }, { principal }) => accounts.readTotp(principal),
)

export const beginTotp = account.post(
  '/totp',
  "Begin to set up a second step for the caller's sign-ins.",
  () => ({
    description: 'By an app that shows codes (TOTP, RFC 6238). It counts once confirmTotp has one.',
    body: StrictObject({ password: Type.String({ description: 'The password of the caller.' }) }),
    ...makes('What the app needs.', enrolmentSchema),
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
    ...holds('recoveryCodes', recoveryCodes, 'Sign-ins have a second step from now on.'),
    refuses: ['not_found', 'forbidden'],
    example: { request: { code: '123456' } },
  }),
  ({ accounts }, { principal, body: { code }, ip }) => accounts.confirmTotp(principal, code, ip),
)

export const renewRecoveryCodes = account.post(
  '/totp/recovery-codes',
  'Replace the recovery codes of the caller.',
  () => ({
    body: StrictObject({ code }),
    ...holds('recoveryCodes', recoveryCodes, 'Those before are no longer taken.'),
    refuses: ['not_found', 'forbidden'],
    example: { request: { code: '123456' } },
  }),
  ({ accounts }, { principal, body: { code }, ip }) =>
    accounts.renewRecoveryCodes(principal, code, ip),
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
  () => does('It is removed.'),
  ({ accounts }, { principal, params }) => accounts.removeUserTotp(principal, params.user),
)

export const beginDemandedTotp = open.post(
  '',
  'Begin to set up the second step without which one cannot sign in.',
  () => ({
    description: 'After `totp_enrolment_required`. The sign-in with the first code confirms it.',
    body: StrictObject({ email: Type.String(), password: Type.String() }),
    bodyBytesMax: managementLimits.signInBodyBytesMax,
    ...makes('What the app needs.', enrolmentSchema),
    refuses: ['unknown_credential', 'sign_in_locked', 'already_exists', 'forbidden'],
    example: { request: { email: 'ann@example.com', password: 'correct horse battery staple' } },
  }),
  ({ accounts }, { body: { email, password }, from }) =>
    accounts.beginDemandedTotp(email, password, from),
)

export const getBusiness = account.get(
  '/business',
  'Show the business of the caller, with its settings.',
  () => shows('The business.', businessSettingsSchema),
  ({ accounts }, { businessId }) => accounts.businessSettings(businessId),
)

export const changeBusiness = people.patch(
  '/business',
  'Change the settings of the business.',
  () => ({
    description:
      'If it demands a second step, sessions of users without one are refused within a second; ' +
      'they set it up at the next sign-in. API tokens have none. For callers who see the whole ' +
      'business.',
    body: StrictObject({ totpDemanded: Type.Boolean() }),
    ...shows('The business.', businessSettingsSchema),
    example: { request: { totp_demanded: true } },
  }),
  async ({ accounts }, { principal, body }) => {
    await accounts.demandTotp(principal, body.totpDemanded)
    return await accounts.businessSettings(principal.businessId)
  },
)
