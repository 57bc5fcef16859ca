import type { Accounts, EndedNames, ListedRole, Token, User } from '../../../accounts/index.ts'
import type { Group, Groups } from '../../../groups/index.ts'
import { Fault, limits } from '../../../kernel/index.ts'
import {
  changeUser,
  createApiToken,
  createUser,
  deleteApiToken,
  deleteUser,
  getUser,
  listApiTokens,
  listUsers,
  setUserPassword,
  unlockUser,
} from '../../contract/people/accounts.ts'
import { changeGroup, createGroup, deleteGroup, listGroups } from '../../contract/people/groups.ts'
import {
  changeRole,
  createRole,
  deleteRole,
  listRoles,
  setRoleRateLimits,
} from '../../contract/people/roles.ts'
import { created, noContent, ok, type Route, route } from '../../route.ts'

/** Users, roles, groups and API tokens of a business, as far as the caller sees them. */
export function peopleRoutes(
  accounts: Accounts,
  groups: Pick<Groups, 'list' | 'create' | 'update' | 'remove'>,
): Route[] {
  return [
    ...userRoutes(accounts),
    ...roleRoutes(accounts),
    ...groupRoutes(groups),
    ...tokenRoutes(accounts),
  ]
}

function userRoutes(accounts: Accounts): Route[] {
  const shown = async (user: User) => shownUser(user, await accounts.locksOf([user]))
  return [
    route(listUsers, async ({ principal, query }) => {
      const users = await accounts.listUsers(principal, pageOf(query))
      const locks = await accounts.locksOf(users)
      return ok({ users: users.map((user) => shownUser(user, locks)) })
    }),
    route(createUser, async ({ principal, body }) =>
      created(await shown(await accounts.createUser(principal, body))),
    ),
    route(getUser, async ({ principal, params }) =>
      ok(await shown(await found(accounts.findUser(principal, { id: params.user })))),
    ),
    route(changeUser, async ({ principal, params, body }) => {
      const { ended, ...user } = await accounts.changeUser(principal, params.user, body)
      return ok({ ...(await shown(user)), ended: shownEnded(ended) })
    }),
    route(deleteUser, async ({ principal, params, query }) => {
      await accounts.removeUser(principal, params.user, query.confirm)
      return noContent()
    }),
    route(setUserPassword, async ({ principal, params, body }) => {
      const user = await found(accounts.findUser(principal, { id: params.user }))
      await accounts.setPassword(principal, user.email, body.password)
      return noContent()
    }),
    route(unlockUser, async ({ principal, params }) => {
      await accounts.unlockUser(principal, params.user)
      return noContent()
    }),
  ]
}

async function found(finding: Promise<User | undefined>): Promise<User> {
  const user = await finding
  if (user === undefined) throw new Fault('not_found', 'There is no such user.')
  return user
}

function shownUser(
  { groups, hasTotp, signedInAt, ...user }: User,
  locks: ReadonlyMap<string, number>,
) {
  const shown = {
    groups: groups === null ? null : [...groups],
    totp: hasTotp,
    last_sign_in_at: signedInAt,
  }
  return { ...user, ...shown, locked_until: locks.get(user.id) ?? null }
}

function shownEnded({ tokens, invitations }: EndedNames) {
  return { api_tokens: [...tokens], invitations: [...invitations] }
}

function pageOf<Page extends { limit?: number; offset?: number }>({ limit, offset }: Page) {
  return { limit: limit ?? limits.pageMax, offset }
}

function roleRoutes(accounts: Accounts): Route[] {
  return [
    route(listRoles, async ({ principal }) => {
      const roles = await accounts.listRoles(principal)
      return ok({ roles: roles.map(shownRole) })
    }),
    route(createRole, async ({ principal, body }) =>
      created(shownRole(await accounts.createRole(principal, body))),
    ),
    route(changeRole, async ({ principal, params, body }) => {
      const { ended, ...role } = await accounts.changeRole(principal, params.role, body)
      return ok({ ...shownRole(role), ended: shownEnded(ended) })
    }),
    route(setRoleRateLimits, async ({ principal, params, body: { requests, time } }) => {
      const wanted = { requests, timeMs: time }
      return ok(shownRole(await accounts.setRoleRates(principal, params.role, wanted)))
    }),
    route(deleteRole, async ({ principal, params }) => {
      await accounts.removeRole(principal, params.role)
      return noContent()
    }),
  ]
}

function shownRole({ name, permissions, requestsMax, msMax }: ListedRole) {
  const rates = { requests: requestsMax, time: msMax }
  return { name, permissions: [...permissions], rate_limits: rates }
}

function groupRoutes(groups: Pick<Groups, 'list' | 'create' | 'update' | 'remove'>): Route[] {
  return [
    route(listGroups, async ({ principal, query }) => {
      const list = await groups.list(principal.view, { text: query.text }, pageOf(query))
      return ok({ groups: list.map(shownGroup) })
    }),
    route(createGroup, async ({ principal, body: { custom_id, parent_id, ...body } }) => {
      const wanted = { ...body, customId: custom_id, parentId: parent_id }
      return created(shownGroup(await groups.create(principal.view, wanted)))
    }),
    route(changeGroup, async ({ principal, params, body: { custom_id, parent_id, ...body } }) => {
      const change = { ...body, customId: custom_id, parentId: parent_id }
      return ok(shownGroup(await groups.update(principal.view, params.group, change)))
    }),
    route(deleteGroup, async ({ principal, params, query }) => {
      await groups.remove(principal.view, params.group, query.confirm)
      return noContent()
    }),
  ]
}

function shownGroup({ id, name, description, customId, parentId, depth }: Group) {
  return { id, name, description, custom_id: customId, parent_id: parentId, depth }
}

function tokenRoutes(accounts: Accounts): Route[] {
  return [
    route(listApiTokens, async ({ principal }) => {
      const tokens = await accounts.listTokens(principal)
      return ok({ tokens: tokens.map(shownToken) })
    }),
    route(createApiToken, async ({ principal, body }) => {
      const { name, role, groups, addresses, expires_at: expiresAt, rate_limits: rates } = body
      const rateLimits = { requests: rates?.requests, timeMs: rates?.time }
      const wanted = { name, role, groups, addresses, expiresAt, rateLimits }
      return created(await accounts.createToken(principal, wanted))
    }),
    route(deleteApiToken, async ({ principal, params }) => {
      await accounts.revokeToken(principal, params.token)
      return noContent()
    }),
  ]
}

function shownToken({ id, name, role, groups, addresses, ...rest }: Token) {
  return {
    id,
    name,
    role,
    groups: groups === null ? null : [...groups],
    addresses: [...addresses],
    created_at: rest.createdAt,
    created_by: rest.createdBy,
    expires_at: rest.expiresAt,
    last_used_at: rest.lastUsedAt,
    rate_limits: { requests: rest.requestsMax, time: rest.msMax },
  }
}
