export {
  type Accounts,
  createAccounts,
} from './accounts.ts'
export type { NewUser } from './new-user.ts'
export type { RateLimits } from './parse.ts'
export {
  type Permission,
  type Principal,
  permissions,
  type Role,
  requirePermission,
  type TokenRates,
} from './permissions.ts'
export type { Business, Token, User } from './store.ts'
