export {
  type Accounts,
  createAccounts,
} from './accounts.ts'
export type { NewUser } from './new-user.ts'
export {
  type Permission,
  type Principal,
  permissions,
  type Role,
  requirePermission,
} from './permissions.ts'
export type { Business, Token, User } from './store.ts'
