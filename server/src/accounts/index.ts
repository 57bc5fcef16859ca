export {
  type Accounts,
  type AccountsOptions,
  createAccounts,
} from './accounts.ts'
export { anonymousOperations } from './anonymous.ts'
export type { AuditSource } from './audit.ts'
export type { EndedNames } from './excess.ts'
export type { NewInvitation } from './invitations.ts'
export type { NewUser } from './new-user.ts'
export type { OidcSettings } from './oidc/settings.ts'
export type { RateLimits } from './parse.ts'
export {
  type CountRequest,
  type ListedRole,
  type Permission,
  type Principal,
  permissions,
  type RequestRates,
  type Role,
  requirePermission,
  userIdOf,
} from './permissions.ts'
export type { BusinessQuotas, CountOfBusinesses, QuotaGuard, QuotaKind } from './quotas/quotas.ts'
export { createRates, createRequestCount, type Rates, type RateUse } from './rates/rates.ts'
export type { NewRole } from './roles.ts'
export type { SignInFrom } from './sign-in/sign-in.ts'
export type { AuditEntry, AuditFilter } from './store/audit.ts'
export type { Business } from './store/businesses.ts'
export type { Invitation } from './store/invitations.ts'
export { accountRows } from './store/removal.ts'
export type { UserSession } from './store/sessions.ts'
export type { Token } from './store/tokens.ts'
export type { User } from './store/users.ts'
export type { NewToken } from './tokens.ts'
export type { UserChange } from './users.ts'
