import { limits, Nullable, StrictObject, Type } from '../../../kernel/index.ts'
import { component, json, nothing, Offset, PageSize, PathText } from '../common.ts'
import { contract } from '../contract.ts'
import { confirm } from '../schemas/dependants.ts'
import { endedNames } from './roles.ts'

const business = component('Business', { id: Type.String(), name: Type.String() })

const groups = {
  shown: Nullable(Type.Array(Type.String()), {
    description: 'Ids of the groups that it sees, each with all below; null: the whole business.',
  }),
  given: Type.Optional(
    Nullable(Type.Array(Type.String()), {
      description:
        'Ids of the groups that it sees, each with all below. Left out: those of the caller.',
    }),
  ),
}

const userFields = {
  id: Type.String(),
  email: Type.String(),
  name: Type.String({ description: 'Empty if nobody gave one.' }),
  role: Type.String({ description: 'The name of its role.' }),
  groups: groups.shown,
  totp: Type.Boolean({ description: 'Its sign-ins have a second step.' }),
  last_sign_in_at: Nullable(Type.Integer(), {
    description:
      'Milliseconds since 1970: when its last session began; null: none is known. Requests with ' +
      'the password (HTTP Basic) begin no session.',
  }),
  locked_until: Nullable(Type.Integer(), {
    description:
      'Milliseconds since 1970: so long sign-ins are refused from some addresses, or from all, ' +
      'after too many that failed; null: they are not.',
  }),
}

const user = component('User', userFields)

const changedUser = component('ChangedUser', {
  ...userFields,
  ended: endedNames,
})

const rateFields = {
  requests: Type.Integer({ minimum: 1, description: 'Requests of the graph API in a window.' }),
  time: Type.Integer({ minimum: 1, description: 'The sum of their milliseconds.' }),
}

const rateLimits = StrictObject({
  requests: Type.Optional(rateFields.requests),
  time: Type.Optional(rateFields.time),
})

const apiToken = component('ApiToken', {
  id: Type.String(),
  name: Type.String({ description: 'What the token is for.' }),
  role: Type.String({ description: 'The name of its role.' }),
  groups: groups.shown,
  addresses: Type.Array(Type.String(), {
    description: 'Network addresses and ranges from which it is taken; empty: any.',
  }),
  created_at: Type.Integer({ description: 'Milliseconds since 1970.' }),
  created_by: Nullable(Type.String(), {
    description: '`user:<id>`, `token:<id>` or `operator`; null: not known.',
  }),
  last_used_at: Nullable(Type.Integer(), {
    description: 'Milliseconds since 1970, to the minute; null: it was not used yet.',
  }),
  expires_at: Nullable(Type.Integer(), {
    description: 'Milliseconds since 1970; null: it does not expire.',
  }),
  rate_limits: StrictObject({
    requests: Nullable(rateFields.requests, { description: 'Null: as its role has it.' }),
    time: Nullable(rateFields.time, { description: 'Null: as its role has it.' }),
  }),
})

const role = Type.String({
  description: 'The name of a role: Administrator, Operator, Viewer, or one of your own.',
})

const newUserFields = {
  email: Type.String({ description: 'Unique in the instance.' }),
  password: Type.String({ maxLength: limits.settingCharsMax }),
}

export const getCaller = contract(
  {
    id: 'getCaller',
    method: 'GET',
    path: '/api:1/whoami',
    permission: 'account',
    tag: 'accounts',
    summary: 'Show whose credential it is and what it permits.',
  },
  () => ({
    answers: {
      200: json(
        'The caller.',
        component('Caller', {
          business: business,
          subject: Type.String({ description: '`user:<id>`, `token:<id>` or `operator`.' }),
          email: Nullable(Type.String(), { description: "A user's; else null." }),
          permissions: Type.Array(Type.String()),
          groups: groups.shown,
        }),
      ),
    },
  }),
)

export const listBusinesses = contract(
  {
    id: 'listBusinesses',
    method: 'GET',
    path: '/api:1/businesses',
    permission: 'operator',
    tag: 'accounts',
    summary: 'List the businesses of the instance, oldest first.',
  },
  () => ({
    answers: {
      200: json('The businesses.', StrictObject({ businesses: Type.Array(business) })),
    },
  }),
)

export const createBusiness = contract(
  {
    id: 'createBusiness',
    method: 'POST',
    path: '/api:1/businesses',
    permission: 'operator',
    tag: 'accounts',
    summary: 'Create a business with its first account, an Administrator.',
  },
  () => ({
    body: StrictObject({
      name: Type.String({ description: 'Unique in the instance.' }),
      email: newUserFields.email,
      password: newUserFields.password,
    }),
    answers: { 201: json('The business.', business) },
    refuses: ['already_exists'],
    example: { request: { name: 'Acme', email: 'ops@acme.example', password: 'a long phrase' } },
  }),
)

export const createFirstAccount = contract(
  {
    id: 'createFirstAccount',
    method: 'POST',
    path: '/api:1/first-account',
    permission: 'none',
    tag: 'accounts',
    summary: 'Create the first business of an instance, with its Administrator.',
    description:
      'The code is that of the link which the start prints if there is no account. It is valid ' +
      'once, and while the process runs that printed it.',
  },
  () => ({
    body: StrictObject({
      code: Type.String({ description: 'The end of the link, behind #.' }),
      business: Type.String({ description: 'The name of the business.' }),
      email: newUserFields.email,
      password: newUserFields.password,
    }),
    bodyBytesMax: limits.signInBodyBytesMax,
    answers: { 201: json('The business.', business) },
    refuses: ['unknown_credential', 'invalid_argument'],
    example: {
      request: {
        code: '3f6c…',
        business: 'Acme',
        email: 'ops@acme.example',
        password: 'a long phrase',
      },
    },
  }),
)

export const listUsers = contract(
  {
    id: 'listUsers',
    method: 'GET',
    path: '/api:1/users',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'List the users of the business.',
    description: 'In the order of their e-mail addresses; those who see no more than the caller.',
  },
  () => ({
    query: StrictObject({ limit: PageSize(limits.pageMax), offset: Offset() }),
    answers: { 200: json('The users.', StrictObject({ users: Type.Array(user) })) },
  }),
)

export const createUser = contract(
  {
    id: 'createUser',
    method: 'POST',
    path: '/api:1/users',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Create a user of the business.',
    description: 'Its role permits no more, and it sees no more groups, than the caller.',
  },
  () => ({
    body: StrictObject({
      email: newUserFields.email,
      password: newUserFields.password,
      role,
      name: Type.Optional(Type.String()),
      groups: groups.given,
    }),
    answers: { 201: json('The user.', user) },
    refuses: ['already_exists', 'forbidden', 'not_found', 'business_quota_full'],
    example: { request: { email: 'a@acme.example', password: 'a long phrase', role: 'Viewer' } },
  }),
)

const userParams = StrictObject({ user: PathText('The id of a user.') })

export const getUser = contract(
  {
    id: 'getUser',
    method: 'GET',
    path: '/api:1/users/:user',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Show a user.',
  },
  () => ({ params: userParams, answers: { 200: json('The user.', user) } }),
)

export const changeUser = contract(
  {
    id: 'changeUser',
    method: 'PATCH',
    path: '/api:1/users/:user',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Change the name, the role or the groups of a user.',
    description:
      'It holds within a second in every process, also for open sessions. Neither the old role ' +
      'and groups nor the new ones may exceed those of the caller. API tokens and invitations ' +
      'that the user has made, and could not make any more, end with it.',
  },
  () => ({
    params: userParams,
    body: StrictObject({
      name: Type.Optional(Type.String()),
      role: Type.Optional(role),
      groups: groups.given,
    }),
    answers: { 200: json('The user.', changedUser) },
    refuses: ['in_use'],
    example: { request: { role: 'Operator' } },
  }),
)

export const deleteUser = contract(
  {
    id: 'deleteUser',
    method: 'DELETE',
    path: '/api:1/users/:user',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Delete a user, and end its sessions.',
    description:
      'Not the last one who sees the whole business and has "User Management": `in_use`. The API ' +
      'tokens and invitations that the user has made go too, if `confirm` is the e-mail address ' +
      'or the id; else `in_use` names them.',
  },
  () => ({
    params: userParams,
    query: StrictObject({ confirm }),
    answers: { 204: nothing('It is deleted.') },
    refuses: ['in_use'],
  }),
)

export const setUserPassword = contract(
  {
    id: 'setUserPassword',
    method: 'PUT',
    path: '/api:1/users/:user/password',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Set the password of a user, and end its sessions.',
    description: "The user's role permits no more than that of the caller.",
  },
  () => ({
    params: userParams,
    body: StrictObject({ password: newUserFields.password }),
    answers: { 204: nothing('It is set.') },
    example: { request: { password: 'another long phrase' } },
  }),
)

export const unlockUser = contract(
  {
    id: 'unlockUser',
    method: 'DELETE',
    path: '/api:1/users/:user/lock',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'End the lock of a user after failed sign-ins.',
    description: 'A new password ends it, too.',
  },
  () => ({ params: userParams, answers: { 204: nothing('It is not locked.') } }),
)

export const listApiTokens = contract(
  {
    id: 'listApiTokens',
    method: 'GET',
    path: '/api:1/api-tokens',
    permission: 'Setup',
    tag: 'accounts',
    summary: 'List the API tokens of the business, newest first.',
  },
  () => ({
    answers: { 200: json('The tokens.', StrictObject({ tokens: Type.Array(apiToken) })) },
  }),
)

export const createApiToken = contract(
  {
    id: 'createApiToken',
    method: 'POST',
    path: '/api:1/api-tokens',
    permission: 'Setup',
    tag: 'accounts',
    summary: 'Create an API token.',
    description:
      'Its role permits no more, and it sees no more groups, than the caller; it expires no ' +
      'later than a token that creates it. Tokens of the business that have expired are removed.',
  },
  () => ({
    body: StrictObject({
      name: Type.String({ description: 'What the token is for.' }),
      role,
      expires_at: Type.Optional(
        Type.Integer({
          description:
            'From this time on, in milliseconds since 1970, it is refused; left out: it does not ' +
            `expire. At most ${limits.apiTokenDaysMax} days from now.`,
        }),
      ),
      rate_limits: Type.Optional(rateLimits),
      groups: groups.given,
      addresses: Type.Optional(
        Type.Array(Type.String(), {
          description: 'Network addresses and ranges from which it is taken: `192.0.2.0/24`.',
        }),
      ),
    }),
    answers: {
      201: json(
        'The token; this is the only time that it is shown.',
        StrictObject({ id: Type.String(), token: Type.String() }),
      ),
    },
    refuses: ['forbidden', 'not_found', 'business_quota_full'],
    example: { request: { name: 'reporting', role: 'Viewer' } },
  }),
)

export const deleteApiToken = contract(
  {
    id: 'deleteApiToken',
    method: 'DELETE',
    path: '/api:1/api-tokens/:token',
    permission: 'Setup',
    tag: 'accounts',
    summary: 'Revoke an API token.',
    description: 'It holds within a second in every process.',
  },
  () => ({
    params: StrictObject({ token: PathText('The id of an API token.') }),
    answers: { 204: nothing('It is revoked.') },
  }),
)
