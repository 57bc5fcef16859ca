import type { Database } from '../../foundation/database/index.ts'
import { Fault, limits, newId, type Random } from '../../foundation/kernel/index.ts'
import type { Changes } from '../../log/changes/index.ts'
import type { CountAnonymous } from './anonymous-count.ts'
import type { AuditNote } from './audit.ts'
import { goneLink, type MailLinks } from './links.ts'
import { insertUser, type PrepareUser } from './new-user.ts'
import { isPlain, parseNewEmail, parsePassword } from './parse.ts'
import type { QuotaGuard } from './quotas/quotas.ts'
import type { LinkFrom } from './recovery.ts'
import { type Requester, type Rights, toPrincipal } from './rights.ts'
import type { Invitation, NewInvitation, User } from './schema.ts'
import type { Store } from './store/store.ts'

/** Open invitations of one business. */
const invitationsMax = 1_000

export type Invitations = {
  /**
   * Sends a mail with a link that is valid for limits.invitationDays. If the mail cannot be sent,
   * the invitation stays and may be sent again.
   * Faults: invalid_argument, already_exists, forbidden, not_found (a group), mail_failed.
   */
  invite(by: Requester, invitation: NewInvitation): Promise<Invitation>
  /** The invitations for no more groups than the caller sees, the newest first. */
  listInvitations(by: Requester): Promise<Invitation[]>
  /** With another link, which ends the one before. Faults: not_found, forbidden, mail_failed. */
  resendInvitation(by: Requester, id: string): Promise<Invitation>
  /** Its link is no longer valid. Faults: not_found. */
  revokeInvitation(by: Requester, id: string): Promise<void>
  /** Makes the user, once. Faults: not_found, invalid_argument, already_exists, overloaded. */
  acceptInvitation(
    token: string,
    person: NewPerson,
    from?: LinkFrom,
  ): Promise<User & { readonly businessId: string }>
}

type NewPerson = { readonly name?: string | undefined; readonly password: string }

export type InvitationsOptions = {
  database: Database
  store: Store
  rights: Rights
  links: MailLinks
  note: AuditNote
  countAnonymous: CountAnonymous
  prepareUser: PrepareUser
  quotas: Pick<QuotaGuard, 'require'>
  random: Random
  changes: Changes
}

const dayMs = 86_400_000

export function createInvitations(options: InvitationsOptions): Invitations {
  return { ...createInviting(options), ...createAcceptance(options) }
}

function createAcceptance(options: InvitationsOptions): Pick<Invitations, 'acceptInvitation'> {
  const { database, store, links, prepareUser, countAnonymous, changes } = options
  return {
    async acceptInvitation(token, { name, password }, from = {}) {
      countAnonymous('acceptInvitation', from.address)
      const found = await links.open(token, store.invitationOfToken, gone)
      parsePassword(password)
      const { email, role, businessId, tokenHash } = found
      const user = await prepareUser({ email, role, password, name })
      const { address, source = 'management' } = from
      const by = {
        businessId,
        subject: `user:${user.id}`,
        ...(address !== undefined && { address }),
      }
      const noted = { by, source, action: 'acceptInvitation', target: email }
      const accepted = await options.note(noted, () =>
        database.transaction(async (transaction) => {
          const taken = await store.takeInvitation(transaction, tokenHash)
          if (taken === undefined) throw goneLink(gone)
          return insertUser(store, transaction, businessId, { ...user, ...taken }, options.quotas)
        }),
      )
      changes.publish(database, businessId, 'accounts')
      return { ...accepted, businessId }
    },
  }
}

function createInviting(options: InvitationsOptions): Omit<Invitations, 'acceptInvitation'> {
  const { database, store, rights, links, random, changes } = options
  const issue = () => links.issue(limits.invitationDays * dayMs)

  async function find(by: Requester, id: string): Promise<Invitation> {
    const principal = toPrincipal(by)
    const within = await rights.seen(principal)
    const found = isPlain(id) ? await store.invitation(principal.businessId, within, id) : undefined
    if (found === undefined) throw new Fault('not_found', 'There is no such invitation.')
    return found
  }

  return {
    invite: changes.publishing('accounts', async (by, wanted) => {
      const principal = toPrincipal(by)
      const { businessId, subject: createdBy } = principal
      const { email, key } = parseNewEmail(wanted.email)
      await rights.requireRole(principal, wanted.role)
      if (await store.credentials(key)) throw new Fault('already_exists', taken)
      await refuseMany(store, businessId)
      const { secret, tokenHash, at: createdAt, expiresAt } = issue()
      const described = { email, role: wanted.role, createdBy, createdAt, expiresAt }
      const made = { id: newId(random), ...described }
      const invitation = await database.transaction(async (transaction) => {
        const groups = await rights.holdGroups(transaction, principal, wanted.groups)
        const kept = { ...made, groups, key, tokenHash }
        const added = await store.addInvitation(transaction, businessId, kept)
        if (added === 0) throw new Fault('already_exists', 'An invitation already exists.')
        return { ...made, groups }
      })
      await sendLink(options, businessId, email, secret)
      return invitation
    }),
    async listInvitations(by) {
      const principal = toPrincipal(by)
      const within = await rights.seen(principal)
      return store.invitations(principal.businessId, within, limits.pageMax)
    },
    resendInvitation: changes.publishing('accounts', async (by, id) => {
      const principal = toPrincipal(by)
      const invitation = await find(by, id)
      await rights.requireRole(principal, invitation.role)
      const { secret, tokenHash, expiresAt } = issue()
      const renewed = { tokenHash, expiresAt }
      const written = await store.renewInvitation(principal.businessId, id, renewed)
      if (written === 0) throw new Fault('not_found', 'There is no such invitation.')
      await sendLink(options, principal.businessId, invitation.email, secret)
      return { ...invitation, expiresAt }
    }),
    revokeInvitation: changes.publishing('accounts', async (by, id) => {
      await find(by, id)
      await store.removeInvitation(toPrincipal(by).businessId, id)
    }),
  }
}

const taken = 'A user with that e-mail address already exists.'

const gone = 'The invitation is not valid: ask for another one.'

async function refuseMany(store: Store, businessId: string): Promise<void> {
  if ((await store.countInvitations(businessId)) < invitationsMax) return
  const sentence = `A business has at most ${invitationsMax} open invitations.`
  throw new Fault('invalid_argument', sentence)
}

async function sendLink(
  { store, links }: InvitationsOptions,
  businessId: string,
  email: string,
  secret: string,
): Promise<void> {
  const business = await store.businessNamed(businessId)
  await links.send(businessId, email, {
    subject: 'Your invitation to Millrace',
    before: [
      `You are invited to ${business?.name ?? 'a business'} on Millrace.`,
      '',
      'Open this link to choose a password:',
    ],
    fragment: 'invitation',
    secret,
    after: `It is valid for ${limits.invitationDays} days.`,
  })
}
