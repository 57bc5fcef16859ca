import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import { parseIso, toIso } from '../../../../src/foundation/kernel/index.ts'
import type { Level } from '../../../../src/insight/assets/index.ts'
import { assetLimits } from '../../../../src/insight/assets/index.ts'
import { setStatus } from '../../../fixtures/assets.ts'
import { type Answer, ask, codes, graphqlFixture } from '../../../fixtures/wire/graphql.ts'

const fields = `id assetId asset { name } ruleId signalId category level worst type value ts
  openedAt endedAt state acknowledgedAt acknowledgedBy clearedAt clearedBy`

type Condition = Record<string, unknown> & { readonly id: string }

/** The value of the only field of an answer without errors. */
function only<Value>(answer: Answer): Value {
  assert.equal(answer.errors, undefined, JSON.stringify(answer.errors))
  return Object.values(answer.data ?? {})[0] as Value
}

const start = Date.now() * 1_000

/** A pump, of which a rule says what the test sets. Times count from `start`. */
async function pumpFixture(t: TestContext) {
  const fixture = await graphqlFixture(t)
  const { assets, database, business, view, operator } = fixture
  const signals = [{ name: 'temperature', primitiveType: 'NUMERIC', timeoutMs: 60_000 }] as const
  const asset = await assets.create(view, { name: 'Pump', signals })
  const [signal = assert.fail()] = await assets.signals.ofAssets(view, [asset.id])
  const set = (at: number, level: Level, rule = 'rule', more: object = {}) => {
    const status = { ts: start + at, level, signalId: signal.id, ...more }
    return database.transaction((held) => setStatus(assets, held, business, asset.id, rule, status))
  }
  const query = async (query: object[] | null = null, by = operator, more: object = {}) => {
    const document = `query($query: [ConditionQuery!], $order: [ConditionQueryOrder!],
      $page: Pagination) { conditionQuery(query: $query, order: $order, pagination: $page) {
        total results { ${fields} } } }`
    const answer = await ask(fixture, by, document, { query, ...more })
    return only<{ total: number; results: Condition[] }>(answer)
  }
  const one = async () => (await query()).results[0] ?? assert.fail('no condition')
  const change = (mutation: string, by = operator) =>
    ask(fixture, by, `mutation { ${mutation} { ${fields} } }`)
  return { ...fixture, asset, signal, set, query, one, change }
}

test('a condition is opened when a status leaves normal, and ends with it', async (t) => {
  const { set, query, one, asset, signal } = await pumpFixture(t)
  await set(1, 0)
  assert.deepEqual(await query(), { total: 0, results: [] })
  await set(2, 2, 'rule', { type: 'hot', value: 71, category: 'heat' })
  const { id, ...opened } = await one()
  assert.deepEqual(opened, {
    assetId: asset.id,
    asset: { name: 'Pump' },
    ruleId: 'rule',
    signalId: signal.id,
    category: 'heat',
    level: 'warning',
    worst: 'warning',
    type: 'hot',
    value: 71,
    ts: toIso(start + 2),
    openedAt: toIso(start + 2),
    endedAt: null,
    state: 'open',
    acknowledgedAt: null,
    acknowledgedBy: null,
    clearedAt: null,
    clearedBy: null,
  })
  await set(3, 3)
  await set(4, 1)
  const changed = await one()
  assert.deepEqual(
    [changed.level, changed.worst, changed.ts],
    ['info', 'critical', toIso(start + 4)],
  )
  await set(5, 0)
  const ended = await one()
  assert.deepEqual([ended.level, ended.endedAt, ended.state], ['normal', toIso(start + 5), 'open'])
  await set(6, 2)
  const back = await query()
  assert.deepEqual([back.total, back.results[0]?.id, back.results[0]?.endedAt], [1, id, null])
})

test('a condition is acknowledged by a person, anew if it comes back or gets worse', async (t) => {
  const { set, one, change } = await pumpFixture(t)
  await set(1, 2)
  const { id } = await one()
  const acknowledge = `acknowledgeCondition(id: "${id}")`
  const first = only<Condition>(await change(acknowledge))
  assert.equal(first.state, 'acknowledged')
  assert.match(String(first.acknowledgedBy), /^token:/)
  assert.deepEqual(only(await change(acknowledge)), first, 'a second time changes nothing')
  await set(2, 1)
  await set(3, 2)
  assert.equal((await one()).state, 'acknowledged', 'it is not worse than what is known')
  await set(4, 3)
  assert.deepEqual([(await one()).state, (await one()).acknowledgedBy], ['open', null])
  await change(acknowledge)
  await set(5, 0)
  assert.equal((await one()).state, 'acknowledged')
  await set(6, 1)
  assert.equal((await one()).state, 'open')
})

test('a cleared condition stays as it is, and the next change opens another', async (t) => {
  const { set, query, one, change } = await pumpFixture(t)
  await set(1, 2)
  const { id } = await one()
  const cleared = only<Condition>(await change(`clearCondition(id: "${id}")`))
  assert.deepEqual([cleared.state, cleared.level], ['cleared', 'warning'])
  assert.match(String(cleared.clearedBy), /^token:/)
  assert.deepEqual(only(await change(`clearCondition(id: "${id}")`)), cleared)
  assert.deepEqual(codes(await change(`acknowledgeCondition(id: "${id}")`)), ['invalid_argument'])
  await set(2, 0)
  assert.deepEqual((await query()).results, [cleared])
  await set(3, 2)
  const { results } = await query()
  assert.deepEqual(
    results.map(({ state, openedAt }) => [state, (parseIso(String(openedAt)) ?? 0) - start]),
    [
      ['open', 3],
      ['cleared', 1],
    ],
  )
  assert.deepEqual(results[1], cleared)
})

test('comments are listed with who wrote them', async (t) => {
  const { as, set, one, operator, administrator, viewer } = await pumpFixture(t)
  await set(1, 2)
  const { id } = await one()
  const write = (comment: string, by = operator) =>
    as(
      by,
      `mutation($comment: String!) { commentCondition(id: "${id}", comment: $comment) {
        id comment by createdAt } }`,
      { comment },
    )
  const read = (by = viewer, page = '') =>
    as(by, `{ conditionComments(condition_id: "${id}"${page}) { comment by } }`)
  assert.equal(
    only<{ comment: string }>(await write(' Oil is on its way ')).comment,
    'Oil is on its way',
  )
  await write('It is here', administrator)
  const comments = only<{ comment: string; by: string }[]>(await read())
  assert.deepEqual(
    comments.map(({ comment }) => comment),
    ['Oil is on its way', 'It is here'],
  )
  assert.equal(new Set(comments.map(({ by }) => by)).size, 2)
  assert.deepEqual(only(await read(viewer, ', pagination: { offset: 1 }')), comments.slice(1))
  for (const comment of [' ', 'x'.repeat(assetLimits.conditionCommentCharsMax + 1), 'a\0']) {
    assert.deepEqual(codes(await write(comment)), ['invalid_argument'])
  }
})

test('conditions are found by what they are, in any order, page by page', async (t) => {
  const { set, query, one, change, asset, signal, operator } = await pumpFixture(t)
  await set(1, 2, 'a')
  await change(`clearCondition(id: "${(await one()).id}")`)
  await set(2, 4, 'b', { category: 'heat' })
  await set(3, 1, 'c')
  const rules = async (filters: object[] | null, more: object = {}) =>
    (await query(filters, operator, more)).results.map(({ ruleId }) => ruleId)
  assert.deepEqual(await rules([]), ['c', 'b', 'a'])
  assert.deepEqual(await rules([{ assetId: asset.id }, { assetId: 'x' }]), ['c', 'b', 'a'])
  assert.deepEqual(await rules([{ signalId: signal.id, levels: ['info', 'error'] }]), ['c', 'b'])
  assert.deepEqual(await rules([{ category: 'heat' }, { ruleId: 'a' }]), ['b', 'a'])
  assert.deepEqual(await rules([{ states: ['cleared'] }]), ['a'])
  assert.deepEqual(await rules([{ from: start + 2, to: start + 3 }]), ['b'])
  assert.deepEqual(await rules([{ category: 'heat', ruleId: 'a' }]), [])
  const order = [{ by: 'level' }, { by: 'openedAt', order: 'asc' }]
  assert.deepEqual(await rules(null, { order }), ['b', 'a', 'c'])
  assert.deepEqual(await rules(null, { page: { limit: 1, offset: 1 } }), ['b'])
  assert.equal((await query(null, operator, { page: { limit: 1 } })).total, 3)
})

test('a silent signal is a condition, too; what is removed ends its own', async (t) => {
  const { assets, database, business, view, signal, set, query } = await pumpFixture(t)
  const ts = start - 120_000_000
  const values = [{ key: signal.key, ts, value: 1 }]
  await database.transaction((held) => assets.writeValues(held, values))
  await assets.timeouts.look()
  await set(1, 3)
  const levels = async () =>
    (await query()).results.map(({ ruleId, signalId, category, level }) => {
      return [ruleId, signalId, category, level]
    })
  const places = [
    ['rule', signal.id, 'default'],
    [null, signal.id, 'timeout'],
  ]
  assert.deepEqual(await levels(), [
    [...(places[0] ?? []), 'critical'],
    [...(places[1] ?? []), 'warning'],
  ])
  await assets.clearStatus(database, business, 'rule')
  await assets.signals.remove(view, signal.id)
  assert.deepEqual(
    (await levels()).map((one) => one.at(-1)),
    ['normal', 'normal'],
  )
})
