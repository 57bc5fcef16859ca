import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { testClock } from '../../../../fixtures/platform.ts'
import {
  ask,
  askOne,
  codes,
  graphqlFixture,
  serveGraphql,
} from '../../../../fixtures/wire/graphql.ts'

const make = `mutation($input: CreateAssetInput!, $id: String) {
  createAsset(input: $input, clientMutationId: $id) { id name } }`
const msPerHour = 3_600_000

type Made = { readonly id: string; readonly name: string }

test('a mutation that is sent again answers as the first time, and changes nothing', async (t) => {
  const { askFor, as, operator, assets, view } = await graphqlFixture(t)
  const wanted = { input: { name: 'Pump' }, id: 'order-7' }
  const first = await askFor<Made>(operator, make, wanted)
  assert.deepEqual(await askFor<Made>(operator, make, wanted), first)
  assert.equal(await assets.count(view), 1)
  const other = await askFor<Made>(operator, make, { ...wanted, id: 'order-8' })
  assert.notEqual(other.id, first.id)
  const plain = await askFor<Made>(operator, make, { input: wanted.input })
  assert.notEqual(plain.id, first.id)
  const changed = { input: { name: 'Valve' }, id: 'order-7' }
  assert.deepEqual(codes(await as(operator, make, changed)), ['already_exists'])
  const empty = await as(operator, make, { ...wanted, id: '' })
  assert.deepEqual(codes(empty), ['invalid_argument'])
})

test('the name of a mutation is of its sender alone', async (t) => {
  const { askFor, operator, administrator, otherToken } = await graphqlFixture(t)
  const wanted = { input: { name: 'Pump' }, id: 'one' }
  const made = new Set<string>()
  for (const who of [operator, administrator, otherToken]) {
    made.add((await askFor<Made>(who, make, wanted)).id)
  }
  assert.equal(made.size, 3)
})

test('of mutations with one name that are sent at once, by two processes, one runs', async (t) => {
  const fixture = await graphqlFixture(t)
  const { operator, assets, view } = fixture
  const url = await serveGraphql(t, fixture)
  const wanted = { input: { name: 'Pump', signals: [] }, id: 'race' }
  const at = (where: number) => askOne<Made>(where % 2 ? fixture : { url }, operator, make, wanted)
  const made = await Promise.all(Array.from({ length: 8 }, (_, where) => at(where)))
  assert.equal(new Set(made.map(({ id }) => id)).size, 1)
  assert.equal(await assets.count(view), 1)
})

test('a mutation that fails leaves nothing, and runs when it is sent again', async (t) => {
  const { as, askFor, operator, groups, view } = await graphqlFixture(t)
  const text = `mutation($id: ID!) {
    updateGroup(id: $id, input: { name: "B" }, clientMutationId: "x") { name } }`
  const failed = await as(operator, text, { id: 'nobody' })
  assert.deepEqual(codes(failed), ['not_found'])
  const group = await groups.create(view, { name: 'A' })
  const changed = await askFor(operator, text, { id: group.id })
  assert.deepEqual(changed, { name: 'B' }, 'a name that failed is free')
})

test('a mutation of which the answer cannot be stored is not done', async (t) => {
  const seal = () => {
    throw new Error('no key')
  }
  const fixture = await graphqlFixture(t, {
    change: (options) => ({ ...options, secrets: { ...options.secrets, seal } }),
  })
  const { operator, assets, view } = fixture
  const wanted = { input: { name: 'Pump', signals: [] }, id: 'x' }
  assert.deepEqual(codes(await ask(fixture, operator, make, wanted)), ['internal'])
  assert.equal(await assets.count(view), 0)
})

test('several assets with a result each are made once', async (t) => {
  const { askFor, operator, assets, view } = await graphqlFixture(t)
  const text = `mutation { createAssets(clientMutationId: "all",
    inputs: [{ name: "A" }, { name: "" }, { name: "C" }]) { asset { id } error { code } } }`
  const first = await askFor<object[]>(operator, text)
  assert.deepEqual(await askFor(operator, text), first)
  assert.equal(first.length, 3)
  assert.deepEqual(first[1], { asset: null, error: { code: 'invalid_argument' } })
  assert.equal(await assets.count(view), 2, 'the bad row does not undo the others')
})

test('a token that is made is shown once: a repetition makes none, and says so', async (t) => {
  const { askFor, accounts, as, administrator, business, database } = await graphqlFixture(t)
  const text = `mutation {
    createToken(input: { name: "x", role: "Viewer" }, clientMutationId: "t") { id token } }`
  const first = await askFor<{ token: string }>(administrator, text)
  const { length } = await accounts.listTokens(business)
  const again = await as(administrator, text)
  assert.deepEqual(codes(again), ['already_exists'])
  assert.ok(!JSON.stringify(again).includes(first.token))
  assert.equal((await accounts.listTokens(business)).length, length)
  const rows = await database.rows<{ answer: string }>(
    'select answer from graphql_mutation where business_id = $1',
    [business],
  )
  assert.equal(rows.length, 1)
  assert.equal(rows[0]?.answer.includes(first.token), false)
})

test('values, links, templates and pipelines are written once, too', async (t) => {
  const { askFor, operator, assets, view: all, pipelines, clock } = await graphqlFixture(t)
  await assets.ensurePartitions(clock.nowUs())
  const signals = [{ name: 'level', primitiveType: 'NUMERIC' as const }]
  const tank = await assets.create(all, { name: 'Tank', signals })
  const [level] = await assets.signals.ofAssets(all, [tank.id])
  const link = `mutation { linkFunction(clientMutationId: "l", input: { assetId: "${tank.id}",
    moduleId: "builtin", functionId: "scale", inlets: [{ signalId: "${level?.id}" }] }) { id } }`
  const write = `mutation { writeSignalValues(clientMutationId: "v",
    values: [{ signalId: "${level?.id}", value: 3 }]) { error { code } } }`
  const template = 'mutation { createTemplate(clientMutationId: "t", input: { name: "T" }) { id } }'
  for (const text of [link, write, template]) {
    const first = await askFor(operator, text)
    assert.deepEqual(await askFor(operator, text), first)
  }
  await pipelines.caughtUp()
  assert.equal((await assets.history(all, level?.id ?? '')).length, 1)
  assert.equal((await pipelines.links.ofAssets(all, [tank.id])).length, 1)
  assert.equal((await assets.templates.list(all)).length, 1)
})

test('after its time the name is free again', async (t) => {
  const clock = testClock()
  const fixture = await graphqlFixture(t, { change: (options) => ({ ...options, clock }) })
  const { operator } = fixture
  const wanted = { input: { name: 'Pump' }, id: 'daily' }
  const first = await askOne<Made>(fixture, operator, make, wanted)
  clock.advance(24 * msPerHour - 60_000)
  assert.equal((await askOne<Made>(fixture, operator, make, wanted)).id, first.id)
  clock.advance(120_000)
  assert.notEqual((await askOne<Made>(fixture, operator, make, wanted)).id, first.id)
})
