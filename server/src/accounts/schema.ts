import { component, Nullable, type StaticResult, StrictObject, Type } from '../kernel/index.ts'

/** The groups that somebody sees. */
const groups = Nullable(Type.Array(Type.String()), {
  description: 'Ids of the groups that it sees, each with all below; null: the whole business.',
})

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
const userSchema = StrictObject(userFields)
export type User = StaticResult<typeof userSchema>

/** An API token as it is listed: without its secret. */
export const tokenFields = {
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
}
const tokenSchema = StrictObject(tokenFields)

export type Token = StaticResult<typeof tokenSchema> & {
  /** Requests in a window, and the sum of their milliseconds; null: as the role has it. */
  readonly requestsMax: number | null
  readonly msMax: number | null
}

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

/** The API tokens and invitations that a change has ended: their makers may not make them. */
export const endedNames = StrictObject({
  tokens: Type.Array(Type.String(), {
    description: 'The names of API tokens that ended.',
    wire: 'api_tokens',
  }),
  invitations: Type.Array(Type.String(), { description: 'The addresses of ended invitations.' }),
})
export type EndedNames = StaticResult<typeof endedNames>
