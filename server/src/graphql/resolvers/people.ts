import { type AuditEntry, type Invitation, type Token, userIdOf } from '../../accounts/index.ts'
import { Fault } from '../../kernel/index.ts'
import type {
  AuditFilter,
  CreateTokenInput,
  RateLimitsInput,
  Resolvers,
} from '../generated/resolvers.ts'
import { pageOf } from '../inputs.ts'
import { shownRole } from '../place-loaders.ts'

const usPerMs = 1_000

const userQueries = {
  currentUser(_row, _, { accounts, principal, businessId, work }) {
    work.countLookup()
    const id = userIdOf(principal.subject)
    return id === undefined ? null : accounts.findUser(businessId, { id })
  },

  async users(_row, { pagination }, { accounts, principal, work }) {
    work.countLookup()
    const found = await accounts.listUsers(principal, pageOf(pagination))
    work.countRows(found.length)
    return found
  },

  user(_row, { id }, { accounts, principal, work }) {
    work.countLookup()
    return accounts.findUser(principal, { id })
  },
} satisfies Resolvers['Query']

const listQueries = {
  async roles(_row, _, { accounts, principal, work }) {
    work.countLookup()
    const roles = await accounts.listRoles(principal)
    work.countRows(roles.length)
    return roles.map(shownRole)
  },

  async tokens(_row, _, { accounts, principal, work }) {
    work.countLookup()
    const tokens = await accounts.listTokens(principal)
    work.countRows(tokens.length)
    return tokens.map(shownToken)
  },

  async invitations(_row, _, { accounts, principal, work }) {
    work.countLookup()
    const invitations = await accounts.listInvitations(principal)
    work.countRows(invitations.length)
    return invitations.map(shownInvitation)
  },

  async auditLog(_row, { filter, limit }, { accounts, principal, work }) {
    work.countLookup()
    const entries = await accounts.listAudit(principal, filterOf(filter ?? {}), limit ?? undefined)
    work.countRows(entries.length)
    return entries.map(shownEntry)
  },
} satisfies Resolvers['Query']

const userMutations = {
  updateUser(_row, { id, input }, { accounts, principal, work }) {
    work.check()
    const { name, role, groups } = input
    const given = { name: name ?? undefined, role: role ?? undefined, groups }
    return accounts.changeUser(principal, id, given)
  },

  async deleteUser(_row, { id, confirm }, { accounts, principal, work }) {
    work.check()
    await accounts.removeUser(principal, id, confirm ?? undefined)
    return id
  },

  async inviteUser(_row, { input }, { accounts, principal, work }) {
    work.check()
    return shownInvitation(await accounts.invite(principal, input))
  },

  async resendInvitation(_row, { id }, { accounts, principal, work }) {
    work.check()
    return shownInvitation(await accounts.resendInvitation(principal, id))
  },

  async revokeInvitation(_row, { id }, { accounts, principal, work }) {
    work.check()
    await accounts.revokeInvitation(principal, id)
    return id
  },
} satisfies Resolvers['Mutation']

const roleMutations = {
  async createRole(_row, { input }, { accounts, principal, work }) {
    work.check()
    return shownRole(await accounts.createRole(principal, input))
  },

  async updateRole(_row, { input }, { accounts, principal, work }) {
    work.check()
    const { ended, ...role } = await accounts.changeRole(principal, input.name, input)
    return { ...shownRole(role), ended }
  },

  async setRoleRateLimits(_row, { name, rateLimits }, { accounts, principal, work }) {
    work.check()
    return shownRole(await accounts.setRoleRates(principal, name, ratesOf(rateLimits)))
  },

  async deleteRole(_row, { name }, { accounts, principal, work }) {
    work.check()
    await accounts.removeRole(principal, name)
    return name
  },

  createToken(_row, { input }, { accounts, principal, work }) {
    work.check()
    return accounts.createToken(principal, newTokenOf(input))
  },

  async revokeToken(_row, { id }, { accounts, principal, work }) {
    work.check()
    await accounts.revokeToken(principal, id)
    return id
  },
} satisfies Resolvers['Mutation']

export const peopleResolvers = {
  Query: { ...userQueries, ...listQueries },
  Mutation: { ...userMutations, ...roleMutations },

  User: {
    async role({ role }, _, { accounts, businessId, work }) {
      work.countLookup()
      const found = (await accounts.listRoles(businessId)).find(({ name }) => name === role)
      return found && shownRole(found)
    },

    async groups({ groups: ids }, _, { groups, principal, work }) {
      if (ids === null) return null
      work.countLookup()
      const found = await groups.some(principal.view, ids)
      work.countRows(found.length)
      return found
    },
  },
} satisfies Resolvers

function newTokenOf({ addresses, expiresAt, rateLimits, ...input }: CreateTokenInput) {
  const end = expiresAt == null ? undefined : Math.floor(expiresAt / usPerMs)
  const { name, role, groups } = input
  const rates = ratesOf(rateLimits ?? {})
  return { name, role, groups, addresses: addresses ?? [], expiresAt: end, rateLimits: rates }
}

function ratesOf({ requests, time }: RateLimitsInput) {
  return { requests: requests ?? undefined, timeMs: time ?? undefined }
}

function filterOf({ from, to, before, ...rest }: AuditFilter) {
  const id = before == null ? undefined : Number(before)
  if (id !== undefined && !Number.isSafeInteger(id)) {
    throw new Fault('invalid_argument', 'before is the id of an entry.')
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
    rateLimits: { requests: times.requestsMax, time: times.msMax },
  }
}

function shownInvitation({ id, email, role, groups, createdAt, expiresAt }: Invitation) {
  const times = { createdAt: createdAt * usPerMs, expiresAt: expiresAt * usPerMs }
  return Object.assign({ id, email, role, groups: groups && [...groups] }, times)
}

function shownEntry({ id, at, ...entry }: AuditEntry) {
  return { ...entry, id: String(id), at: at * usPerMs }
}
