import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { accountLimits } from '../../../../src/people/accounts/index.ts'
import { accountsFixture, refused, unknown } from '../../../fixtures/accounts.ts'

const password = 'correct horse'
const another = 'another long phrase'
const dayMs = 86_400_000

type Fixture = Awaited<ReturnType<typeof accountsFixture>>

/** The secret of the link in the last mail to an address. */
async function linkTo({ mail }: Fixture, email: string): Promise<string> {
  for (let tries = 0; tries < 10_000; tries += 1) {
    const [last] = (await mail.list()).filter(({ to }) => to.includes(email))
    const [, token] = /#(?:invitation|reset)=([0-9a-f]{40})$/m.exec(last?.text ?? '') ?? []
    if (token !== undefined) return token
  }
  return assert.fail(`no mail to ${email} has a link`)
}

const inviteEve = ({ makeEmail }: Fixture) => ({ email: makeEmail('eve'), role: 'Viewer' })

describe('an invitation lasts 8 days', () => {
  it('and its link makes the user once, with the role and the groups', async () => {
    const fixture = await accountsFixture()
    const eve = inviteEve(fixture)
    const { accounts, business, time, user, takeTopics } = fixture
    const by = await accounts.basic(user.email, password)
    const invitation = await accounts.invite(by, eve)
    assert.equal(invitation.expiresAt, time.ms + 8 * dayMs)
    const token = await linkTo(fixture, eve.email)
    time.ms += 8 * dayMs - 1
    takeTopics()
    const accepted = await accounts.acceptInvitation(token, { name: 'Eve', password: another })
    assert.deepEqual(takeTopics().toSorted(), ['accounts', 'audit'])
    assert.deepEqual([accepted.role, accepted.name], ['Viewer', 'Eve'])
    const principal = await accounts.basic(eve.email, another)
    assert.deepEqual([principal.businessId, principal.view.groups], [business.id, 'all'])
    const again = accounts.acceptInvitation(token, { password: another })
    await assert.rejects(again, refused('not_found'))
    assert.deepEqual(await accounts.listInvitations(by), [])
    await assert.rejects(accounts.invite(by, eve), refused('already_exists'))
  })

  it('and not a moment longer; then another may be made', async () => {
    const fixture = await accountsFixture()
    const eve = inviteEve(fixture)
    const { accounts, business, time } = fixture
    await accounts.invite(business.id, eve)
    const token = await linkTo(fixture, eve.email)
    await assert.rejects(accounts.invite(business.id, eve), refused('already_exists'))
    time.ms += 8 * dayMs
    const late = accounts.acceptInvitation(token, { password: another })
    await assert.rejects(late, refused('not_found'))
    await accounts.invite(business.id, eve)
  })

  it('is sent again with another link, and ends when it is revoked', async () => {
    const fixture = await accountsFixture()
    const eve = inviteEve(fixture)
    const { accounts, business, time, otherBusiness } = fixture
    const { id } = await accounts.invite(business.id, eve)
    const first = await linkTo(fixture, eve.email)
    time.ms += dayMs
    const { expiresAt } = await accounts.resendInvitation(business.id, id)
    assert.equal(expiresAt, time.ms + 8 * dayMs)
    const second = await linkTo(fixture, eve.email)
    const by = { password: another }
    await assert.rejects(accounts.acceptInvitation(first, by), refused('not_found'))
    const other = await otherBusiness()
    await assert.rejects(accounts.revokeInvitation(other.id, id), refused('not_found'))
    await assert.rejects(accounts.resendInvitation(other.id, id), refused('not_found'))
    await accounts.revokeInvitation(business.id, id)
    await assert.rejects(accounts.acceptInvitation(second, by), refused('not_found'))
    await assert.rejects(accounts.revokeInvitation(business.id, id), refused('not_found'))
  })

  it('gives no more than the one who invites has, and holds its role', async () => {
    const fixture = await accountsFixture()
    const { accounts, business, makeEmail } = fixture
    const eve = inviteEve(fixture)
    const names = ['User Management']
    await accounts.createRole(business.id, { name: 'Clerk', permissions: names })
    await accounts.createUser(business.id, { email: makeEmail('c'), password, role: 'Clerk' })
    const clerk = await accounts.basic(makeEmail('c'), password)
    await assert.rejects(accounts.invite(clerk, eve), refused('forbidden'))
    await accounts.invite(clerk, { ...eve, role: 'Clerk' })
    const removal = accounts.removeRole(business.id, 'Clerk')
    await assert.rejects(removal, /used by 1 users \(c\..*\); 1 invitations \(eve\..*\)\. Change/)
  })
})

describe('a password is changed and reset', () => {
  it('by its user, who shows the present one; all sessions end', async () => {
    const { accounts, business, user } = await accountsFixture()
    const { token } = await accounts.signIn(user.email, password)
    const by = await accounts.session(token)
    await assert.rejects(accounts.changeOwnPassword(by, 'wrong horse', another), unknown)
    await accounts.changeOwnPassword(by, password, another)
    await assert.rejects(accounts.session(token), unknown)
    await assert.rejects(accounts.basic(user.email, password), unknown)
    await accounts.basic(user.email, another)
    const api = await accounts.createToken(business.id, { name: 't', role: 'Viewer' })
    const machine = await accounts.automation(api.token)
    await assert.rejects(accounts.changeOwnPassword(machine, '', another), refused('forbidden'))
  })

  it('by a link of a mail, once, for so long', async () => {
    const fixture = await accountsFixture()
    const { accounts, time, user } = fixture
    const session = await accounts.signIn(user.email, password)
    await accounts.requestReset(user.email)
    const token = await linkTo(fixture, user.email)
    await assert.rejects(accounts.resetPassword(token, 'short'), refused('invalid_argument'))
    time.ms += limits.passwordResetMinutes * 60_000 - 1
    await accounts.resetPassword(token, another)
    await assert.rejects(accounts.session(session.token), unknown)
    await accounts.basic(user.email, another)
    await assert.rejects(accounts.resetPassword(token, password), refused('not_found'))
    await accounts.requestReset(user.email)
    const late = await linkTo(fixture, user.email)
    time.ms += limits.passwordResetMinutes * 60_000
    await assert.rejects(accounts.resetPassword(late, password), refused('not_found'))
  })

  it('and another password, by anyone, ends the links that are open', async () => {
    const fixture = await accountsFixture()
    const { accounts, business, user } = fixture
    await accounts.requestReset(user.email)
    const stolen = await linkTo(fixture, user.email)
    await accounts.setPassword(business.id, user.email, another)
    const late = accounts.resetPassword(stolen, 'the thief has chosen')
    await assert.rejects(late, refused('not_found'))
    await accounts.basic(user.email, another)
  })

  it('and nobody learns who is a user, nor floods one with mail', async () => {
    const fixture = await accountsFixture()
    const { accounts, mail, user } = fixture
    const before = new Set((await mail.list()).map(({ id }) => id))
    for (const email of ['nobody@example.com', 'no address', 'x\0@example.com']) {
      await accounts.requestReset(email)
    }
    for (let at = 0; at < accountLimits.passwordResetsMax + 3; at += 1) {
      await accounts.requestReset(user.email)
      await linkTo(fixture, user.email)
    }
    const mails = (await mail.list()).filter(({ id }) => !before.has(id))
    assert.ok(mails.length <= accountLimits.passwordResetsMax, `${mails.length} mails`)
    assert.ok(mails.every(({ to }) => to.includes(user.email)))
  })
})
