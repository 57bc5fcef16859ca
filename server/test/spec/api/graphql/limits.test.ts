import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { graphqlLimits } from '../../../../src/api/graphql/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import type { Asset } from '../../../../src/insight/assets/index.ts'
import {
  ask,
  codes,
  type GraphOptions,
  type GraphqlFixture,
  graphqlFixture,
} from '../../../fixtures/wire/graphql.ts'

/** `__type { ofType { ofType … { name } } }`, `depth` fields deep. */
const nested = (depth: number) =>
  `{ __type(name: "X") ${'{ ofType '.repeat(depth - 2)} { name } ${'}'.repeat(depth - 2)} }`

/** The same depth by fragments that spread one another. */
function spread(depth: number): string {
  const fragments = Array.from(
    { length: depth - 2 },
    (_, at) => `fragment F${at} on __Type { ofType { ...F${at + 1} } }`,
  )
  const last = `fragment F${depth - 2} on __Type { name }`
  return `{ __type(name: "X") { ...F0 } } ${fragments.join(' ')} ${last}`
}

const counted = (selections: number) =>
  `{ ${Array.from({ length: selections }, (_, at) => `a${at}: assetCount`).join(' ')} }`

test('a document as deep as the limit runs, one deeper is refused', async (t) => {
  const { as, viewer } = await graphqlFixture(t)
  for (const make of [nested, spread]) {
    const good = await as(viewer, make(graphqlLimits.graphqlDepthMax))
    assert.deepEqual(good, { data: { __type: null } })
    const deep = await as(viewer, make(graphqlLimits.graphqlDepthMax + 1))
    assert.deepEqual(codes(deep), ['too_deep'])
    assert.equal(deep.data, undefined)
  }
})

test('what is nested by the thousand is refused, wherever it stands', async (t) => {
  const { as, viewer, logged } = await graphqlFixture(t)
  const times = Math.floor(graphqlLimits.graphqlTokensMax / 2) - 20
  const texts = [
    `{ assets(pagination: ${'['.repeat(times)}${']'.repeat(times)}) { id } }`,
    `query($a: ${'['.repeat(times)}Int${']'.repeat(times)}) { assetCount }`,
    `${'{ a '.repeat(times)}${'}'.repeat(times)}`,
  ]
  for (const text of texts) {
    const answer = await as(viewer, text)
    const known = ['too_deep', 'too_many_tokens', 'too_complex', 'invalid_argument']
    assert(
      codes(answer)?.every((code) => known.includes(code)),
      String(codes(answer)),
    )
  }
  assert.deepEqual(logged(), [])
})

test('fragments that spread themselves are refused by name', async (t) => {
  const { as, viewer } = await graphqlFixture(t)
  const cycles = [
    '{ assets { ...A } } fragment A on Asset { id ...A }',
    '{ assets { ...A } } fragment A on Asset { ...B } fragment B on Asset { ...A }',
  ]
  for (const query of cycles) {
    const answer = await as(viewer, query)
    assert(codes(answer)?.every((code) => code === 'invalid_argument'))
    assert.match(answer.errors?.[0]?.message ?? '', /Cannot spread fragment "A"/)
  }
})

test('a short document that spreads to millions of fields is refused at once', async (t) => {
  const { as, viewer } = await graphqlFixture(t)
  const fragments = Array.from({ length: 12 }, (_, at) => {
    const below = at === 11 ? 'name' : `...F${at + 1}`
    const fields = Array.from({ length: 10 }, (_, field) => `a${field}: ofType { ${below} }`)
    return `fragment F${at} on __Type { ${fields.join(' ')} }`
  })
  const query = `{ __type(name: "Asset") { ...F0 } } ${fragments.join(' ')}`
  const refused = codes(await as(viewer, query))
  assert.deepEqual(refused, ['too_many_selections', 'too_many_aliases'])
})

test('tokens and selections: at the limit, and one above', async (t) => {
  const { as, viewer } = await graphqlFixture(t)
  const count = Math.min(graphqlLimits.graphqlSelectionsMax, graphqlLimits.graphqlLookupsMax)
  assert.equal((await as(viewer, counted(count))).errors, undefined)
  // Twenty at the top of forty-nine names each, all of which are written once more.
  const names = (more: number) => {
    const row = `asset(id: "x") { ${'id '.repeat(48)} ${'name '.repeat(1)} }`
    const whole = Array.from({ length: 20 }, (_, at) => `a${at}: ${row}`).join(' ')
    return `{ ${whole} ${'__typename '.repeat(more)} }`
  }
  const room = graphqlLimits.graphqlSelectionsMax - 20 * 50
  assert.equal((await as(viewer, names(room))).errors, undefined)
  const more = await as(viewer, names(room + 1))
  assert.deepEqual(codes(more), ['too_many_selections'])
})

test('aliases: at the limit, and one above', async (t) => {
  const { as, viewer } = await graphqlFixture(t)
  const names = (aliases: number) => counted(aliases).replaceAll('assetCount', '__typename')
  const most = await as(viewer, names(graphqlLimits.graphqlAliasesMax))
  assert.equal(Object.keys(most.data ?? {}).length, graphqlLimits.graphqlAliasesMax)
  const more = await as(viewer, names(graphqlLimits.graphqlAliasesMax + 1))
  assert.deepEqual(codes(more), ['too_many_aliases'])
})

test('directives: at the limit, and one above', async (t) => {
  const { as, viewer } = await graphqlFixture(t)
  const fields = (directives: number) =>
    Array.from({ length: directives }, (_, at) => `a${at}: __typename @include(if: true)`)
  const asked = (directives: number) => as(viewer, `{ ${fields(directives).join(' ')} }`)
  assert.equal((await asked(graphqlLimits.graphqlDirectivesMax)).errors, undefined)
  assert.deepEqual(codes(await asked(graphqlLimits.graphqlDirectivesMax + 1)), [
    'too_many_directives',
  ])
})

test('one name may stand at one place so often, however it gets there', async (t) => {
  const { as, viewer } = await graphqlFixture(t)
  const plain = (times: number) => `{ assets { id } ${'assets { id } '.repeat(times - 1)} }`
  const spreads = (times: number) =>
    `{ ${'... { assets { ...F } } '.repeat(times)} } fragment F on Asset { id }`
  const below = (times: number) => `{ a: assets { ${'id '.repeat(times)} } b: assets { id } }`
  for (const make of [plain, spreads, below]) {
    const good = await as(viewer, make(graphqlLimits.graphqlRepeatsMax))
    assert.equal(good.errors, undefined)
    const refused = await as(viewer, make(graphqlLimits.graphqlRepeatsMax + 1))
    assert.deepEqual(codes(refused), ['too_many_repeats'])
  }
  const tokens = `{ ${'a '.repeat(graphqlLimits.graphqlTokensMax - 1)}}`
  assert.deepEqual(codes(await as(viewer, tokens)), ['too_many_tokens'])
})

test('lists have a limit, and so has the number of single look-ups', async (t) => {
  const { as, viewer } = await graphqlFixture(t)
  const page = (limit: number) => `{ assets(pagination: { limit: ${limit} }) { id } }`
  assert.deepEqual(await as(viewer, page(limits.pageMax)), {
    data: { assets: [] },
  })
  const long = await as(viewer, page(limits.pageMax + 1))
  assert.deepEqual(codes(long), ['list_too_long'])
  assert.deepEqual(codes(await as(viewer, page(-1))), ['invalid_argument'])
  const named = (ids: number) => `{ assets(ids: [${'"x" '.repeat(ids)}]) { id } }`
  const most = await as(viewer, named(graphqlLimits.graphqlListMax))
  assert.deepEqual(most, { data: { assets: [] } })
  const refused = await as(viewer, named(graphqlLimits.graphqlListMax + 1))
  assert.deepEqual(codes(refused), ['list_too_long'])
  const before = await as(viewer, '{ assets(pagination: { offset: -1 }) { id } }')
  assert.deepEqual(codes(before), ['invalid_argument'])
  const lookups = graphqlLimits.graphqlLookupsMax
  assert.equal((await as(viewer, counted(lookups))).errors, undefined)
  assert.deepEqual(codes(await as(viewer, counted(lookups + 1))), ['too_complex'])
})

test('an answer has a limit in rows times selections', async (t) => {
  const list = async () => Array.from({ length: limits.pageMax }, () => asset)
  const fixture = await graphqlFixture(t, {
    change: (options) => ({ ...options, assets: { ...options.assets, list } }),
  })
  const asset = await fixture.assets.create(fixture.view, { name: 'Pump' })
  const selections = graphqlLimits.graphqlFieldsMax / limits.pageMax
  const fields = (count: number) =>
    Array.from({ length: count - 1 }, (_, at) => `a${at}: id`).join(' ')
  const query = (count: number) => `{ assets { ${fields(count)} } }`
  assert.equal((await ask(fixture, fixture.viewer, query(selections))).errors, undefined)
  const refused = await ask(fixture, fixture.viewer, query(selections + 1))
  assert.deepEqual(codes(refused), ['too_complex'])
})

/** A GraphQL server whose stores never return signals, and the calls that they received. */
async function stuckFixture(t: Parameters<typeof graphqlFixture>[0]) {
  const asked: string[] = []
  let release = () => {}
  const made: Asset[] = []
  const change = (options: GraphOptions): GraphOptions => ({
    ...options,
    requestMsMax: 50,
    assets: {
      ...options.assets,
      // Without the database, so that the time is up at the signals, however slow the machine is.
      list: async () => made,
      signals: {
        ...options.assets.signals,
        ofAssets: (...call) => {
          asked.push('signals')
          return new Promise((resolve) => {
            release = () => resolve(options.assets.signals.ofAssets(...call))
          })
        },
      },
      history: (...call) => {
        asked.push('history')
        return options.assets.history(...call)
      },
    },
  })
  const fixture = await graphqlFixture(t, { change })
  const signals = [{ name: 's', primitiveType: 'NUMERIC' }] as const
  made.push(await fixture.assets.create(fixture.view, { name: 'Pump', signals }))
  return { fixture, asked, release: () => release() }
}

/** Lets all that became possible happen. */
const settle = async (fixture: GraphqlFixture) => {
  for (let turn = 0; turn < 20; turn += 1) await fixture.assets.count(fixture.view)
}

test('a request that waits is answered when its time is up, and asks nothing more', async (t) => {
  const { fixture, asked, release } = await stuckFixture(t)
  const query = '{ assets { signals { data { value } } } }'
  // The second is run by graphql-js: the limit holds for both.
  for (const text of [query, `{ ... @include(if: true) ${query} }`]) {
    const answer = await ask(fixture, fixture.viewer, text)
    assert.deepEqual(Object.keys(answer), ['errors'])
    assert.deepEqual(codes(answer), ['time_exceeded'])
  }
  asked.length = 0
  await ask(fixture, fixture.viewer, query)
  release()
  await settle(fixture)
  assert.deepEqual(asked, ['signals'])
})
