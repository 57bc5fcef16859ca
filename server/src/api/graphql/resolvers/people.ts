import { Fault } from '../../../foundation/kernel/index.ts'
import {
  type AuditEntry,
  type Invitation,
  parseUserId,
  type Token,
} from '../../../people/accounts/index.ts'
import type {
  AuditFilter,
  CreateTokenInput,
  RateLimitsInput,
  Resolvers,
} from '../generated/resolvers.ts'
import { toPage } from '../inputs.ts'
import { shownRates, shownRole } from '../place-loaders.ts'

const usPerMs = 1_000

const userQueries = {
  currentUser(_row, _, { accounts, principal, businessId }) {
    const id = parseUserId(principal.subject)
    return id === undefined ? null : accounts.findUser(businessId, { id })
  },

  users(_row, { pagination }, { accounts, principal }) {
    return accounts.listUsers(principal, toPage(pagination))
  },

  user(_row, { id }, { accounts, principal }) {
    return accounts.findUser(principal, { id })
  },
} satisfies Resolvers['Query']

const listQueries = {
  async roles(_row, _, { accounts, principal }) {
    const roles = await accounts.listRoles(principal)
    return roles.map(shownRole)
  },

  async tokens(_row, _, { accounts, principal }) {
    const tokens = await accounts.listTokens(principal)
    return tokens.map(shownToken)
  },

  async invitations(_row, _, { accounts, principal }) {
    const invitations = await accounts.listInvitations(principal)
    return invitations.map(shownInvitation)
  },

  async auditLog(_row, { filter, limit }, { accounts, principal }) {
    const entries = await accounts.listAudit(principal, toFilter(filter ?? {}), limit ?? undefined)
    return entries.map(shownEntry)
  },
} satisfies Resolvers['Query']

const userMutations = {
  updateUser(_row, { id, input }, { accounts, principal }) {
    const { name, role, groups } = input
    const given = { name: name ?? undefined, role: role ?? undefined, groups }
    return accounts.changeUser(principal, id, given)
  },

  async deleteUser(_row, { id, confirm }, { accounts, principal }) {
    await accounts.removeUser(principal, id, confirm ?? undefined)
    return id
  },

  async inviteUser(_row, { input }, { accounts, principal }) {
    return shownInvitation(await accounts.invite(principal, input))
  },

  async resendInvitation(_row, { id }, { accounts, principal }) {
    return shownInvitation(await accounts.resendInvitation(principal, id))
  },

  async revokeInvitation(_row, { id }, { accounts, principal }) {
    await accounts.revokeInvitation(principal, id)
    return id
  },
} satisfies Resolvers['Mutation']

const roleMutations = {
  async createRole(_row, { input }, { accounts, principal }) {
    return shownRole(await accounts.createRole(principal, input))
  },

  async updateRole(_row, { input }, { accounts, principal }) {
    const { ended, ...role } = await accounts.changeRole(principal, input.name, input)
    return { ...shownRole(role), ended }
  },

  async setRoleRateLimits(_row, { name, rateLimits }, { accounts, principal }) {
    return shownRole(await accounts.setRoleRates(principal, name, toRates(rateLimits)))
  },

  async deleteRole(_row, { name }, { accounts, principal }) {
    await accounts.removeRole(principal, name)
    return name
  },

  createToken(_row, { input }, { accounts, principal }) {
    return accounts.createToken(principal, toNewToken(input))
  },

  async revokeToken(_row, { id }, { accounts, principal }) {
    await accounts.revokeToken(principal, id)
    return id
  },
} satisfies Resolvers['Mutation']

export const peopleResolvers = {
  Query: { ...userQueries, ...listQueries },
  Mutation: { ...userMutations, ...roleMutations },

  User: {
    async role({ role }, _, { accounts, businessId }) {
      const found = (await accounts.listRoles(businessId)).find(({ name }) => name === role)
      return found && shownRole(found)
    },

    groups({ groups: ids }, _, { groups, principal }) {
      if (ids === null) return null
      return groups.some(principal.view, ids)
    },
  },
} satisfies Resolvers

function toNewToken({ addresses, expiresAt, rateLimits, ...input }: CreateTokenInput) {
  const end = expiresAt == null ? undefined : Math.floor(expiresAt / usPerMs)
  const { name, role, groups } = input
  const rates = toRates(rateLimits ?? {})
  return { name, role, groups, addresses: addresses ?? [], expiresAt: end, rateLimits: rates }
}

function toRates({ requests, time }: RateLimitsInput) {
  return { requests: requests ?? undefined, timeMs: time ?? undefined }
}

function toFilter({ from, to, before, ...rest }: AuditFilter) {
  const id = before == null ? undefined : Number(before)
  if (id !== undefined && !Number.isSafeInteger(id)) {
    throw new Fault('invalid_argument', 'before must be the id of an entry.')
  }
  return {
    from: from == null ? undefined : Math.ceil(from / usPerMs),
    to: to == null ? undefined : Math.ceil(to / usPerMs),
    subject: rest.subject ?? undefined,
    source: rest.source ?? undefined,
    action: rest.action ?? undefined,
    outcome: rest.outcome ?? undefined,
    before: id,
  }
}

function shownToken({ id, name, role, groups, addresses, ...times }: Token) {
  return {
    id,
    name,
    role,
    groups: groups && [...groups],
    addresses: [...addresses],
    createdAt: times.createdAt * usPerMs,
    expiresAt: times.expiresAt && times.expiresAt * usPerMs,
    lastUsedAt: times.lastUsedAt && times.lastUsedAt * usPerMs,
    rateLimits: shownRates(times.rateLimits),
  }
}

function shownInvitation({ id, email, role, groups, createdAt, expiresAt }: Invitation) {
  const times = { createdAt: createdAt * usPerMs, expiresAt: expiresAt * usPerMs }
  return { id, email, role, groups: groups && [...groups], ...times }
}

function shownEntry({ id, at, ...entry }: AuditEntry) {
  return { ...entry, id: String(id), at: at * usPerMs }
}
