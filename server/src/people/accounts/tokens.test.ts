import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  accountsFixture as fixture,
  password,
  refused,
  unknown,
} from '../../../test/fixtures/accounts.ts'
import { limits } from '../../foundation/kernel/index.ts'
import { accountLimits } from './limits.ts'

test('a session is valid for its hours and no longer', async () => {
  const { accounts, time, user, email } = await fixture()
  const { token, expiresAt } = await accounts.signIn(email, password)
  assert.match(token, /^[0-9a-f]{40}$/)
  assert.equal(expiresAt, time.ms + limits.sessionHours * 3_600_000)
  time.ms = expiresAt - 1
  assert.equal((await accounts.session(token)).subject, `user:${user.id}`)
  time.ms = expiresAt
  await assert.rejects(accounts.session(token), unknown)
})

test('a user has so many sessions; the next ends the oldest', async () => {
  const { accounts, another, time, email } = await fixture()
  const tokens: string[] = []
  for (let at = 0; at <= limits.sessionsPerUserMax; at += 1) {
    time.ms += 1
    tokens.push((await accounts.signIn(email, password)).token)
  }
  const [oldest = '', second = ''] = tokens
  const elsewhere = another()
  await assert.rejects(elsewhere.session(oldest), unknown)
  await elsewhere.session(second)
})

test('signing out ends one session', async () => {
  const { accounts, email } = await fixture()
  const one = await accounts.signIn(email, password)
  const two = await accounts.signIn(email, password)
  await accounts.session(one.token)
  await accounts.signOut(one.token)
  await assert.rejects(accounts.session(one.token), unknown)
  await accounts.session(two.token)
  await accounts.signOut('no token')
})

test('removing a user ends what the user had', async () => {
  const { accounts, business, user, email } = await fixture()
  const { token } = await accounts.signIn(email, password)
  await accounts.session(token)
  await accounts.removeUser(business.id, user.id)
  await assert.rejects(accounts.session(token), unknown)
  await assert.rejects(accounts.basic(email, password), unknown)
  await assert.rejects(accounts.removeUser(business.id, user.id), refused('not_found'))
})

const unset = {
  expiresAt: null,
  rateLimits: { requests: null, timeMs: null },
  groups: null,
  addresses: [],
  createdBy: null,
}

test('an API token has the permissions of its role, is listed without its secret', async () => {
  const { accounts, business, time } = await fixture()
  const { id, token } = await accounts.createToken(business.id, { name: ' ci ', role: 'Viewer' })
  assert.match(token, /^[0-9a-f]{40}$/)
  const principal = await accounts.automation(token)
  assert.equal(principal.subject, `token:${id}`)
  assert.equal(principal.businessId, business.id)
  assert.deepEqual([...principal.permissions], ['View Asset Data', 'View Asset'])
  const listed = await accounts.listTokens(business.id)
  assert.deepEqual(
    listed.map(({ lastUsedAt: _, ...token }) => token),
    [Object.assign({ id, name: 'ci', role: 'Viewer', createdAt: time.ms }, unset)],
  )
  const invalid = refused('invalid_argument')
  for (const wrong of [
    { name: '', role: 'Viewer' },
    { name: 'x', role: 'King' },
    { name: 'x\0', role: 'Viewer' },
  ]) {
    await assert.rejects(accounts.createToken(business.id, wrong), invalid)
  }
})

test('an API token is valid until it expires, cached or not', async () => {
  const { accounts, another, business, time } = await fixture()
  const expiresAt = time.ms + 60_000
  const wanted = { name: 'ci', role: 'Viewer', expiresAt }
  const { token } = await accounts.createToken(business.id, wanted)
  const [listed] = await accounts.listTokens(business.id)
  assert.equal(listed?.expiresAt, expiresAt)
  time.ms = expiresAt - 1
  await accounts.automation(token)
  await another().automation(token)
  time.ms = expiresAt
  await assert.rejects(accounts.automation(token), unknown)
  await assert.rejects(another().automation(token), unknown)
})

test('an expiry lies in the future, and not too far', async () => {
  const { accounts, business, time } = await fixture()
  const expiring = (expiresAt: number) =>
    accounts.createToken(business.id, { name: 'ci', role: 'Viewer', expiresAt })
  const last = time.ms + accountLimits.apiTokenDaysMax * 86_400_000
  await expiring(time.ms + 1)
  await expiring(last)
  for (const wrong of [0, -1, time.ms, last + 1, time.ms + 1.5, Number.NaN]) {
    await assert.rejects(expiring(wrong), refused('invalid_argument'), String(wrong))
  }
})

test('an expired API token leaves its place to the next', async () => {
  const { accounts, business, time } = await fixture()
  const expiresAt = time.ms + 1
  const short = await accounts.createToken(business.id, { name: 's', role: 'Viewer', expiresAt })
  time.ms = expiresAt
  const { id } = await accounts.createToken(business.id, { name: 'n', role: 'Viewer' })
  const ids = (await accounts.listTokens(business.id)).map((token) => token.id)
  assert.deepEqual(ids, [id])
  await assert.rejects(accounts.revokeToken(business.id, short.id), refused('not_found'))
})

test('a revocation holds at once here, elsewhere after a moment', async () => {
  const { accounts, another, business, time } = await fixture()
  const elsewhere = another()
  const { id, token } = await accounts.createToken(business.id, { name: 'ci', role: 'Viewer' })
  await accounts.automation(token)
  await elsewhere.automation(token)
  await accounts.revokeToken(business.id, id)
  await assert.rejects(accounts.automation(token), unknown)
  time.ms += limits.accountCacheMs
  await assert.rejects(elsewhere.automation(token), unknown)
  for (const gone of [id, 'nothing', 'a\0b']) {
    await assert.rejects(accounts.revokeToken(business.id, gone), refused('not_found'))
  }
})

test('a business has so many API tokens', async () => {
  const { accounts, business, database } = await fixture()
  await database.run(
    `insert into accounts_token (business_id, id, name, token_hash, role, created_at)
    select $1, 't' || n, 'n', 'h' || n, 'Viewer', 0 from generate_series(2, $2::int) as n`,
    [business.id, limits.apiTokensMax],
  )
  const one = { name: 'the last', role: 'Viewer' }
  const { id } = await accounts.createToken(business.id, one)
  await assert.rejects(accounts.createToken(business.id, one), refused('invalid_argument'))
  await accounts.revokeToken(business.id, id)
  await accounts.createToken(business.id, one)
})
