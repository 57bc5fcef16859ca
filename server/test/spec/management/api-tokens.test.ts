import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  assertOk,
  assertRefused,
  basicOf,
  managementFixture,
} from '../../fixtures/wire/management.ts'

const tokens = '/api:1/api-tokens'

test('a token that expires creates none that outlives it', async (t) => {
  const { ask, clock } = await managementFixture(t)
  const expiresAt = clock.nowMs() + 60_000
  const wanted = { name: 'short', role: 'Administrator' }
  const made = await ask('POST', tokens, { body: { ...wanted, expires_at: expiresAt } })
  assertOk(made, 201)
  const as = `Automation ${made.json<{ token: string }>().token}`
  const longer = await ask('POST', tokens, { body: { ...wanted, expires_at: expiresAt + 1 }, as })
  assertRefused(longer, 'forbidden', new RegExp(`"expires_at".*${expiresAt}`))
  assertRefused(await ask('POST', tokens, { body: wanted, as }), 'forbidden')
  for (const end of [expiresAt, expiresAt - 1]) {
    assertOk(await ask('POST', tokens, { body: { ...wanted, expires_at: end }, as }), 201)
  }
  const listed = (await ask('GET', tokens)).json<{ tokens: { expires_at: number | null }[] }>()
  const ends = listed.tokens.map(({ expires_at: end }) => end)
  assert.deepEqual(ends.filter((end) => end !== null).sort(), [expiresAt - 1, expiresAt, expiresAt])
  assert.equal(ends.length, 4, 'the refused ones were not created')
})

test('a session, a password and a token without an end create tokens without one', async (t) => {
  const { ask, addAnn } = await managementFixture(t)
  const ann = await addAnn()
  const signedIn = await ask('POST', '/api:1/token/', { body: ann, as: null })
  const session = `token ${signedIn.json<{ token: string }>().token}`
  for (const as of [session, basicOf(ann), undefined]) {
    const body = { name: 'long', role: 'Administrator' }
    assertOk(await ask('POST', tokens, { body, ...(as !== undefined && { as }) }), 201)
  }
})

test('a token creates none with a permission that it does not have', async (t) => {
  const { accounts, ask, business, database } = await managementFixture(t)
  await database.run(
    `insert into accounts_role (business_id, name, permissions)
     values ($1, 'Installer', $2), ($1, 'Reader', $3)`,
    [business.id, ['Setup', 'View Asset'], ['View Asset']],
  )
  const { token } = await accounts.createToken(business.id, { name: 'i', role: 'Installer' })
  const as = `Automation ${token}`
  const create = (role: string) => ask('POST', tokens, { body: { name: role, role }, as })
  for (const role of ['Administrator', 'Operator', 'Viewer']) {
    assertRefused(await create(role), 'forbidden', /This needs the permission/)
  }
  for (const role of ['Installer', 'Reader']) assertOk(await create(role), 201)
})
