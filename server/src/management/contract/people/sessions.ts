import { limits, Nullable, StrictObject, Type } from '../../../kernel/index.ts'
import { component, json, nothing, PathText } from '../common.ts'
import { contract } from '../contract.ts'

export const signIn = contract(
  {
    id: 'signIn',
    method: 'POST',
    path: '/api:1/token',
    permission: 'none',
    tag: 'accounts',
    summary: 'Begin a session.',
    description:
      'Later calls carry `Authorization: token <token>`. A user with a second step receives ' +
      '`totp_required` until the same request has a code of it.',
  },
  () => ({
    body: StrictObject({
      email: Type.String(),
      password: Type.String(),
      code: Type.Optional(
        Type.String({
          maxLength: limits.codeCharsMax,
          description: 'Of the second step: of the app, or a recovery code.',
        }),
      ),
    }),
    bodyBytesMax: limits.signInBodyBytesMax,
    answers: {
      200: json(
        'The token of the session.',
        StrictObject({
          token: Type.String(),
          recovery_codes: Type.Optional(
            Type.Array(Type.String(), {
              description: 'Only if the code has confirmed a second step; shown this once.',
            }),
          ),
        }),
      ),
    },
    refuses: ['unknown_credential', 'sign_in_locked', 'totp_required', 'totp_enrolment_required'],
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

const sessionList = () =>
  StrictObject({
    sessions: Type.Array(
      component('Session', {
        id: Type.String(),
        created_at: Type.Integer({ description: 'Milliseconds since 1970.' }),
        last_used_at: Nullable(Type.Integer(), {
          description: 'Milliseconds since 1970, to the minute; null: not since it began.',
        }),
        expires_at: Type.Integer({ description: 'Milliseconds since 1970.' }),
        address: Type.String({ description: 'The network address from which it was opened.' }),
        user_agent: Type.String({ description: 'The program, as it named itself.' }),
        method: Type.String({ description: '`password`, `totp` or `oidc`.' }),
      }),
    ),
  })

const userParams = StrictObject({ user: PathText('The id of a user.') })
const sessionText = PathText('The id of a session.')

export const listSessions = contract(
  {
    id: 'listSessions',
    method: 'GET',
    path: '/api:1/sessions',
    permission: 'account',
    tag: 'accounts',
    summary: "List the caller's open sessions, newest first.",
  },
  () => ({ answers: { 200: json('The sessions.', sessionList()) }, refuses: ['forbidden'] }),
)

export const endSession = contract(
  {
    id: 'endSession',
    method: 'DELETE',
    path: '/api:1/sessions/:session',
    permission: 'account',
    tag: 'accounts',
    summary: "End one of the caller's sessions.",
    description: 'It is refused within a second in every process.',
  },
  () => ({
    params: StrictObject({ session: sessionText }),
    answers: { 204: nothing('It has ended.') },
    refuses: ['forbidden'],
  }),
)

export const endSessions = contract(
  {
    id: 'endSessions',
    method: 'DELETE',
    path: '/api:1/sessions',
    permission: 'account',
    tag: 'accounts',
    summary: "End all of the caller's sessions, this one, too.",
  },
  () => ({ answers: { 204: nothing('They have ended.') }, refuses: ['forbidden'] }),
)

export const listUserSessions = contract(
  {
    id: 'listUserSessions',
    method: 'GET',
    path: '/api:1/users/:user/sessions',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'List the open sessions of a user, newest first.',
  },
  () => ({ params: userParams, answers: { 200: json('The sessions.', sessionList()) } }),
)

export const endUserSession = contract(
  {
    id: 'endUserSession',
    method: 'DELETE',
    path: '/api:1/users/:user/sessions/:session',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'End one session of a user.',
  },
  () => ({
    params: StrictObject({ user: PathText('The id of a user.'), session: sessionText }),
    answers: { 204: nothing('It has ended.') },
  }),
)

export const endUserSessions = contract(
  {
    id: 'endUserSessions',
    method: 'DELETE',
    path: '/api:1/users/:user/sessions',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'End all sessions of a user.',
  },
  () => ({ params: userParams, answers: { 204: nothing('They have ended.') } }),
)
