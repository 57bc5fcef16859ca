import { limits, StrictObject, Type } from '../../../kernel/index.ts'
import { nothing } from '../common.ts'
import { contract } from '../contract.ts'

export const changePassword = contract(
  {
    id: 'changePassword',
    method: 'PUT',
    path: '/api:1/password',
    permission: 'account',
    tag: 'accounts',
    summary: "Change the caller's own password, and end all sessions.",
  },
  () => ({
    body: StrictObject({
      present: Type.String({ description: 'The password until now.' }),
      password: Type.String(),
    }),
    answers: { 204: nothing('It is changed.') },
    refuses: ['forbidden'],
    example: { request: { present: 'a long phrase', password: 'another long phrase' } },
  }),
)

export const requestPasswordReset = contract(
  {
    id: 'requestPasswordReset',
    method: 'POST',
    path: '/api:1/password-resets',
    permission: 'none',
    tag: 'accounts',
    summary: 'Send a link by mail that sets a new password.',
    description:
      'The answer is the same if there is no such user. The link is valid for 60 minutes ' +
      '(`passwordResetMinutes`); 3 at most are sent in that time.',
  },
  () => ({
    body: StrictObject({ email: Type.String() }),
    bodyBytesMax: limits.signInBodyBytesMax,
    answers: { 204: nothing('If there is such a user, a mail is on its way.') },
    refuses: ['too_many_requests'],
    example: { request: { email: 'amy@acme.example' } },
  }),
)

export const resetPassword = contract(
  {
    id: 'resetPassword',
    method: 'PUT',
    path: '/api:1/password-resets',
    permission: 'none',
    tag: 'accounts',
    summary: 'Set a new password by the link of a mail, and end all sessions.',
  },
  () => ({
    body: StrictObject({
      token: Type.String({ description: 'What the link has behind `#reset=`.' }),
      password: Type.String(),
    }),
    bodyBytesMax: limits.signInBodyBytesMax,
    answers: { 204: nothing('It is set.') },
    refuses: ['not_found', 'too_many_requests'],
    example: { request: { token: '3f6c…', password: 'another long phrase' } },
  }),
)
