import { Fault, invalidField, StrictObject, Type } from '../../../../foundation/kernel/index.ts'
import { sessionSchema, signedInSchema, signInSchema } from '../../../../people/accounts/index.ts'
import { does, lists, PathText, shows } from '../../contract/common.ts'
import { managementLimits } from '../../limits.ts'
import { operations } from '../../operation.ts'

const open = operations('accounts', 'none', '/api:1/token', {
  params: { token: PathText('The token of a session.') },
})
const account = operations('accounts', 'account', '/api:1')
const people = operations('accounts', 'User Management', '/api:1/users/:user/sessions')

export const signIn = open.post(
  '',
  'Begin a session.',
  () => ({
    description:
      'Later calls carry `Authorization: token <token>`. A user with a second step receives ' +
      '`totp_required` until the same request has a code of it.',
    body: signInSchema,
    bodyBytesMax: managementLimits.signInBodyBytesMax,
    ...shows('The token of the session.', signedInSchema),
    refuses: ['unknown_credential', 'sign_in_locked', 'totp_required', 'totp_enrolment_required'],
    example: {
      request: { email: 'ann@example.com', password: 'correct horse battery staple' },
      answer: { token: '5f0c…' },
    },
  }),
  ({ accounts }, { body: { email, password, code }, from }) =>
    accounts.signIn(email, password, { ...from, code }),
)

export const signOut = account.remove(
  '/token',
  'End the session whose token `Authorization` carries.',
  () => ({
    ...does('The session has ended.'),
    refuses: ['invalid_argument'],
  }),
  async ({ accounts }, { authorization = '' }) => {
    const [, token] = /^token (.*)$/i.exec(authorization) ?? []
    if (token === undefined) throw invalidField('Authorization', 'must be the token that ends')
    await accounts.signOut(token.trim())
  },
)

export const getSession = open.get(
  '/:token',
  'Show whose session a token is.',
  () => ({
    ...shows('The user.', StrictObject({ email: Type.String() })),
    refuses: ['unknown_credential'],
  }),
  async ({ accounts }, { params }) => {
    const { businessId, subject } = await accounts.session(params.token)
    const user = await accounts.findUser(businessId, { id: subject.slice('user:'.length) })
    if (user === undefined) throw new Fault('unknown_credential')
    return { email: user.email }
  },
)

export const listSessions = account.get(
  '/sessions',
  "List the caller's open sessions, newest first.",
  () => ({ ...lists('sessions', sessionSchema, 'The sessions.'), refuses: ['forbidden'] }),
  ({ accounts }, { principal }) => accounts.listSessions(principal),
)

export const endSession = account.remove(
  '/sessions/:session',
  "End one of the caller's sessions.",
  () => ({
    description: 'It is refused within a second in every process.',
    ...does('It has ended.'),
    refuses: ['forbidden'],
  }),
  ({ accounts }, { principal, params: { session: id } }) => accounts.endSessions(principal, { id }),
)

export const endSessions = account.remove(
  '/sessions',
  "End all of the caller's sessions, this one, too.",
  () => ({ ...does('They have ended.'), refuses: ['forbidden'] }),
  ({ accounts }, { principal }) => accounts.endSessions(principal, {}),
)

export const listUserSessions = people.get(
  '',
  'List the open sessions of a user, newest first.',
  () => lists('sessions', sessionSchema, 'The sessions.'),
  ({ accounts }, { principal, params: { user } }) => accounts.listSessions(principal, user),
)

export const endUserSession = people.remove(
  '/:session',
  'End one session of a user.',
  () => does('It has ended.'),
  ({ accounts }, { principal, params: { user: userId, session: id } }) =>
    accounts.endSessions(principal, { userId, id }),
)

export const endUserSessions = people.remove(
  '',
  'End all sessions of a user.',
  () => does('They have ended.'),
  ({ accounts }, { principal, params: { user: userId } }) =>
    accounts.endSessions(principal, { userId }),
)
