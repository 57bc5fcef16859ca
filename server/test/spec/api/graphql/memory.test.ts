import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import { applyLimits, limits } from '../../../../src/foundation/kernel/index.ts'
import { collectGarbage } from '../../../fixtures/operation/garbage.ts'
import { ask, codes, type GraphqlFixture, graphqlFixture } from '../../../fixtures/wire/graphql.ts'

const mib = 1024 * 1024

/** A server of which each request may keep 2 MiB. */
async function smallFixture(t: TestContext) {
  const { graphqlMemoryBytesMax } = limits
  t.after(() => applyLimits({ graphqlMemoryBytesMax }))
  applyLimits({ graphqlMemoryBytesMax: 2 * mib })
  return graphqlFixture(t)
}

/** An asset with a signal that has values, each of `chars` characters. */
async function fill(fixture: GraphqlFixture, values: number, chars: number): Promise<void> {
  const view = fixture.view
  const signals = [{ name: 's', primitiveType: 'JSON' }] as const
  const { id } = await fixture.assets.create(view, { name: 'Pump', signals })
  const [signal] = await fixture.assets.signals.ofAssets(view, [id])
  const nowUs = fixture.clock.nowUs()
  await fixture.assets.ensurePartitions(nowUs)
  const rows = Array.from({ length: values }, (_, at) => {
    return { key: signal?.key ?? '', ts: nowUs - at, value: { text: 'x'.repeat(chars) } }
  })
  await fixture.database.transaction((transaction) =>
    fixture.assets.writeValues(transaction, rows as never),
  )
}

test('what one request reads has a limit, and that request alone is refused', async (t) => {
  const fixture = await smallFixture(t)
  await fill(fixture, 60, 50_000)
  const query = (limit: number) =>
    `{ assets { signals { data(options: { limit: ${limit} }) { value } } } }`
  assert.equal((await ask(fixture, fixture.viewer, query(30))).errors, undefined)
  // The second is run by graphql-js: the limit holds for both.
  for (const text of [query(60), `{ ... @include(if: true) ${query(60)} }`]) {
    const answer = await ask(fixture, fixture.viewer, text)
    assert.deepEqual(codes(answer), ['answer_too_large'])
    assert.equal(answer.data, undefined)
  }
  assert.deepEqual(await ask(fixture, fixture.viewer, '{ assetCount }'), {
    data: { assetCount: 1 },
  })
  assert.deepEqual(fixture.logged(), [])
})

test('texts of the answer count as often as they are written', async (t) => {
  const fixture = await smallFixture(t)
  await fill(fixture, 1, 100_000)
  const query = (times: number) => {
    const fields = Array.from({ length: times }, (_, at) => `a${at}: lastValue { value }`)
    return `{ assets { signals { ${fields.join(' ')} } } }`
  }
  const room = Math.floor(limits.graphqlMemoryBytesMax / 100_100)
  assert.equal((await ask(fixture, fixture.viewer, query(room))).errors, undefined)
  for (const text of [query(room + 1), `{ ... @include(if: true) ${query(room + 1)} }`]) {
    const answer = await ask(fixture, fixture.viewer, text)
    assert.deepEqual(codes(answer), ['answer_too_large'])
    assert.equal(answer.data, undefined)
  }
})

test('memory is flat under bad input', async (t) => {
  const { viewer, url } = await smallFixture(t)
  const bad: readonly string[] = [
    '{"query": "{ assetCount }"',
    JSON.stringify([{ query: '{ assetCount }' }]),
    JSON.stringify({
      query: `{ ${Array.from({ length: 10_000 }, (_, at) => `a${at}: assetCount`)} }`,
    }),
    JSON.stringify({ query: `${'{ assets '.repeat(500)} { id } ${'}'.repeat(500)}` }),
    JSON.stringify({ query: '{ assets { ...A } } fragment A on Asset { ...A }' }),
  ]
  const send = async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1) {
      for (const body of bad) {
        const own = round % 2 === 0 ? body : body.replace('assetCount', `a${round}: assetCount`)
        const headers = { authorization: viewer, 'content-type': 'application/json' }
        await (await fetch(url, { method: 'POST', headers, body: own })).text()
      }
    }
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const first = await send(15)
  const later = await send(60)
  assert(later - first < 16 * mib, `${Math.round((later - first) / mib)} MiB more`)
})
