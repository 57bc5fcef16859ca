import { Fault, type Implementation, implement } from '../../../foundation/kernel/index.ts'
import type { Accounts, User } from '../../../people/accounts/index.ts'
import type { Service, ServiceCall } from '../../scripting/index.ts'
import { accountOperations } from './operations.ts'

export type AccountOptions = Pick<Accounts, 'listUsers' | 'findUser' | 'listRoles' | 'session'>

/** The service `account`: who belongs to the business of a solution. */
export function createAccountService(accounts: AccountOptions): Service {
  return {
    name: 'account',
    always: true,
    events: [],
    operation: implement(accountOperations, makeImplementation(accounts)),
  }
}

function makeImplementation(
  accounts: AccountOptions,
): Implementation<ServiceCall, typeof accountOperations.schemas> {
  return {
    async listUsers({ businessId }) {
      return (await accounts.listUsers(businessId)).map(shown)
    },
    async getUser({ businessId }, { id, email }) {
      const wanted =
        email === undefined ? id !== undefined && { id } : id === undefined && { email }
      if (!wanted) throw new Fault('invalid_argument', 'either id or email must be given')
      const user = await accounts.findUser(businessId, wanted)
      if (user === undefined) throw new Fault('not_found', 'the business has no such user')
      return shown(user)
    },
    async getCurrentUser({ businessId }, { token }) {
      const principal = await accounts.session(token)
      // A token of another business is rejected as an unknown one.
      if (principal.businessId !== businessId) throw new Fault('unknown_credential')
      const id = principal.subject.slice('user:'.length)
      const user = await accounts.findUser(businessId, { id })
      if (user === undefined) throw new Fault('unknown_credential')
      return { ...shown(user), permissions: [...principal.permissions] }
    },
    async listRoles({ businessId }) {
      const roles = await accounts.listRoles(businessId)
      return roles.map(({ name, permissions }) => ({ name, permissions: [...permissions] }))
    },
  }
}

function shown({ id, email, role }: User) {
  return { id, email, role }
}
