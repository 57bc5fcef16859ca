import { type components, unwrap } from '@millrace/client'
import type { Client } from '../client.ts'

type Schemas = components['schemas']

export type User = Schemas['User']
export type Invitation = Schemas['Invitation']
export type Role = Schemas['Role']
/** What depends on something that is to be deleted. */
export type Dependants = Schemas['DeletionPreview']['dependants'][number]
type RateLimits = { readonly requests?: number; readonly time?: number }

/** What a user, an invitation or a token may do, and what it sees; null: the whole business. */
export type Rights = { readonly role: string; readonly groups: readonly string[] | null }

/** In the order of their e-mail addresses. */
export async function listUsers(
  client: Client,
  page: { readonly limit: number; readonly offset: number },
  signal: AbortSignal | null = null,
): Promise<User[]> {
  const params = { query: page }
  return (await unwrap(client.GET('/api:1/users', { params, signal }))).users
}

export async function createUser(
  client: Client,
  { groups, ...user }: Rights & { readonly email: string; name: string; password: string },
): Promise<void> {
  const body = { ...user, groups: groups && [...groups] }
  await unwrap(client.POST('/api:1/users', { body }))
}

/** The API tokens and invitations that a smaller role or fewer groups have ended. */
export type EndedNames = components['schemas']['ChangedRole']['ended']

export async function changeUser(
  client: Client,
  user: string,
  { groups, ...change }: Rights & { readonly name: string },
): Promise<EndedNames> {
  const params = { path: { user } }
  const body = { ...change, groups: groups && [...groups] }
  return (await unwrap(client.PATCH('/api:1/users/{user}', { params, body }))).ended
}

export async function setPassword(client: Client, user: string, password: string): Promise<void> {
  const params = { path: { user } }
  await unwrap(client.PUT('/api:1/users/{user}/password', { params, body: { password } }))
}

/** Ends the lock after failed sign-ins. */
export async function unlockUser(client: Client, user: string): Promise<void> {
  await unwrap(client.DELETE('/api:1/users/{user}/lock', { params: { path: { user } } }))
}

export async function endSessionsOf(client: Client, user: string): Promise<void> {
  await unwrap(client.DELETE('/api:1/users/{user}/sessions', { params: { path: { user } } }))
}

export async function removeSecondStepOf(client: Client, user: string): Promise<void> {
  await unwrap(client.DELETE('/api:1/users/{user}/totp', { params: { path: { user } } }))
}

export async function readUserDependants(
  client: Client,
  user: string,
  signal: AbortSignal | null = null,
): Promise<Dependants[]> {
  const params = { path: { user } }
  return (await unwrap(client.GET('/api:1/users/{user}/dependants', { params, signal }))).dependants
}

/** Deletes a user with the API tokens and invitations that it has made. */
export async function removeUser(client: Client, user: string): Promise<void> {
  const params = { path: { user }, query: { confirm: user } }
  await unwrap(client.DELETE('/api:1/users/{user}', { params }))
}

/** Newest first. */
export async function listInvitations(
  client: Client,
  signal: AbortSignal | null = null,
): Promise<Invitation[]> {
  return (await unwrap(client.GET('/api:1/invitations', { signal }))).invitations
}

export async function invite(
  client: Client,
  { groups, ...person }: Rights & { readonly email: string },
): Promise<void> {
  const body = { ...person, groups: groups && [...groups] }
  await unwrap(client.POST('/api:1/invitations', { body }))
}

export async function resendInvitation(client: Client, invitation: string): Promise<void> {
  const params = { path: { invitation } }
  await unwrap(client.POST('/api:1/invitations/{invitation}/resend', { params }))
}

export async function revokeInvitation(client: Client, invitation: string): Promise<void> {
  const params = { path: { invitation } }
  await unwrap(client.DELETE('/api:1/invitations/{invitation}', { params }))
}

export async function listRoles(
  client: Client,
  signal: AbortSignal | null = null,
): Promise<Role[]> {
  return (await unwrap(client.GET('/api:1/roles', { signal }))).roles
}

export type RoleWanted = {
  readonly name: string
  readonly permissions: readonly string[]
  readonly rateLimits: RateLimits
  readonly isNew: boolean
}

/** Creates or changes a role, then sets the limits of its API tokens. */
export async function saveRole(
  client: Client,
  wanted: RoleWanted,
): Promise<EndedNames | undefined> {
  const { name, isNew, rateLimits } = wanted
  const permissions = [...wanted.permissions]
  const params = { path: { role: name } }
  const saved = isNew
    ? client.POST('/api:1/roles', { body: { name, permissions } })
    : client.PUT('/api:1/roles/{role}', { params, body: { permissions } })
  const { rate_limits: before, ended } = await unwrap<Role & { ended?: EndedNames }>(saved)
  const { requests = null, time = null } = rateLimits
  if (before.requests === requests && before.time === time) return ended
  await unwrap(client.PUT('/api:1/roles/{role}/rate-limits', { params, body: rateLimits }))
  return ended
}

export async function removeRole(client: Client, role: string): Promise<void> {
  await unwrap(client.DELETE('/api:1/roles/{role}', { params: { path: { role } } }))
}
