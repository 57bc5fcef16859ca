import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  basicHeader,
  accountsFixture as fixture,
  password,
  refused,
  unknown,
} from '../../../test/fixtures/accounts.ts'
import { createPasswords, limits, systemRandom } from '../../foundation/kernel/index.ts'
import { permissions, requirePermission } from './index.ts'
import { accountLimits } from './limits.ts'

const minuteMs = 60_000

test('a business begins with three roles', async () => {
  const { accounts, business } = await fixture()
  const roles = await accounts.listRoles(business.id)
  assert.deepEqual(
    roles.map((role) => role.name),
    ['Administrator', 'Operator', 'Viewer'],
  )
  assert.deepEqual(roles[0]?.permissions, permissions)
  assert.deepEqual(roles[2]?.permissions, ['View Asset Data', 'View Asset'])
})

test('permissions are known by name', () => {
  const names = ['User Management', 'Asset Management', 'View Asset Data', 'Group Management']
  assert.deepEqual([...permissions], [...names, 'View Asset', 'Dashboard Management', 'Setup'])
})

test('a business is found by its id before its name', async () => {
  const { accounts, business, fresh } = await fixture()
  const second = await accounts.createBusiness({ name: business.id, id: fresh('second') })
  assert.deepEqual(await accounts.findBusiness(business.id), business)
  assert.deepEqual(await accounts.findBusiness(second.id), second)
  assert.deepEqual(await accounts.findBusiness(business.name), business)
  assert.equal(await accounts.findBusiness('nobody'), undefined)
  assert.equal(await accounts.findBusiness('a\0b'), undefined)
  const listed = (await accounts.listBusinesses()).map(({ id }) => id)
  assert.ok([business, second].every(({ id }) => listed.includes(id)))
})

test('a name or an id that is taken leaves nothing behind', async () => {
  const { accounts, business, fresh } = await fixture()
  const taken = refused('already_exists')
  const id = fresh('other')
  await assert.rejects(accounts.createBusiness({ name: business.name, id }), taken)
  assert.equal(await accounts.findBusiness(id), undefined)
  await accounts.createBusiness({ name: fresh('B'), id })
  await assert.rejects(accounts.createBusiness({ name: fresh('C'), id }), taken)
})

test('a business is created with its first user, or not at all', async () => {
  const { accounts, email, makeEmail, fresh } = await fixture()
  const first = { email: makeEmail('new'), password }
  const name = fresh('New')
  const refusals = [
    ['invalid_argument', { email: 'no address', password }],
    ['invalid_argument', { email: first.email, password: 'x' }],
    ['already_exists', { email, password }],
  ] as const
  for (const [code, administrator] of refusals) {
    await assert.rejects(accounts.createBusiness({ name, administrator }), refused(code))
    assert.equal(await accounts.findBusiness(name), undefined, administrator.email)
  }
  const { id } = await accounts.createBusiness({ name, administrator: first })
  assert.equal((await accounts.basic(first.email, password)).businessId, id)
  const [user] = await accounts.listUsers(id)
  assert.equal(user?.role, 'Administrator')
})

test('names and ids have their bounds', async () => {
  const { accounts, fresh } = await fixture()
  const invalid = refused('invalid_argument')
  const longest = fresh('').padEnd(limits.nameCharsMax, 'ü')
  assert.equal((await accounts.createBusiness({ name: longest })).name, longest)
  for (const name of ['', '  ', `${longest}x`, 'a\0b', 'a\nb']) {
    await assert.rejects(accounts.createBusiness({ name }), invalid, JSON.stringify(name))
  }
  for (const id of ['', '1a', 'A', '../b', 'a'.repeat(64), 'a b']) {
    await assert.rejects(accounts.createBusiness({ name: 'x', id }), invalid, id)
  }
})

test('an e-mail address is one in any letter case, in the whole platform', async () => {
  const { accounts, business, email, otherBusiness } = await fixture()
  const other = await otherBusiness()
  for (const { id } of [business, other]) {
    const again = accounts.createUser(id, { email: email.toUpperCase(), password, role: 'Viewer' })
    await assert.rejects(again, refused('already_exists'))
  }
  const principal = await accounts.basic(email.replace('ann', 'ANN'), password)
  assert.equal(principal.businessId, business.id)
})

test('what is not an e-mail address, password or role of the business is refused', async () => {
  const { accounts, business, makeEmail } = await fixture()
  const invalid = refused('invalid_argument')
  const good = { email: makeEmail('b'), password, role: 'Viewer' }
  const longest = good.email.padStart(limits.emailCharsMax, 'b')
  await accounts.createUser(business.id, { ...good, email: longest })
  for (const wrong of ['', 'b', '@b', 'b@', 'b@c@d', 'b c@d', 'b:c@d', 'b\0@d', `b${longest}`]) {
    await assert.rejects(
      accounts.createUser(business.id, { ...good, email: wrong }),
      invalid,
      wrong,
    )
  }
  const { accountPasswordCharsMin: min } = limits
  const { accountPasswordCharsMax: max } = accountLimits
  for (const length of [0, min - 1, max + 1]) {
    const user = { ...good, password: 'x'.repeat(length) }
    await assert.rejects(accounts.createUser(business.id, user), invalid, `${length}`)
  }
  for (const length of [min, max]) {
    const user = { email: makeEmail(`p${length}`), password: 'ü'.repeat(length), role: 'Viewer' }
    await accounts.createUser(business.id, user)
    await accounts.basic(user.email, user.password)
  }
  for (const role of ['', 'viewer', 'Viewer\0', 'x'.repeat(1000)]) {
    await assert.rejects(accounts.createUser(business.id, { ...good, role }), invalid, role)
  }
})

test('the right password gives the principal; anything else is one refusal', async () => {
  const { accounts, business, user, email, makeEmail } = await fixture()
  const viewer = { email: makeEmail('v'), password: 'another horse', role: 'Viewer' }
  const { id } = await accounts.createUser(business.id, viewer)
  const ann = await accounts.basic(email, password)
  assert.equal(ann.subject, `user:${user.id}`)
  assert.deepEqual([...ann.permissions], permissions)
  const v = await accounts.basic(viewer.email, viewer.password)
  assert.equal(v.subject, `user:${id}`)
  assert.doesNotThrow(() => requirePermission(v, 'View Asset'))
  assert.throws(() => requirePermission(v, 'Setup'), {
    code: 'forbidden',
    detail: 'This needs the permission "Setup".',
  })
  const wrong = [
    [email, 'another horse'],
    [viewer.email, password],
    [email, ''],
    [email, `${password}\0`],
    [email, 'x'.repeat(accountLimits.accountPasswordCharsMax + 1)],
    ['nobody@example.com', password],
    ['', password],
    [`${email}\0`, password],
  ] as const
  for (const [who, secret] of wrong) await assert.rejects(accounts.basic(who, secret), unknown)
})

test('one password has several spellings in Unicode', async () => {
  const { accounts, business, makeEmail } = await fixture()
  const spelt = { email: makeEmail('u'), password: 'p\u00e4ssword-u\ufb01', role: 'Viewer' }
  await accounts.createUser(business.id, spelt)
  await accounts.basic(spelt.email, 'pa\u0308ssword-ufi')
})

test('no secret is stored as it is', async () => {
  const { accounts, business, database, email } = await fixture()
  const session = await accounts.signIn(email, password)
  const api = await accounts.createToken(business.id, { name: 'ci', role: 'Viewer' })
  const rows = [
    ...(await database.rows('select * from accounts_user')),
    ...(await database.rows('select * from accounts_session')),
    ...(await database.rows('select * from accounts_token')),
  ]
  const stored = JSON.stringify(rows)
  for (const secret of [password, session.token, api.token]) assert(!stored.includes(secret))
  assert.match(stored, /\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('a check for nobody takes a slot, as one for somebody does', async () => {
  const passwords = createPasswords(systemRandom)
  const hash = await passwords.hash(password)
  const room = limits.passwordChecksMax + limits.passwordChecksWaitingMax
  const all = Array.from({ length: room }, () => passwords.verify(password, hash))
  await assert.rejects(passwords.verify(password, undefined), { code: 'overloaded' })
  assert.ok((await Promise.all(all)).every((matched) => matched))
  assert.equal(await passwords.verify(password, undefined), false)
})

test('any number of requests at once with the right password are one check', async () => {
  const { accounts, email } = await fixture()
  const room = limits.passwordChecksMax + limits.passwordChecksWaitingMax
  const all = Array.from({ length: room * 2 }, () => accounts.basic(email, password))
  assert.equal((await Promise.all(all)).length, room * 2)
})

test('past so many failures of an account nothing is looked at for a minute', async () => {
  const { accounts, business, time, email, makeEmail } = await fixture()
  const bob = { email: makeEmail('bob'), password, role: 'Viewer' }
  await accounts.createUser(business.id, bob)
  const fail = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        assert.rejects(accounts.basic(email, `wrong password ${at}`), unknown),
      ),
    )
  await fail(limits.failedSignInsMax - 1)
  await accounts.signIn(email, password)
  time.ms += limits.passwordCacheMs
  await fail(limits.failedSignInsMax)
  await assert.rejects(accounts.basic(email, password), tooMany, 'throttled')
  await accounts.basic(bob.email, password)
  time.ms += minuteMs - 1
  const last = { ...tooMany, retryAfterS: 1 }
  await assert.rejects(accounts.basic(email, password), last, 'the last moment')
  time.ms += 1
  await accounts.basic(email, password)
})

test('a verified pair is believed for a while, then checked again', async () => {
  const { accounts, time, email } = await fixture()
  await accounts.basic(email, password)
  time.ms += limits.passwordCacheMs - 1
  const fails = Array.from({ length: limits.failedSignInsMax }, (_, at) =>
    assert.rejects(accounts.basic(email, `wrong password ${at}`), unknown),
  )
  await Promise.all(fails)
  // The throttle is checked before argon2, and after the cache of verified passwords.
  await accounts.basic(email, password)
  time.ms += 1
  await assert.rejects(accounts.basic(email, password), tooMany)
})

const tooMany = { code: 'sign_in_locked', retryAfterS: 60 }

test('guesses from elsewhere keep nobody out who signed in from an address before', async () => {
  const { accounts, another, time, email } = await fixture()
  const fail = (address: (at: number) => string, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        assert.rejects(
          accounts.basic(email, `wrong ${at}`, address(at)),
          ({ status }) => status === 401 || status === 429,
        ),
      ),
    )
  await accounts.basic(email, password, '192.0.2.1')
  time.ms += limits.passwordCacheMs
  await fail((at) => `198.51.100.${at}`, 3 * limits.failedSignInsMax)
  await assert.rejects(accounts.basic(email, password, '198.51.100.250'), tooMany)
  for (const one of [accounts, another()]) await one.basic(email, password, '192.0.2.1')
  time.ms += limits.passwordCacheMs
  // From the holder's own address no more guesses are free than from any other.
  await fail(() => '192.0.2.1', limits.failedSignInsMax)
  await assert.rejects(accounts.basic(email, password, '192.0.2.1'), tooMany)
})

test('one address may fail so often, over all accounts', async () => {
  const { accounts, email } = await fixture()
  await accounts.basic(email, password, '192.0.2.1')
  const most = limits.failedSignInsPerAddressMax
  const tries = Array.from({ length: most }, (_, at) =>
    assert.rejects(accounts.basic(`nobody-${at}@example.com`, 'wrong password', '203.0.113.9'), {
      code: 'unknown_credential',
    }),
  )
  await Promise.all(tries)
  const another = accounts.basic('more@example.com', 'wrong password', '203.0.113.9')
  await assert.rejects(another, tooMany)
  await assert.rejects(
    accounts.basic('more@example.com', 'wrong password', '203.0.113.10'),
    unknown,
  )
})

test('made-up addresses take no more than their share of the checks', async () => {
  const { accounts, email } = await fixture()
  // More than may be checked and may wait: every one of them has its answer all the same.
  const count = limits.passwordChecksMax + limits.passwordChecksWaitingMax + 50
  const sprayed = Array.from({ length: count }, (_, at) =>
    assert.rejects(accounts.basic(`spray-${at}@example.com`, 'wrong', `198.51.100.${at}`), unknown),
  )
  await accounts.basic(email, password, '192.0.2.1')
  await Promise.all(sprayed)
})

test('a changed password ends the old one and its sessions, in every process', async () => {
  const { accounts, another, business, email } = await fixture()
  const here = another()
  await here.basic(email, password)
  const session = await accounts.signIn(email, password)
  await accounts.session(session.token)
  await accounts.setPassword(business.id, email.replace('ann', 'Ann'), 'brand new horse')
  for (const one of [accounts, here]) {
    await assert.rejects(one.basic(email, password), unknown)
    await one.basic(email, 'brand new horse')
    await assert.rejects(one.session(session.token), unknown)
  }
})

test('a sign-in that loses against a change of the password opens no session', async () => {
  const { accounts, business, database, email } = await fixture()
  await accounts.basic(email, password)
  await Promise.all([
    accounts.setPassword(business.id, email, 'brand new horse'),
    ...Array.from({ length: 50 }, () => accounts.signIn(email, password).catch(unknown)),
  ])
  await assert.rejects(accounts.signIn(email, password), unknown)
  const text = 'select token_hash from accounts_session where business_id = $1'
  const left = await database.rows(text, [business.id])
  assert.deepEqual(left, [])
})

test('a header is one of three schemes, in any letter case', async () => {
  const { accounts, business, user, email } = await fixture()
  const session = await accounts.signIn(email, password)
  const api = await accounts.createToken(business.id, { name: 'ci', role: 'Viewer' })
  const cases = [
    [basicHeader(email, password), `user:${user.id}`],
    [basicHeader(email, password).replace('Basic', 'basic'), `user:${user.id}`],
    [`token ${session.token}`, `user:${user.id}`],
    [`Token ${session.token}`, `user:${user.id}`],
    [`Automation ${api.token}`, `token:${api.id}`],
    [`AUTOMATION  ${api.token} `, `token:${api.id}`],
  ] as const
  for (const [header, subject] of cases) {
    assert.equal((await accounts.authorize(header)).subject, subject, header)
  }
})

test('no other header opens anything', async () => {
  const { accounts, business, email } = await fixture()
  const session = await accounts.signIn(email, password)
  const api = await accounts.createToken(business.id, { name: 'ci', role: 'Viewer' })
  const headers = [
    undefined,
    '',
    'Basic',
    'Basic ',
    'Basic !!!',
    basicHeader('', ''),
    basicHeader(email, ''),
    `Basic ${Buffer.from(email).toString('base64')}`,
    `Bearer ${session.token}`,
    `token ${api.token}`,
    `Automation ${session.token}`,
    `token ${session.token.toUpperCase()}x`,
    'token',
    `token ${'0'.repeat(40)}`,
    'Automation \0',
    `Automation ${'x'.repeat(100_000)}`,
    session.token,
  ]
  for (const header of headers) {
    await assert.rejects(accounts.authorize(header), unknown, header?.slice(0, 60))
  }
})

test('a password may hold a colon and any letter', async () => {
  const { accounts, business, makeEmail } = await fixture()
  const user = { email: makeEmail('c'), password: 'a:b:ü 😀 long', role: 'Viewer' }
  await accounts.createUser(business.id, user)
  await accounts.authorize(basicHeader(user.email, user.password))
})
