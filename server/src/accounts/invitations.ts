import type { Database } from '../database/index.ts'
import {
  type Clock,
  Fault,
  hashToken,
  limits,
  newId,
  newToken,
  type Random,
} from '../kernel/index.ts'
import type { Mail } from '../mail/index.ts'
import { insertUser, type PrepareUser } from './new-user.ts'
import { isPlain, isToken, parseEmail, parsePassword } from './parse.ts'
import { principalOf, type Requester, type Rights } from './rights.ts'
import type { Invitation } from './store/invitations.ts'
import type { Store } from './store/store.ts'
import type { User } from './store/users.ts'

export type NewInvitation = {
  readonly email: string
  readonly role: string
  /** Left out or null: those of the caller. */
  readonly groups?: readonly string[] | null | undefined
}

export type Invitations = {
  /**
   * Sends a mail with a link that is valid for limits.invitationDays. If the mail cannot be sent,
   * the invitation stays and may be sent again.
   * Faults: invalid_argument, already_exists, forbidden, not_found (a group), mail_failed.
   */
  invite(by: Requester, invitation: NewInvitation): Promise<Invitation>
  /** Those for no more groups than the caller sees, the newest first. */
  listInvitations(by: Requester): Promise<Invitation[]>
  /** With another link, which ends the one before. Faults: not_found, forbidden, mail_failed. */
  resendInvitation(by: Requester, id: string): Promise<Invitation>
  /** Its link is no longer valid. Faults: not_found. */
  revokeInvitation(by: Requester, id: string): Promise<void>
  /** Makes the user, once. Faults: not_found, invalid_argument, already_exists, overloaded. */
  acceptInvitation(token: string, person: NewPerson): Promise<User>
}

type NewPerson = { readonly name?: string | undefined; readonly password: string }

export type InvitationsOptions = {
  database: Database
  store: Store
  rights: Rights
  mail: Pick<Mail, 'send'>
  /** Where people reach the console. */
  publicUrl: string
  prepareUser: PrepareUser
  clock: Clock
  random: Random
}

const dayMs = 86_400_000

export function createInvitations(options: InvitationsOptions): Invitations {
  const { database, store, rights, clock, random, prepareUser } = options
  const end = () => clock.nowMs() + limits.invitationDays * dayMs

  async function find(by: Requester, id: string): Promise<Invitation> {
    const principal = principalOf(by)
    const within = await rights.seen(principal)
    const found = isPlain(id) ? await store.invitation(principal.businessId, within, id) : undefined
    if (found === undefined) throw new Fault('not_found', 'There is no such invitation.')
    return found
  }

  return {
    async invite(by, wanted) {
      const principal = principalOf(by)
      const { businessId, subject: createdBy } = principal
      const { email, key } = parseEmail(wanted.email)
      await rights.requireRole(principal, wanted.role)
      if (await store.credentials(key)) throw new Fault('already_exists', taken)
      await refuseMany(store, businessId)
      const token = newToken(random)
      const at = { createdAt: clock.nowMs(), expiresAt: end() }
      const made = { id: newId(random), email, role: wanted.role, createdBy, ...at }
      const invitation = await database.transaction(async (transaction) => {
        const groups = await rights.holdGroups(transaction, principal, wanted.groups)
        const kept = { ...made, groups, key, tokenHash: hashToken(token) }
        const added = await store.addInvitation(transaction, businessId, kept)
        if (added === 0) throw new Fault('already_exists', 'There is an invitation already.')
        return { ...made, groups }
      })
      await sendLink(options, businessId, email, token)
      return invitation
    },
    async listInvitations(by) {
      const principal = principalOf(by)
      const within = await rights.seen(principal)
      return store.invitations(principal.businessId, within, limits.pageMax)
    },
    async resendInvitation(by, id) {
      const principal = principalOf(by)
      const invitation = await find(by, id)
      await rights.requireRole(principal, invitation.role)
      const token = newToken(random)
      const renewed = { tokenHash: hashToken(token), expiresAt: end() }
      const written = await store.renewInvitation(principal.businessId, id, renewed)
      if (written === 0) throw new Fault('not_found', 'There is no such invitation.')
      await sendLink(options, principal.businessId, invitation.email, token)
      return { ...invitation, expiresAt: renewed.expiresAt }
    },
    async revokeInvitation(by, id) {
      await find(by, id)
      await store.removeInvitation(principalOf(by).businessId, id)
    },
    async acceptInvitation(token, { name, password }) {
      const tokenHash = hashToken(token)
      const found = isToken(token) ? await store.invitationOfToken(tokenHash) : undefined
      if (found === undefined || found.expiresAt <= clock.nowMs()) throw gone()
      parsePassword(password)
      const { email, role, businessId } = found
      const user = await prepareUser({ email, role, password, name })
      return database.transaction(async (transaction) => {
        const taken = await store.takeInvitation(transaction, tokenHash)
        if (taken === undefined) throw gone()
        return insertUser(store, transaction, businessId, { ...user, ...taken })
      })
    },
  }
}

const taken = 'There is a user of that e-mail address.'

function gone(): Fault {
  return new Fault('not_found', 'The invitation is not valid: ask for another one.')
}

async function refuseMany(store: Store, businessId: string): Promise<void> {
  if ((await store.countInvitations(businessId)) < limits.invitationsMax) return
  const sentence = `A business has at most ${limits.invitationsMax} open invitations.`
  throw new Fault('invalid_argument', sentence)
}

async function sendLink(
  { store, mail, publicUrl }: InvitationsOptions,
  businessId: string,
  email: string,
  token: string,
): Promise<void> {
  const business = await store.businessNamed(businessId)
  const text = [
    `You are invited to ${business?.name ?? 'a business'} on Millrace.`,
    '',
    'Open this link to choose a password:',
    `${publicUrl}/#invitation=${token}`,
    '',
    `It is valid for ${limits.invitationDays} days.`,
  ].join('\n')
  await mail.send(businessId, { to: [email], subject: 'Your invitation to Millrace', text })
}
