import { type components, unwrap } from '@millrace/client'
import type { Client } from '../client.ts'
import { act, find, get, patch, post, put, remove, removeWith } from '../endpoint.ts'

type Schemas = components['schemas']

export type User = Schemas['User']
export type Invitation = Schemas['Invitation']
export type Role = Schemas['Role']
/** A dependant of something that is to be deleted. */
export type Dependants = Schemas['DeletionPreview']['dependants'][number]
type RateLimits = { readonly requests?: number; readonly time?: number }

/**
 * The role of a user, an invitation or a token, and the groups that it sees; null: the whole
 * business.
 */
export type Rights = { readonly role: string; readonly groups: readonly string[] | null }

/** In the order of their e-mail addresses. */
export const listUsers = find('/api:1/users', 'users')

export const createUser = post('/api:1/users')

/** The API tokens and invitations that a smaller role or fewer groups have ended. */
export type EndedNames = components['schemas']['ChangedRole']['ended']

export const changeUser = patch('/api:1/users/{user}', 'ended')

export const setPassword = put('/api:1/users/{user}/password')

/** Ends the lock after failed sign-ins. */
export const unlockUser = remove('/api:1/users/{user}/lock')

export const endSessionsOf = remove('/api:1/users/{user}/sessions')

export const removeSecondStepOf = remove('/api:1/users/{user}/totp')

export const readUserDependants = get('/api:1/users/{user}/dependants', 'dependants')

/** Deletes a user with the API tokens and invitations that it has made. */
export const removeUser = removeWith('/api:1/users/{user}')

/** Newest first. */
export const listInvitations = get('/api:1/invitations', 'invitations')

export const invite = post('/api:1/invitations')

export const resendInvitation = act('/api:1/invitations/{invitation}/resend')

export const revokeInvitation = remove('/api:1/invitations/{invitation}')

export const listRoles = get('/api:1/roles', 'roles')

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

export const removeRole = remove('/api:1/roles/{role}')
