export {
  type Accounts,
  type AccountsOptions,
  createAccounts,
} from './accounts.ts'
export { anonymousOperations } from './anonymous.ts'
export { type AuditSource, readsAudit } from './audit.ts'
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
export {
  type AuditEntry,
  auditEntrySchema,
  type Business,
  businessSchema,
  type EndedNames,
  endedNames,
  type Invitation,
  invitationSchema,
  sessionSchema,
  type Token,
  tokenFields,
  type User,
  type UserSession,
  userFields,
} from './schema.ts'
export type { SignInFrom } from './sign-in/sign-in.ts'
export type { AuditFilter } from './store/audit.ts'
export { accountRows } from './store/removal.ts'
export type { NewToken } from './tokens.ts'
export type { UserChange } from './users.ts'
