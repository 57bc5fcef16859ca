export {
  type Accounts,
  type Business,
  createAccounts,
  type NewUser,
  type Token,
  type User,
} from './accounts.ts'
export {
  type Permission,
  type Principal,
  permissions,
  type Role,
  requirePermission,
} from './permissions.ts'
