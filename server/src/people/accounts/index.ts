export {
  type Accounts,
  type AccountsOptions,
  createAccounts,
} from './accounts.ts'
export { anonymousOperations } from './anonymous-count.ts'
export { type AuditSource, readsAudit } from './audit.ts'
export { FirstAccount, firstAccountPath } from './first-account.ts'
export { accountLimits } from './limits.ts'
export {
  type CountRequest,
  type Permission,
  type Principal,
  parseUserId,
  permissions,
  type RequestRates,
  type Role,
  requirePermission,
} from './permissions.ts'
export { preferencesChangeSchema, preferencesSchema } from './preferences.ts'
export type { CountOfBusinesses, QuotaGuard } from './quotas/quotas.ts'
export {
  businessQuotasSchema,
  businessUsageSchema,
  quotaChangeSchema,
} from './quotas/schema.ts'
export { createRates, createRequestCount, type Rates, type RateUse } from './rates/rates.ts'
export {
  type AuditEntry,
  auditEntrySchema,
  type Business,
  businessSchema,
  businessSettingsSchema,
  callerSchema,
  changedRoleSchema,
  changedUserSchema,
  createNewTokenSchema,
  type EndedNames,
  enrolmentSchema,
  type Invitation,
  invitationSchema,
  type ListedRole,
  newAccountSchema,
  newBusinessSchema,
  newInvitationSchema,
  newOidcSettingsSchema,
  newRoleSchema,
  newUserFields,
  newUserSchema,
  offeredProviderSchema,
  oidcSettingsSchema,
  rateLimitsSchema,
  roleSchema,
  sessionSchema,
  signedInSchema,
  signInSchema,
  type Token,
  tokenSchema,
  totpSchema,
  type User,
  type UserSession,
  userChangeSchema,
  userSchema,
} from './schema.ts'
export type { SignInFrom } from './sign-in/sign-in.ts'
export { type AuditFilter, auditFilterSchema } from './store/audit.ts'
export { accountRows } from './store/removal.ts'
