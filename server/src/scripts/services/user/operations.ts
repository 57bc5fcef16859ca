import {
  AnyValue,
  defineOperations,
  limits,
  RecordOf,
  type Static,
  StrictObject,
  Text,
  Type,
} from '../../../foundation/kernel/index.ts'
import { solutionUserLimits } from './limits.ts'
import { roleSchemas } from './role-operations.ts'
import { emailSchema, idSchema, password, userSchema, written } from './schemas.ts'

/** The seconds of a token of a solution's user if the script sets no `time_to_live`. */
const solutionTokenSeconds = 86_400
/** The most that `time_to_live` may set, in seconds. */
const solutionTokenSecondsMax = 31_536_000

const name = () =>
  Type.Optional(Text({ description: 'The name of the user.', maxLength: limits.nameCharsMax }))

const code = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 200, rule: 'must be given, a text' })

const status = () =>
  Type.Integer({
    description: '0: not activated, 1: active, 2 and more: cannot sign in.',
    minimum: 0,
    maximum: 100,
    digitsAsNumber: true,
    rule: 'must be 0 to 100',
  })

const createUser = () => ({
  description: 'Signs a user up; the result is the activation code.',
  args: StrictObject({
    email: emailSchema(),
    password: password('The password.'),
    name: name(),
  }),
  result: Type.String({ description: 'The activation code.' }),
})

const listUsers = () => ({
  description: 'Lists users by their number.',
  reads: true as const,
  args: StrictObject({
    filter: Type.Optional(
      Type.Array(Type.String({ maxLength: 500 }), {
        description:
          '`<field>::<operator>::<value>`: the field `id`, `email`, `name` or `status`, the ' +
          'operator `eq` or `like` (a part, in any letter case). Each one holds.',
        itemAsList: true,
        maxItems: 10,
        rule: 'must be a list of at most 10 texts',
      }),
    ),
    limit: Type.Integer({
      description: 'The most users.',
      minimum: 1,
      maximum: limits.pageMax,
      default: limits.pageDefault,
      digitsAsNumber: true,
      rule: `must be 1 to ${limits.pageMax}`,
    }),
    offset: Type.Integer({
      description: 'The number of users that are skipped.',
      minimum: 0,
      maximum: solutionUserLimits.solutionUsersMax,
      default: 0,
      digitsAsNumber: true,
      rule: 'must be a whole number',
    }),
  }),
  result: StrictObject({
    items: Type.Array(userSchema),
    total: Type.Integer({ description: 'The number of users that the filters select.' }),
  }),
})

const getUserToken = () => ({
  description: 'Signs a user in; the result is a token.',
  args: StrictObject({
    email: emailSchema(),
    password: Type.String({
      description: 'The password.',
      maxLength: 4_000,
      rule: 'must be a text',
      missing: 'must be given',
    }),
    time_to_live: Type.Integer({
      description: 'The seconds for which the token is valid.',
      minimum: 1,
      maximum: solutionTokenSecondsMax,
      default: solutionTokenSeconds,
      digitsAsNumber: true,
      rule: `must be 1 to ${solutionTokenSecondsMax} seconds`,
    }),
  }),
  result: Type.String({ description: 'The token.' }),
})

const updateUser = () => ({
  description: 'Changes a user; what is left out stays.',
  args: StrictObject({
    id: idSchema(),
    name: name(),
    email: Type.Optional(emailSchema()),
    status: Type.Optional(status()),
    password: Type.Optional(password('A new password; then `original_password` is needed.')),
    original_password: Type.Optional(Type.String({ description: 'The password of before.' })),
  }),
  result: written,
})

const userData = (description: string) => ({
  description,
  args: Type.Object(
    { id: idSchema() },
    { additionalProperties: AnyValue<unknown>(), description: 'Each other name is a key.' },
  ),
  result: written,
})

const getCurrentUser = () => ({
  description: 'Reads the user of a token.',
  reads: true as const,
  args: StrictObject({ token: code('The token.') }),
  result: userSchema,
})

/** The operations on users of a solution. */
export const userOperations = defineOperations(() => ({
  createUser: createUser(),
  activateUser: {
    description: 'Activates a user by the activation code.',
    args: StrictObject({ code: code('The activation code.') }),
    result: Type.Literal('OK'),
  },
  getUserToken: getUserToken(),
  getCurrentUser: getCurrentUser(),
  deleteUserToken: {
    description: 'Ends a token.',
    args: StrictObject({ token: code('The token.') }),
    result: written,
  },
  listUsers: listUsers(),
  getUser: {
    description: 'Reads a user.',
    reads: true as const,
    args: StrictObject({ id: idSchema() }),
    result: userSchema,
  },
  updateUser: updateUser(),
  deleteUser: {
    description: 'Deletes a user with its tokens, roles and data.',
    args: StrictObject({ id: idSchema() }),
    result: written,
  },
  requestPasswordReset: {
    description: 'Makes a code by which a user can set a new password.',
    args: StrictObject({ email: emailSchema() }),
    result: Type.String({ description: 'The code.' }),
  },
  resetUserPassword: {
    description: 'Sets a password: of the user `id`, or of the user that a `code` was made for.',
    args: StrictObject({
      id: Type.Optional(idSchema()),
      code: Type.Optional(code('The code of `requestPasswordReset`.')),
      password: password('The new password.'),
    }),
    result: written,
  },
  createUserData: userData('Adds data of a user; a key that is there is refused.'),
  updateUserData: userData('Sets data of a user.'),
  listUserData: {
    description: 'Reads all data of a user.',
    reads: true as const,
    args: StrictObject({ id: idSchema() }),
    result: RecordOf(Type.String()),
  },
  getUserData: {
    description: 'Reads the data of a user under a key.',
    reads: true as const,
    args: StrictObject({ id: idSchema(), key: Type.String({ rule: 'must be given, a text' }) }),
    result: RecordOf(Type.String()),
  },
  deleteUserData: {
    description: 'Deletes data of a user by keys; without keys all of it.',
    args: StrictObject({
      id: idSchema(),
      keys: Type.Optional(
        Type.Array(Type.String(), { itemAsList: true, rule: 'must be a list of texts' }),
      ),
    }),
    result: written,
  },
  ...roleSchemas(),
}))

export type UserSchemas = typeof userOperations.schemas
export type ListUsersArguments = Static<UserSchemas['listUsers']['args']>
