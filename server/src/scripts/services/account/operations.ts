import { defineOperations, StrictObject, Type } from '../../../foundation/kernel/index.ts'

function text(description: string) {
  return Type.String({ description, minLength: 1, rule: 'must be given, a text' })
}

const userFields = {
  id: Type.String(),
  email: Type.String(),
  role: Type.String({ description: 'The name of the role.' }),
}

export const accountOperations = defineOperations(() => ({
  listUsers: {
    description: 'Lists the users of the business.',
    args: StrictObject({}),
    result: Type.Array(StrictObject(userFields)),
  },
  getUser: {
    description: 'Reads a user by the id or by the e-mail address: one of them must be given.',
    args: StrictObject({
      id: Type.Optional(text('The id of the user.')),
      email: Type.Optional(text('The e-mail address of the user, in any letter case.')),
    }),
    result: StrictObject(userFields),
  },
  getCurrentUser: {
    description: 'Reads the user that has a session, and the permissions.',
    args: StrictObject({ token: text('The token of the session.') }),
    result: StrictObject({ ...userFields, permissions: Type.Array(Type.String()) }),
  },
  listRoles: {
    description: 'Lists the roles of the business.',
    args: StrictObject({}),
    result: Type.Array(
      StrictObject({ name: Type.String(), permissions: Type.Array(Type.String()) }),
    ),
  },
}))
