import { StrictObject, Type } from '../../../../foundation/kernel/index.ts'
import { does } from '../../contract/common.ts'
import { managementLimits } from '../../limits.ts'
import { operations } from '../../operation.ts'

const account = operations('accounts', 'account', '/api:1/password')
const open = operations('accounts', 'none', '/api:1/password-resets')

export const changePassword = account.put(
  '',
  "Change the caller's own password, and end all sessions.",
  () => ({
    body: StrictObject({
      present: Type.String({ description: 'The password until now.' }),
      password: Type.String(),
    }),
    ...does('It is changed.'),
    refuses: ['forbidden'],
    example: { request: { present: 'a long phrase', password: 'another long phrase' } },
  }),
  ({ accounts }, { principal, body: { present, password }, ip }) =>
    accounts.changeOwnPassword(principal, present, password, ip),
)

export const requestPasswordReset = open.post(
  '',
  'Send a link by mail that sets a new password.',
  () => ({
    description:
      'The answer is the same if there is no such user. The link is valid for 60 minutes ' +
      '(`passwordResetMinutes`); 3 at most are sent in that time.',
    body: StrictObject({ email: Type.String() }),
    bodyBytesMax: managementLimits.signInBodyBytesMax,
    ...does('If there is such a user, a mail is on its way.'),
    refuses: ['too_many_requests'],
    example: { request: { email: 'amy@acme.example' } },
  }),
  ({ accounts }, { body, ip }) => accounts.requestReset(body.email, ip),
)

export const resetPassword = open.put(
  '',
  'Set a new password by the link of a mail, and end all sessions.',
  () => ({
    body: StrictObject({
      token: Type.String({ description: 'What the link has behind `#reset=`.' }),
      password: Type.String(),
    }),
    bodyBytesMax: managementLimits.signInBodyBytesMax,
    ...does('It is set.'),
    refuses: ['not_found', 'too_many_requests'],
    example: { request: { token: '3f6c…', password: 'another long phrase' } },
  }),
  ({ accounts }, { body: { token, password }, from }) =>
    accounts.resetPassword(token, password, from),
)
