import type { Accounts, Invitation } from '../../../accounts/index.ts'
import { listAudit } from '../../contract/people/audit.ts'
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from '../../contract/people/invitations.ts'
import {
  changePassword,
  requestPasswordReset,
  resetPassword,
} from '../../contract/people/passwords.ts'
import { created, noContent, ok, type Route, route, sourceOf } from '../../route.ts'

/** Invitations, passwords, and the log of who did what. */
export function joiningRoutes(accounts: Accounts): Route[] {
  return [...invitationRoutes(accounts), ...passwordRoutes(accounts), auditRoute(accounts)]
}

function invitationRoutes(accounts: Accounts): Route[] {
  return [
    route(listInvitations, async ({ principal }) => {
      const invitations = await accounts.listInvitations(principal)
      return ok({ invitations: invitations.map(shown) })
    }),
    route(createInvitation, async ({ principal, body }) =>
      created(shown(await accounts.invite(principal, body))),
    ),
    route(resendInvitation, async ({ principal, params }) =>
      ok(shown(await accounts.resendInvitation(principal, params.invitation))),
    ),
    route(revokeInvitation, async ({ principal, params }) => {
      await accounts.revokeInvitation(principal, params.invitation)
      return noContent()
    }),
    route(acceptInvitation, async ({ body: { token, ...person }, ip, headers }) => {
      const from = { address: ip, source: sourceOf(headers) }
      const { email } = await accounts.acceptInvitation(token, person, from)
      return created({ email })
    }),
  ]
}

function shown({ id, email, role, groups, createdAt, createdBy, expiresAt }: Invitation) {
  const times = { created_at: createdAt, created_by: createdBy, expires_at: expiresAt }
  return Object.assign({ id, email, role, groups: groups && [...groups] }, times)
}

function passwordRoutes(accounts: Accounts): Route[] {
  return [
    route(changePassword, async ({ principal, body: { present, password }, ip }) => {
      await accounts.changeOwnPassword(principal, present, password, ip)
      return noContent()
    }),
    route(requestPasswordReset, async ({ body, ip }) => {
      await accounts.requestReset(body.email, ip)
      return noContent()
    }),
    route(resetPassword, async ({ body: { token, password }, ip, headers }) => {
      await accounts.resetPassword(token, password, { address: ip, source: sourceOf(headers) })
      return noContent()
    }),
  ]
}

function auditRoute(accounts: Accounts): Route {
  return route(listAudit, async ({ principal, query: { limit, ...filter } }) =>
    ok({ entries: [...(await accounts.listAudit(principal, filter, limit))] }),
  )
}
