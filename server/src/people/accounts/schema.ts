import {
  component,
  limits,
  Nullable,
  type StaticResult,
  StrictObject,
  type TSchemaOptions,
  Type,
} from '../../foundation/kernel/index.ts'
import { accountLimits } from './limits.ts'
import { type Permission, permissions } from './permissions.ts'

/** The groups that somebody sees. */
const groups = Nullable(Type.Array(Type.String()), {
  description: 'Ids of the groups that it sees, each with all below; null: the whole business.',
})

const groupsGiven = Type.Optional(
  Nullable(Type.Array(Type.String()), {
    description:
      'Ids of the groups that it sees, each with all below. Left out: those of the caller.',
  }),
)

const createdAt = Type.Integer({ description: 'Milliseconds since 1970.' })

export const businessSchema = component('Business', { id: Type.String(), name: Type.String() })
export type Business = StaticResult<typeof businessSchema>

export const userFields = {
  id: Type.String(),
  email: Type.String(),
  name: Type.String({ description: 'Empty if nobody gave one.' }),
  role: Type.String({ description: 'The name of its role.' }),
  groups,
  hasTotp: Type.Boolean({ description: 'Its sign-ins have a second step.', wire: 'totp' }),
  signedInAt: Nullable(Type.Integer(), {
    description:
      'Milliseconds since 1970: when its last session began; null: none is known. Requests with ' +
      'the password (HTTP Basic) begin no session.',
    wire: 'last_sign_in_at',
  }),
}
const storedUserSchema = StrictObject(userFields)
export type User = StaticResult<typeof storedUserSchema>

const listedFields = {
  ...userFields,
  lockedUntil: Nullable(Type.Integer(), {
    description:
      'Milliseconds since 1970: so long sign-ins are refused from some addresses, or from all, ' +
      'after too many that failed; null: they are not.',
  }),
}
export const userSchema = component('User', listedFields)

/** The API tokens and invitations that a change has ended: their makers may not make them. */
const endedSchema = StrictObject({
  tokens: Type.Array(Type.String(), {
    description: 'The names of API tokens that ended.',
    wire: 'api_tokens',
  }),
  invitations: Type.Array(Type.String(), { description: 'The addresses of ended invitations.' }),
})
export type EndedNames = StaticResult<typeof endedSchema>

export const changedUserSchema = component('ChangedUser', { ...listedFields, ended: endedSchema })

/** The holder of a credential, as it is shown to it. */
export const callerSchema = component('Caller', {
  business: businessSchema,
  subject: Type.String({ description: '`user:<id>`, `token:<id>` or `operator`.' }),
  email: Nullable(Type.String(), { description: "A user's; else null." }),
  permissions: Type.Array(Type.String()),
  groups,
})
export type CredentialHolder = StaticResult<typeof callerSchema>

const roleName = Type.String({
  description: 'The name of a role: Administrator, Operator, Viewer, or one of your own.',
})

const newEmail = (options: TSchemaOptions = {}) =>
  Type.String({
    ...options,
    pattern: '^[^\\s@]+@[^\\s@]+$',
    maxLength: limits.emailCharsMax,
    rule: 'must be an e-mail address',
  })

const newName = (options: TSchemaOptions = {}) =>
  Type.String({ ...options, minLength: 1, maxLength: limits.nameCharsMax })

const personName = Type.Optional(Type.String({ maxLength: limits.nameCharsMax }))

export const newUserFields = {
  email: newEmail({ description: 'Unique in the instance.' }),
  password: Type.String({ maxLength: limits.settingCharsMax }),
}

/** A business with its first account, an Administrator. */
export const newBusinessSchema = StrictObject({
  name: Type.String({ description: 'Unique in the instance.' }),
  ...newUserFields,
})

/** The first business of an instance. */
export const newAccountSchema = StrictObject({
  code: Type.String({ description: 'The end of the link, behind #.' }),
  business: Type.String({ description: 'The name of the business.' }),
  ...newUserFields,
})
export type NewAccount = StaticResult<typeof newAccountSchema>

export const newUserSchema = StrictObject({
  ...newUserFields,
  role: roleName,
  name: personName,
  groups: groupsGiven,
})
export type NewUser = StaticResult<typeof newUserSchema>

/** Fields that are left out stay as they are. `groups` null: the whole business. */
export const userChangeSchema = StrictObject({
  name: personName,
  role: Type.Optional(roleName),
  groups: groupsGiven,
})
export type UserChange = StaticResult<typeof userChangeSchema>

const rateFields = {
  requests: Type.Integer({ minimum: 1, description: 'Requests of the graph API in a window.' }),
  timeMs: Type.Integer({ minimum: 1, description: 'The sum of their milliseconds.', wire: 'time' }),
}

/** The limits of a token, or of each token of a role, in a window; left out: the instance's. */
export const rateLimitsSchema = StrictObject({
  requests: Type.Optional(rateFields.requests),
  timeMs: Type.Optional(rateFields.timeMs),
})
export type RateLimits = StaticResult<typeof rateLimitsSchema>

const ofRole = { description: 'Null: as its role has it.' }

/** An API token as it is listed: without its secret. */
export const tokenSchema = component('ApiToken', {
  id: Type.String(),
  name: Type.String({ description: 'What the token is for.' }),
  role: Type.String({ description: 'The name of its role.' }),
  groups,
  addresses: Type.Array(Type.String(), {
    description: 'Network addresses and ranges from which it is taken; empty: any.',
  }),
  createdAt,
  createdBy: Nullable(Type.String(), {
    description: '`user:<id>`, `token:<id>` or `operator`; null: not known.',
  }),
  lastUsedAt: Nullable(Type.Integer(), {
    description: 'Milliseconds since 1970, to the minute; null: it was not used yet.',
  }),
  expiresAt: Nullable(Type.Integer(), {
    description: 'Milliseconds since 1970; null: it does not expire.',
  }),
  rateLimits: StrictObject({
    requests: Nullable(rateFields.requests, ofRole),
    timeMs: Nullable(rateFields.timeMs, { ...ofRole, wire: 'time' }),
  }),
})
export type Token = StaticResult<typeof tokenSchema>

export const createNewTokenSchema = () =>
  StrictObject({
    name: newName({ description: 'What the token is for.' }),
    role: roleName,
    expiresAt: Type.Optional(
      Type.Integer({
        description:
          'From this time on, in milliseconds since 1970, it is refused; left out: it does not ' +
          `expire. At most ${accountLimits.apiTokenDaysMax} days from now.`,
      }),
    ),
    rateLimits: Type.Optional(rateLimitsSchema),
    groups: groupsGiven,
    addresses: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Network addresses and ranges from which it is taken: `192.0.2.0/24`.',
      }),
    ),
  })
export type NewToken = StaticResult<ReturnType<typeof createNewTokenSchema>>

const roleFields = {
  name: Type.String(),
  permissions: Type.Array(Type.Unsafe<Permission>(Type.String()), {
    description: `Of: ${permissions.join(', ')}.`,
  }),
  rateLimits: StrictObject({
    requests: Nullable(Type.Integer(), {
      description: 'Requests of the graph API in a window; null: as the instance has it.',
    }),
    timeMs: Nullable(Type.Integer(), {
      description: 'The sum of their milliseconds; null: as the instance has it.',
      wire: 'time',
    }),
  }),
}
export const roleSchema = component('Role', roleFields)
export type ListedRole = StaticResult<typeof roleSchema>
export const changedRoleSchema = component('ChangedRole', { ...roleFields, ended: endedSchema })

export const newRoleSchema = StrictObject({
  name: newName(),
  permissions: Type.Array(Type.String()),
})
export type NewRole = StaticResult<typeof newRoleSchema>

/** An invitation as it is listed: without the secret of its link. */
export const invitationSchema = component('Invitation', {
  id: Type.String(),
  email: Type.String(),
  role: Type.String({ description: 'The name of the role that the user will have.' }),
  groups: Nullable(Type.Array(Type.String()), {
    description: 'Ids of the groups that the user will see; null: the whole business.',
  }),
  createdAt,
  createdBy: Type.String({ description: '`user:<id>`, `token:<id>` or `operator`.' }),
  expiresAt: Type.Integer({ description: 'Milliseconds since 1970; then its link is refused.' }),
})
export type Invitation = StaticResult<typeof invitationSchema>

export const newInvitationSchema = StrictObject({
  email: newEmail(),
  role: Type.String(),
  groups: Type.Optional(
    Nullable(Type.Array(Type.String()), { description: 'Left out: those of the caller.' }),
  ),
})
export type NewInvitation = StaticResult<typeof newInvitationSchema>

const describedProvider = {
  label: newName({ description: 'Of the button: `Sign in with <label>`.' }),
  issuer: Type.String({ description: 'The URL of the provider, as its tokens name it.' }),
  clientId: newName({ description: 'What the provider calls this instance.' }),
  domains: Type.Array(Type.String(), {
    description: 'Domains of the e-mail addresses that may sign in, such as `acme.example`.',
  }),
}

/** The sign-in provider of a business, without its secret. */
export const oidcSettingsSchema = component('OidcSettings', {
  ...describedProvider,
  createsRole: Nullable(Type.String(), {
    description:
      'The role of users who are made at their first sign-in, and see the whole business; null: ' +
      'only users and people who were invited sign in.',
  }),
  redirectUri: Type.String({ description: 'The address that the provider must allow.' }),
})
export type OidcSettings = StaticResult<typeof oidcSettingsSchema>

/** The secret is left out to keep the one that is stored, which is for the same issuer alone. */
export const newOidcSettingsSchema = StrictObject({
  ...describedProvider,
  secret: Type.Optional(
    Type.String({ description: 'Of the client; left out: the one that is stored.' }),
  ),
  createsRole: Type.Optional(Nullable(Type.String())),
})
export type NewOidcSettings = StaticResult<typeof newOidcSettingsSchema>

/** The provider of a business, as somebody sees it who is not signed in. */
export const offeredProviderSchema = StrictObject({
  label: Type.String(),
  url: Type.String({ description: 'Where the browser goes, on this instance.' }),
})
export type OfferedProvider = StaticResult<typeof offeredProviderSchema>

/** The key for an authenticator app, as a link that it opens and as text to be typed. */
export const enrolmentSchema = component('TotpEnrolment', {
  secret: Type.String({ description: 'For apps into which it is typed, in base32.' }),
  uri: Type.String({ description: 'The same as a link `otpauth://…`, for apps that scan it.' }),
})
export type Enrolment = StaticResult<typeof enrolmentSchema>

export const totpSchema = StrictObject({
  isEnabled: Type.Boolean({ wire: 'enabled' }),
  confirmedAt: Nullable(Type.Integer(), { description: 'Milliseconds since 1970.' }),
  recoveryCodesLeft: Type.Integer(),
  isDemanded: Type.Boolean({
    description: 'The business demands it of its users.',
    wire: 'demanded',
  }),
})
export type TotpState = StaticResult<typeof totpSchema>

export const businessSettingsSchema = component('BusinessSettings', {
  id: Type.String(),
  name: Type.String(),
  totpDemanded: Type.Boolean({ description: 'Its users need a second step to sign in.' }),
  signIn: StrictObject(
    {
      sessionHours: Type.Integer({ description: 'A session ends so long after it began.' }),
      failuresMost: Type.Integer({ description: 'Failed sign-ins of a user before a lock.' }),
      lockSeconds: Type.Integer({ description: 'Of the first lock; each further one doubles.' }),
      lockSecondsMost: Type.Integer({ description: 'Of the longest lock.' }),
      passwordCharsLeast: Type.Integer({ description: 'Characters of a password.' }),
    },
    { description: 'Limits of the instance, which its operator sets.' },
  ),
})
export type BusinessSettings = StaticResult<typeof businessSettingsSchema>

/** A session as its user sees it: without its secret. */
export const sessionSchema = component('Session', {
  id: Type.String(),
  createdAt,
  lastUsedAt: Nullable(Type.Integer(), {
    description: 'Milliseconds since 1970, to the minute; null: not since it began.',
  }),
  expiresAt: createdAt,
  address: Type.String({ description: 'The network address from which it was opened.' }),
  userAgent: Type.String({ description: 'The program, as it named itself.' }),
  method: Type.Unsafe<SignInMethod>(Type.String({ description: '`password`, `totp` or `oidc`.' })),
})
export type UserSession = StaticResult<typeof sessionSchema>

/** By what a user has signed in; who did at a provider had the second step there. */
export type SignInMethod = 'password' | 'totp' | 'oidc'

/** An act of a person or token, done or refused. */
export const auditEntrySchema = component('AuditEntry', {
  id: Type.Integer(),
  at: Type.Integer({ description: 'Milliseconds since 1970.' }),
  subject: Type.String({ description: '`user:<id>`, `token:<id>` or `operator`.' }),
  name: Type.String({ description: "The user's e-mail address, or the token's name, then." }),
  source: Type.String({ description: '`console`, `cli`, `management` or `graphql`.' }),
  address: Type.String({ description: 'The network address.' }),
  action: Type.String({ description: 'The operation of the API, or the field of a mutation.' }),
  target: Type.String({
    description: 'What the path or the arguments name; of something new, its name.',
  }),
  outcome: Type.String({ description: '`done`, or the code of the error.' }),
})
export type AuditEntry = StaticResult<typeof auditEntrySchema>

export const signInSchema = StrictObject({
  email: Type.String(),
  password: Type.String(),
  code: Type.Optional(
    Type.String({
      maxLength: limits.codeCharsMax,
      description: 'Of the second step: of the app, or a recovery code.',
    }),
  ),
})

export const signedInSchema = StrictObject({
  token: Type.String(),
  recoveryCodes: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Only if the code has confirmed a second step; shown this once.',
    }),
  ),
})
export type SignedIn = StaticResult<typeof signedInSchema> & {
  /** Milliseconds. */
  readonly expiresAt: number
}
