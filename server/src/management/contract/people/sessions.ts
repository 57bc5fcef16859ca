import { limits, StrictObject, Type } from '../../../kernel/index.ts'
import { json, nothing, PathText } from '../common.ts'
import { contract } from '../contract.ts'

export const signIn = contract(
  {
    id: 'signIn',
    method: 'POST',
    path: '/api:1/token',
    permission: 'none',
    tag: 'accounts',
    summary: 'Begin a session.',
    description: 'Later calls carry `Authorization: token <token>`.',
  },
  () => ({
    body: StrictObject({ email: Type.String(), password: Type.String() }),
    bodyBytesMax: limits.signInBodyBytesMax,
    answers: { 200: json('The token of the session.', StrictObject({ token: Type.String() })) },
    refuses: ['unknown_credential', 'sign_in_locked'],
    example: {
      request: { email: 'ann@example.com', password: 'correct horse battery staple' },
      answer: { token: '5f0c…' },
    },
  }),
)

export const signOut = contract(
  {
    id: 'signOut',
    method: 'DELETE',
    path: '/api:1/token',
    permission: 'account',
    tag: 'accounts',
    summary: 'End the session whose token `Authorization` carries.',
  },
  () => ({
    answers: { 204: nothing('The session has ended.') },
    refuses: ['invalid_argument'],
  }),
)

export const getSession = contract(
  {
    id: 'getSession',
    method: 'GET',
    path: '/api:1/token/:token',
    permission: 'none',
    tag: 'accounts',
    summary: 'Show whose session a token is.',
  },
  () => ({
    params: StrictObject({ token: PathText('The token of a session.') }),
    answers: { 200: json('The user.', StrictObject({ email: Type.String() })) },
    refuses: ['unknown_credential'],
  }),
)
