import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import { setStatus } from '../../../fixtures/assets.ts'
import { codes, getData, graphqlFixture } from '../../../fixtures/wire/graphql.ts'

/** Site with an asset of which the level rose twice; Yard with another one. A user of all. */
async function site(t: TestContext) {
  const fixture = await graphqlFixture(t)
  const { groups, assets, accounts, business, view: all, database } = fixture
  const place = await groups.create(all, { name: 'Site' })
  const pump = await assets.create(all, { name: 'Pump', groupId: place.id })
  const gate = await assets.create(all, { name: 'Gate' })
  const rise = (assetId: string, ts: number, level: 1 | 3) =>
    database.transaction((held) =>
      setStatus(assets, held, business, assetId, `r-${assetId}`, { ts, level, value: 'hot' }),
    )
  await rise(pump.id, 1, 1)
  await rise(gate.id, 2, 3)
  await rise(pump.id, 3, 3)
  const password = 'a long phrase of words'
  const email = fixture.makeEmail('ada')
  await accounts.createUser(business, { email, password, name: 'Ada', role: 'Administrator' })
  const { token: session } = await accounts.signIn(email, password)
  const ofSite = await fixture.makeToken('Administrator', [place.id])
  return { ...fixture, all, pump, gate, ofSite, ada: `token ${session}` }
}

const text = `query($filters: LogFilters, $page: Pagination) {
  logs(filters: $filters, pagination: $page) {
    level category asset { name } user { name } template_parameters } }`

type Entry = {
  readonly level: string
  readonly category: string
  readonly asset: { readonly name: string } | null
  readonly user: { readonly name: string } | null
  readonly template_parameters: Readonly<Record<string, unknown>>
}

test('logs have changes of statuses and what people changed, newest first', async (t) => {
  const { as, ada, viewer } = await site(t)
  getData(await as(ada, 'mutation { createGroup(input: { name: "Hall" }) { id } }'))
  const { logs } = getData<{ logs: Entry[] }>(await as(ada, text))
  const isSignIn = ({ template_parameters: entry }: Entry) => entry.action === 'signIn'
  assert.equal(logs.filter(isSignIn).length, 1, 'a sign-in is in the audit log, too')
  const [change, ...statuses] = logs.filter((entry) => !isSignIn(entry))
  assert.deepEqual([change?.level, change?.category, change?.asset], ['info', 'audit', null])
  assert.deepEqual(change?.user, { name: 'Ada' })
  assert.equal(change?.template_parameters.action, 'createGroup')
  assert.deepEqual(
    statuses.map(({ level, category, asset }) => [level, category, asset?.name]),
    [
      ['critical', 'default', 'Pump'],
      ['critical', 'default', 'Gate'],
      ['info', 'default', 'Pump'],
    ],
  )
  assert.equal(statuses[0]?.template_parameters.value, 'hot')
  const seen = getData<{ logs: Entry[] }>(await as(viewer, text)).logs
  assert.equal(seen.length, 3, 'who does not manage users sees no change of theirs')
})

test('logs are found by every filter, and by pages', async (t) => {
  const { as, ada, ofSite, otherToken, pump } = await site(t)
  getData(await as(ada, 'mutation { createGroup(input: { name: "Hall" }) { id } }'))
  const found = async (who: string, variables: object) => {
    const answer = await as(who, text, variables as Record<string, unknown>)
    return getData<{ logs: Entry[] }>(answer).logs.map(({ level, asset }) => [level, asset?.name])
  }
  const by = (filters: object) => found(ada, { filters })
  const pumps = [
    ['critical', 'Pump'],
    ['info', 'Pump'],
  ]
  assert.deepEqual(await by({ asset_id: pump.id }), pumps)
  assert.deepEqual(await found(ofSite, {}), pumps, 'of the assets that one sees')
  assert.deepEqual(await found(otherToken, {}), [])
  const changeAndSignIn = [
    ['info', undefined],
    ['info', undefined],
  ]
  assert.deepEqual(await by({ category: 'audit' }), changeAndSignIn)
  assert.deepEqual(await by({ level: ['Info'] }), [...changeAndSignIn, ['info', 'Pump']])
  assert.deepEqual(await by({ to: '2001-01-01T00:00:00Z' }), [])
  assert.deepEqual((await by({ from: '2001-01-01T00:00:00Z' })).length, 5)
  assert.deepEqual(await found(ada, { page: { limit: 1, offset: 4 } }), [['info', 'Pump']])
  const far = await as(ada, text, { page: { limit: 1_000, offset: 1 } })
  assert.deepEqual(codes(far), ['invalid_argument'])
})

test('the author of a comment is shown, and a hundred conditions cost as one', async (t) => {
  const { as, ada, viewer, assets, all, statements, business, database, makeEmail } = await site(t)
  const { results } = await assets.conditions.query(all, {})
  const id = results[0]?.id
  const wrote = `mutation($id: ID!) { commentCondition(id: $id, comment: "seen") {
    comment user { name email } } }`
  assert.deepEqual(getData(await as(ada, wrote, { id })), {
    commentCondition: { comment: 'seen', user: { name: 'Ada', email: makeEmail('ada') } },
  })
  const query = '{ conditionQuery { results { asset { name } policy { id } } } }'
  const count = async () => {
    const before = statements()
    getData(await as(viewer, query))
    return statements() - before
  }
  await count()
  const few = await count()
  for (let at = 0; at < 20; at += 1) {
    const { id: assetId } = await assets.create(all, { name: `a${at}` })
    await database.transaction((held) =>
      setStatus(assets, held, business, assetId, `r${at}`, { ts: 5, level: 2 }),
    )
  }
  assert.equal(await count(), few)
})
