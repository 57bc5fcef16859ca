import type { Accounts } from '../../accounts/index.ts'
import { Fault, namedArguments, unlessEmptyList } from '../../kernel/index.ts'
import type { Operation, ScriptValue, Service } from '../../scripting/index.ts'

export type UserNeeds = Pick<Accounts, 'listUsers' | 'findUser' | 'listRoles' | 'session'>

/** The service `user`: who belongs to the business of a solution. */
export function createUserService(accounts: UserNeeds): Service {
  const operations = operationsOf(accounts)
  return {
    name: 'user',
    always: true,
    events: [],
    operation: (name) => (Object.hasOwn(operations, name) ? operations[name] : undefined),
  }
}

function operationsOf(accounts: UserNeeds): Readonly<Record<string, Operation>> {
  return {
    async listUsers({ businessId }, args) {
      take(args, [])
      return accounts.listUsers(businessId)
    },
    async getUser({ businessId }, args) {
      const { id, email } = take(args, ['id', 'email'])
      if ((id === undefined) === (email === undefined)) {
        throw invalid('either id or email must be given')
      }
      const wanted = id === undefined ? { email: textIn('email', email) } : { id: textIn('id', id) }
      const user = await accounts.findUser(businessId, wanted)
      if (user === undefined) throw new Fault('not_found', 'the business has no such user')
      return user
    },
    async getCurrentUser({ businessId }, args) {
      const principal = await accounts.session(textIn('token', take(args, ['token']).token))
      // Whose the token is elsewhere is nothing that this business may learn.
      if (principal.businessId !== businessId) throw new Fault('unknown_credential')
      const id = principal.subject.slice('user:'.length)
      const user = await accounts.findUser(businessId, { id })
      if (user === undefined) throw new Fault('unknown_credential')
      return { ...user, permissions: [...principal.permissions] }
    },
    async listRoles({ businessId }, args) {
      take(args, [])
      return accounts.listRoles(businessId)
    },
  }
}

function take<Name extends string>(args: ScriptValue, names: readonly Name[]) {
  return namedArguments(unlessEmptyList(args), names)
}

function textIn(field: string, value: ScriptValue): string {
  if (typeof value === 'string' && value !== '') return value
  throw invalid(`${field} must be given, a text`)
}

function invalid(sentence: string): Fault {
  return new Fault('invalid_argument', sentence)
}
