import { limits, Nullable, StrictObject, Type } from '../../kernel/index.ts'
import { component, json, nothing, PathText } from './common.ts'
import { contract } from './contract.ts'

const business = component('Business', { id: Type.String(), name: Type.String() })

const user = component('User', {
  id: Type.String(),
  email: Type.String(),
  role: Type.String({ description: 'The name of its role.' }),
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
  created_at: Type.Integer({ description: 'Milliseconds since 1970.' }),
  expires_at: Nullable(Type.Integer(), {
    description: 'Milliseconds since 1970; null: it does not expire.',
  }),
  rate_limits: StrictObject({
    requests: Nullable(rateFields.requests, { description: 'Null: as its role has it.' }),
    time: Nullable(rateFields.time, { description: 'Null: as its role has it.' }),
  }),
})

const role = Type.String({ description: 'Administrator, Operator or Viewer.' })

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

export const listUsers = contract(
  {
    id: 'listUsers',
    method: 'GET',
    path: '/api:1/users',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'List the users of the business.',
  },
  () => ({
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
    description: 'Its role permits no more than that of the caller.',
  },
  () => ({
    body: StrictObject({
      email: newUserFields.email,
      password: newUserFields.password,
      role,
    }),
    answers: { 201: json('The user.', user) },
    refuses: ['already_exists'],
    example: { request: { email: 'a@acme.example', password: 'a long phrase', role: 'Viewer' } },
  }),
)

const userParams = StrictObject({ user: PathText('The id of a user.') })

export const deleteUser = contract(
  {
    id: 'deleteUser',
    method: 'DELETE',
    path: '/api:1/users/:user',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Delete a user, and end its sessions.',
  },
  () => ({ params: userParams, answers: { 204: nothing('It is deleted.') } }),
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
      'Its role permits no more than that of the caller, and it expires no later than a token ' +
      'that creates it. Tokens of the business that have expired are removed.',
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
    }),
    answers: {
      201: json(
        'The token; this is the only time that it is shown.',
        StrictObject({ id: Type.String(), token: Type.String() }),
      ),
    },
    refuses: ['forbidden'],
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
  },
  () => ({
    params: StrictObject({ token: PathText('The id of an API token.') }),
    answers: { 204: nothing('It is revoked.') },
  }),
)
