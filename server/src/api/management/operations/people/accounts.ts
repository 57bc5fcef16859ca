import { Fault, PageSize, StrictObject, Type } from '../../../../foundation/kernel/index.ts'
import {
  auditEntrySchema,
  auditFilterSchema,
  businessSchema,
  callerSchema,
  changedUserSchema,
  createNewTokenSchema,
  newAccountSchema,
  newBusinessSchema,
  newUserFields,
  newUserSchema,
  tokenSchema,
  userChangeSchema,
  userSchema,
} from '../../../../people/accounts/index.ts'
import { existing, wholePage } from '../../calls.ts'
import { confirm, does, lists, makes, PathText, paging, shows } from '../../contract/common.ts'
import { managementLimits } from '../../limits.ts'
import { operations } from '../../operation.ts'

const account = operations('accounts', 'account', '/api:1/whoami')
const operator = operations('accounts', 'operator', '/api:1/businesses')
const open = operations('accounts', 'none', '/api:1/first-account')
const people = operations('accounts', 'User Management', '/api:1/users')
const audit = operations('accounts', 'User Management', '/api:1/audit')
const setup = operations('accounts', 'Setup', '/api:1/api-tokens', {
  params: { token: PathText('The id of an API token.') },
})

export const getCaller = account.get(
  '',
  'Show whose credential it is and what it permits.',
  () => shows('The caller.', callerSchema),
  ({ accounts }, { principal }) => accounts.describeCaller(principal),
)

export const listBusinesses = operator.get(
  '',
  'List the businesses of the instance, oldest first.',
  () => lists('businesses', businessSchema, 'The businesses.'),
  ({ accounts }) => accounts.listBusinesses(),
)

export const createBusiness = operator.post(
  '',
  'Create a business with its first account, an Administrator.',
  () => ({
    body: newBusinessSchema,
    ...makes('The business.', businessSchema),
    refuses: ['already_exists'],
    example: { request: { name: 'Acme', email: 'ops@acme.example', password: 'a long phrase' } },
  }),
  ({ accounts }, { body: { name, ...administrator } }) =>
    accounts.createBusiness({ name, administrator }),
)

export const createFirstAccount = open.post(
  '',
  'Create the first business of an instance, with its Administrator.',
  () => ({
    description:
      'The code is that of the link which the start prints if there is no account. It is valid ' +
      'once, and while the process runs that printed it.',
    body: newAccountSchema,
    bodyBytesMax: managementLimits.signInBodyBytesMax,
    ...makes('The business.', businessSchema),
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
  ({ firstAccount }, { body }) => {
    if (firstAccount === undefined) throw new Fault('unknown_credential')
    return firstAccount.create(body)
  },
)

export const listUsers = people.get(
  '',
  'List the users of the business.',
  () => ({
    description: 'In the order of their e-mail addresses; those who see no more than the caller.',
    query: StrictObject(paging()),
    ...lists('users', userSchema, 'The users.'),
  }),
  async ({ accounts }, { principal, query }) =>
    accounts.withLocks(await accounts.listUsers(principal, wholePage(query))),
)

export const createUser = people.post(
  '',
  'Create a user of the business.',
  () => ({
    description: 'Its role permits no more, and it sees no more groups, than the caller.',
    body: newUserSchema,
    ...makes('The user.', userSchema),
    refuses: ['already_exists', 'forbidden', 'not_found', 'business_quota_full'],
    example: { request: { email: 'a@acme.example', password: 'a long phrase', role: 'Viewer' } },
  }),
  async ({ accounts }, { principal, body }) =>
    accounts.withLock(await accounts.createUser(principal, body)),
)

export const getUser = people.get(
  '/:user',
  'Show a user.',
  () => shows('The user.', userSchema),
  async ({ accounts }, { principal, params }) =>
    accounts.withLock(await existing(accounts.findUser(principal, { id: params.user }), 'user')),
)

export const changeUser = people.patch(
  '/:user',
  'Change the name, the role or the groups of a user.',
  () => ({
    description:
      'It holds within a second in every process, also for open sessions. Neither the old role ' +
      'and groups nor the new ones may exceed those of the caller. API tokens and invitations ' +
      'that the user has made, and could not make any more, end with it.',
    body: userChangeSchema,
    ...shows('The user.', changedUserSchema),
    refuses: ['in_use'],
    example: { request: { role: 'Operator' } },
  }),
  async ({ accounts }, { principal, params, body }) =>
    accounts.withLock(await accounts.changeUser(principal, params.user, body)),
)

export const deleteUser = people.remove(
  '/:user',
  'Delete a user, and end its sessions.',
  () => ({
    description:
      'Not the last one who sees the whole business and has "User Management": `in_use`. The API ' +
      'tokens and invitations that the user has made go too, if `confirm` is the e-mail address ' +
      'or the id; else `in_use` names them.',
    query: StrictObject({ confirm }),
    ...does('It is deleted.'),
    refuses: ['in_use'],
  }),
  ({ accounts }, { principal, params, query }) =>
    accounts.removeUser(principal, params.user, query.confirm),
)

export const setUserPassword = people.put(
  '/:user/password',
  'Set the password of a user, and end its sessions.',
  () => ({
    description: "The user's role permits no more than that of the caller.",
    body: StrictObject({ password: newUserFields.password }),
    ...does('It is set.'),
    example: { request: { password: 'another long phrase' } },
  }),
  async ({ accounts }, { principal, params, body }) => {
    const user = await existing(accounts.findUser(principal, { id: params.user }), 'user')
    await accounts.setPassword(principal, user.email, body.password)
  },
)

export const unlockUser = people.remove(
  '/:user/lock',
  'End the lock of a user after failed sign-ins.',
  () => ({ description: 'A new password ends it, too.', ...does('It is not locked.') }),
  ({ accounts }, { principal, params }) => accounts.unlockUser(principal, params.user),
)

export const listApiTokens = setup.get(
  '',
  'List the API tokens of the business, newest first.',
  () => lists('tokens', tokenSchema, 'The tokens.'),
  ({ accounts }, { principal }) => accounts.listTokens(principal),
)

export const createApiToken = setup.post(
  '',
  'Create an API token.',
  () => ({
    description:
      'Its role permits no more, and it sees no more groups, than the caller; it expires no ' +
      'later than a token that creates it. Tokens of the business that have expired are removed.',
    body: createNewTokenSchema(),
    ...makes(
      'The token; this is the only time that it is shown.',
      StrictObject({ id: Type.String(), token: Type.String() }),
    ),
    refuses: ['forbidden', 'not_found', 'business_quota_full'],
    example: { request: { name: 'reporting', role: 'Viewer' } },
  }),
  ({ accounts }, { principal, body }) => accounts.createToken(principal, body),
)

export const deleteApiToken = setup.remove(
  '/:token',
  'Revoke an API token.',
  () => ({
    description: 'It holds within a second in every process.',
    ...does('It is revoked.'),
  }),
  ({ accounts }, { principal, params }) => accounts.revokeToken(principal, params.token),
)

export const listAudit = audit.get(
  '',
  'List who did what from where, newest first.',
  () => ({
    description:
      'Every call that changes something, also one that was refused; for callers who see the ' +
      'whole business. It is kept for 400 days (`auditDays`). The next page is asked for by ' +
      '`before`, the id of the last entry.',
    query: StrictObject({ ...auditFilterSchema.properties, limit: PageSize() }),
    ...lists('entries', auditEntrySchema, 'The entries.'),
  }),
  ({ accounts }, { principal, query: { limit, ...filter } }) =>
    accounts.listAudit(principal, filter, limit),
)
