import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { type Principal, permissions } from '../../../../src/people/accounts/index.ts'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { accountsFixture, refused } from '../../../fixtures/accounts.ts'

const password = 'correct horse'

/** A business with two plants; Nora manages the users of the first. */
async function plantsFixture() {
  const fixture = await accountsFixture()
  const { accounts, business, groups, makeEmail } = fixture
  const view = wholeView(business.id)
  const [north, south] = [
    await groups.create(view, { name: 'North' }),
    await groups.create(view, { name: 'South' }),
  ]
  const hall = await groups.create(view, { name: 'Hall', parentId: north.id })
  const names = ['User Management', 'Setup', 'View Asset']
  await accounts.createRole(business.id, { name: 'Manager', permissions: names })
  const add = (name: string, role: string, at?: string) =>
    accounts.createUser(business.id, {
      email: makeEmail(name),
      password,
      role,
      ...(at !== undefined && { groups: [at] }),
    })
  await add('nora', 'Manager', north.id)
  const users = {
    hall: await add('hall', 'Viewer', hall.id),
    south: await add('south', 'Viewer', south.id),
    whole: await add('whole', 'Viewer'),
  }
  const as = (name: string): Promise<Principal> => accounts.basic(makeEmail(name), password)
  return { ...fixture, north, south, hall, users, as }
}

describe('a user sees the groups that the user has, and all below', () => {
  let fixture: Awaited<ReturnType<typeof plantsFixture>>
  let nora: Principal

  before(async () => {
    fixture = await plantsFixture()
    nora = await fixture.as('nora')
  })

  it('which is the view of the session, and of API tokens that it creates', async () => {
    const { accounts, north, hall } = fixture
    assert.deepEqual(nora.view.groups, [north.id])
    const { token } = await accounts.createToken(nora, { name: 't', role: 'Manager' })
    assert.deepEqual((await accounts.automation(token)).view.groups, [north.id])
    const below = { name: 'b', role: 'Manager', groups: [hall.id] }
    const made = await accounts.createToken(nora, below)
    assert.deepEqual((await accounts.automation(made.token)).view.groups, [hall.id])
  })

  it('and changes no user and revokes no API token that sees all', async () => {
    const { accounts, business, users } = fixture
    const missing = refused('not_found')
    await assert.rejects(accounts.changeUser(nora, users.whole.id, { name: 'x' }), missing)
    await assert.rejects(accounts.removeUser(nora, users.whole.id), missing)
    const all = await accounts.createToken(business.id, { name: 'all', role: 'Viewer' })
    assert.ok(!(await accounts.listTokens(nora)).some(({ id }) => id === all.id))
    await assert.rejects(accounts.revokeToken(nora, all.id), missing)
  })

  it('and puts nobody and no API token outside of it', async () => {
    const { accounts, south, users, makeEmail } = fixture
    const wanted = { email: makeEmail('new'), password, role: 'Manager' }
    const outside = { groups: [south.id] }
    await assert.rejects(accounts.createUser(nora, { ...wanted, ...outside }), refused('not_found'))
    const change = accounts.changeUser(nora, users.hall.id, outside)
    await assert.rejects(change, refused('forbidden'), 'the role permits more than her own')
    const token = accounts.createToken(nora, { name: 't', role: 'Manager', ...outside })
    await assert.rejects(token, refused('not_found'))
    const made = await accounts.createUser(nora, wanted)
    assert.deepEqual(made.groups, nora.view.groups, 'without a word about groups')
    await assert.rejects(
      accounts.changeUser(nora, made.id, { groups: [south.id] }),
      refused('not_found'),
    )
  })
})

describe('nobody gives more than they have', () => {
  let fixture: Awaited<ReturnType<typeof plantsFixture>>
  let deputy: Principal

  before(async () => {
    fixture = await plantsFixture()
    const { accounts, business, as, makeEmail } = fixture
    const user = { email: makeEmail('deputy'), password, role: 'Manager' }
    await accounts.createUser(business.id, user)
    deputy = await as('deputy')
  })

  it('no user, no change of one, no password, no removal, beyond the own permissions', async () => {
    const { accounts, user: ann, users, makeEmail } = fixture
    const administrator = { email: makeEmail('x'), password, role: 'Administrator' }
    const no = refused('forbidden')
    await assert.rejects(accounts.createUser(deputy, administrator), no)
    const raise = { role: 'Administrator' }
    await assert.rejects(accounts.changeUser(deputy, users.whole.id, raise), no)
    await assert.rejects(accounts.changeUser(deputy, ann.id, { role: 'Manager' }), no)
    await assert.rejects(accounts.setPassword(deputy, ann.email, 'another phrase'), no)
    await assert.rejects(accounts.removeUser(deputy, ann.id), no)
  })

  it('no role and no API token', async () => {
    const { accounts } = fixture
    const more = { permissions: ['Asset Management'] }
    const no = refused('forbidden')
    await assert.rejects(accounts.createRole(deputy, { name: 'More', ...more }), no)
    await assert.rejects(accounts.changeRole(deputy, 'Manager', more), no)
    await assert.rejects(accounts.changeRole(deputy, 'Administrator', { permissions: [] }), no)
    const token = { name: 't', role: 'Administrator' }
    await assert.rejects(accounts.createToken(deputy, token), no)
  })

  it('no API token that outlives the one that creates it', async () => {
    const { accounts, business, time } = fixture
    const expiresAt = time.ms + 1_000
    const wanted = { name: 'short', role: 'Manager', expiresAt }
    const { token } = await accounts.createToken(business.id, wanted)
    const short = await accounts.automation(token)
    const longer = { name: 'long', role: 'Manager' }
    await assert.rejects(accounts.createToken(short, longer), refused('forbidden'))
    const late = { ...longer, expiresAt: expiresAt + 1 }
    await assert.rejects(accounts.createToken(short, late), refused('forbidden'))
    await accounts.createToken(short, { ...longer, expiresAt })
  })
})

describe('what depends on something is named before it is removed', () => {
  it('a role that somebody has stays, and so does a group', async () => {
    const { accounts, business, groups, hall, users } = await plantsFixture()
    await accounts.createToken(business.id, { name: 't', role: 'Viewer', groups: [hall.id] })
    const role = accounts.removeRole(business.id, 'Viewer')
    await assert.rejects(
      role,
      /used by 3 users \(hall\..*, whole\..*\); 1 api tokens \(t\)\. Change/,
    )
    const view = wholeView(business.id)
    await assert.rejects(groups.remove(view, hall.id), /1 users .*1 api tokens/)
    await accounts.removeUser(business.id, users.hall.id)
    const [token] = await accounts.listTokens(business.id)
    await accounts.revokeToken(business.id, token?.id ?? '')
    await groups.remove(view, hall.id)
    await accounts.createRole(business.id, { name: 'Unused', permissions: [] })
    await accounts.removeRole(business.id, 'Unused')
  })

  it('of many dependants the first are named, and of the others how many there are', async () => {
    const { accounts, business, makeEmail, otherBusiness } = await accountsFixture()
    const role = 'Planner'
    const elsewhere = await otherBusiness()
    for (const { id } of [business, elsewhere]) {
      await accounts.createRole(id, { name: role, permissions: [] })
    }
    const many = limits.dependantsNamedMax + 2
    const emails = Array.from({ length: many }, (_, at) => makeEmail(`p${at + 10}`))
    for (const email of emails) await accounts.createUser(business.id, { email, password, role })
    await accounts.createUser(elsewhere.id, { email: makeEmail('elsewhere'), password, role })
    await accounts.invite(business.id, { email: 'guest@example.com', role })
    const first = emails.slice(0, limits.dependantsNamedMax).join(', ')
    const users = `${many} users (${first} and 2 more)`
    const others = '1 invitations (guest@example.com)'
    const uses = `still used by ${users}; ${others}`
    const detail = `Cannot delete the role ${role}: ${uses}. Change these first.`
    await assert.rejects(accounts.removeRole(business.id, role), { code: 'in_use', detail })
  })

  it('the last user who manages the whole business stays, and keeps the right', async () => {
    const { accounts, user: ann, hall, makeEmail } = await plantsFixture()
    const principal = await accounts.basic(ann.email, password)
    const last = refused('in_use')
    await assert.rejects(accounts.removeUser(principal, ann.id), last)
    await assert.rejects(accounts.changeUser(principal, ann.id, { role: 'Viewer' }), last)
    await assert.rejects(accounts.changeUser(principal, ann.id, { groups: [hall.id] }), last)
    const less = { permissions: ['Setup'] }
    await assert.rejects(accounts.changeRole(principal, 'Administrator', less), last)
    const second = { email: makeEmail('two'), password, role: 'Administrator' }
    await accounts.createUser(principal, second)
    await accounts.removeUser(principal, ann.id)
  })
})

describe('an API token', () => {
  it('is taken from its addresses alone, and shows when it was last used', async () => {
    const { accounts, business, time } = await accountsFixture()
    const addresses = ['192.0.2.0/24', '2001:db8::/32', '198.51.100.7']
    const wanted = { name: 't', role: 'Viewer', addresses }
    const { id, token } = await accounts.createToken(business.id, wanted)
    for (const from of ['192.0.2.9', '::ffff:192.0.2.9', '2001:db8::1', '198.51.100.7']) {
      await accounts.automation(token, from)
    }
    for (const from of ['192.0.3.1', '198.51.100.8', '2001:db9::1', '', 'x']) {
      await assert.rejects(accounts.automation(token, from), refused('forbidden'), from)
    }
    const used = async () => (await accounts.listTokens(business.id))[0]?.lastUsedAt
    for (let tries = 0; (await used()) === null && tries < 1_000; tries += 1) await setImmediate
    assert.deepEqual([id, await used()], [id, time.ms])
    for (const wrong of ['192.0.2.0/33', '300.1.1.1', 'localhost', '192.0.2.0/24/1', '']) {
      const bad = accounts.createToken(business.id, { ...wanted, addresses: [wrong] })
      await assert.rejects(bad, refused('invalid_argument'), wrong)
    }
  })
})

describe('who may do less takes back what they gave', () => {
  let fixture: Awaited<ReturnType<typeof plantsFixture>>

  before(async () => {
    fixture = await plantsFixture()
  })

  /** A user of a role, with API tokens, one made by another one, and an invitation. */
  async function giver(name: string) {
    const { accounts, business, as, hall, makeEmail } = fixture
    const user = await accounts.createUser(business.id, {
      email: makeEmail(name),
      password,
      role: 'Administrator',
    })
    const by = await as(name)
    const token = (role: string, more = {}) =>
      accounts.createToken(by, { name: `${name} ${role}`, role, ...more })
    const [high, low] = [await token('Manager'), await token('Viewer', { groups: [hall.id] })]
    const machine = await accounts.automation(high.token)
    const chained = await accounts.createToken(machine, { name: `${name} next`, role: 'Manager' })
    const invited = { email: makeEmail(`${name}.next`), role: 'Administrator' }
    await accounts.invite(by, invited)
    return { user, high, low, chained, invited }
  }

  it('a user with a smaller role: the tokens and invitations beyond it', async () => {
    const { accounts, business } = fixture
    const { user, high, low, chained, invited } = await giver('demoted')
    const { ended } = await accounts.changeUser(business.id, user.id, { role: 'Viewer' })
    assert.deepEqual(ended, {
      tokens: ['demoted Manager', 'demoted next'],
      invitations: [invited.email],
    })
    for (const { token } of [high, chained]) {
      await assert.rejects(accounts.automation(token), refused('unknown_credential'))
    }
    await accounts.automation(low.token)
    const ann = await fixture.accounts.basic(fixture.user.email, password)
    const noted = (await accounts.listAudit(ann)).map(({ action, target }) => [action, target])
    assert.deepEqual(noted.slice(0, 3).sort(), [
      ['deleteApiToken', 'demoted Manager'],
      ['deleteApiToken', 'demoted next'],
      ['revokeInvitation', invited.email],
    ])
  })

  it('a user with fewer groups: those that see more', async () => {
    const { accounts, business, north, south } = fixture
    const { user, low } = await giver('narrowed')
    const less = await accounts.changeUser(business.id, user.id, { groups: [north.id] })
    assert.equal(less.ended.tokens.length, 2)
    await accounts.automation(low.token)
    const none = await accounts.changeUser(business.id, user.id, { name: 'x' })
    assert.deepEqual(none.ended, { tokens: [], invitations: [] })
    const other = await accounts.changeUser(business.id, user.id, { groups: [south.id] })
    assert.deepEqual(other.ended.tokens, ['narrowed Viewer'])
  })

  it('and the users of a role that permits less', async () => {
    const { accounts, business, as, makeEmail } = fixture
    await accounts.createRole(business.id, { name: 'Lead', permissions: [...permissions] })
    const user = { email: makeEmail('lead'), password, role: 'Lead' }
    await accounts.createUser(business.id, user)
    const given = { name: 'lead', role: 'Manager' }
    const { token } = await accounts.createToken(await as('lead'), given)
    await accounts.changeRole(business.id, 'Lead', { permissions: ['Setup'] })
    await assert.rejects(accounts.automation(token), refused('unknown_credential'))
  })
})
