import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { codes, type GraphqlFixture, graphqlFixture } from '../../../fixtures/wire/graphql.ts'

const odd = 'a "quoted" \\ name, with é, 漢字, \u{1f600}, a tab \t, </script> and \u2028'

async function fill({ assets, view }: GraphqlFixture): Promise<void> {
  await assets.create(view, { name: odd, description: odd })
  for (let at = 0; at < 5; at += 1) {
    await assets.create(view, {
      name: `Pump ${at}`,
      signals: Array.from({ length: at }, (_, one) => ({
        name: `${odd} ${one}`,
        primitiveType: one % 2 === 0 ? 'NUMERIC' : 'STRING',
        ...(one === 1 ? { dataType: 'TEMPERATURE', dataUnit: 'DEG_CELSIUS' } : {}),
      })),
    })
  }
}

/** The text of the data of an answer, as it came. */
async function readData(
  { url }: { readonly url: string },
  authorization: string,
  query: string,
  variables?: object,
): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  return (await response.text()).replace(/,"extensions":\{"cost".*$/s, '}')
}

const whole = `id name description locked createdAt
  signals { id assetId name description primitiveType dataType dataUnit }`

const documents: readonly (readonly [string, object?])[] = [
  [`{ assets { ${whole} } }`],
  ['{ assets { id } }'],
  ['{ assets { signals { name } id } }'],
  ['{ assets { createdAt same: createdAt n: name signals { x: id y: id } } }'],
  ['{ assets { id signals { id } others: signals { name } } assetCount }'],
  ['{ assets(pagination: { limit: 2, offset: 1 }) { name signals { name } } }'],
  ['{ assets(pagination: { limit: 0 }) { name } }'],
  ['{ assets(filters: { text: "Pump", sort: "desc" }) { name } }'],
  ['{ assets(filters: { orderBy: "name", sort: "desc" }) { name } }'],
  ['query ($n: Int) { assets(pagination: { limit: $n }) { name } }', { n: 3 }],
  ['{ a: assets { id } b: assets(pagination: { limit: 1 }) { signals { id } } assetCount }'],
]

test('a list that the database writes is, byte for byte, that of its rows', async (t) => {
  const fixture = await graphqlFixture(t)
  const listText = async () => undefined
  const rows = await graphqlFixture(t, {
    change: (options) => ({ ...options, assets: { ...options.assets, listText } }),
  })
  await fill(fixture)
  for (const [query, variables] of documents) {
    const [text, other] = await Promise.all([
      readData(fixture, fixture.viewer, query, variables),
      readData(rows, fixture.viewer, query, variables),
    ])
    assert.match(text, /^\{"data":\{/)
    assert.equal(text, other, query)
  }
})

test('a list without fields of other tables is one statement', async (t) => {
  const fixture = await graphqlFixture(t)
  await fill(fixture)
  for (const [query, statements] of [
    [`{ assets { ${whole} } }`, 1],
    ['{ assets { id group { id } signals { id } } }', 3],
  ] as const) {
    const before = fixture.statements()
    await readData(fixture, fixture.viewer, query)
    assert.equal(fixture.statements() - before, statements, query)
  }
})

test('a list has its errors', async (t) => {
  const fixture = await graphqlFixture(t)
  await fill(fixture)
  const refused = JSON.parse(
    await readData(fixture, fixture.viewer, '{ assets(pagination: { limit: 1001 }) { id } }'),
  )
  assert.deepEqual(codes(refused), ['list_too_long'])
  const mixed = JSON.parse(
    await readData(
      fixture,
      fixture.viewer,
      '{ assets(pagination: { limit: 1 }) { id name } asset(id: "x") { id } connectors { id } }',
    ),
  )
  assert.deepEqual(codes(mixed), ['forbidden'])
})

test('past a number of selections lists are read as rows, and are the same', async (t) => {
  const fixture = await graphqlFixture(t)
  await fill(fixture)
  for (let at = 0; at < 210; at += 1) {
    const query = `{ assets(pagination: { limit: 1 }) { a${at}: id } }`
    const text = await readData(fixture, fixture.viewer, query)
    assert.match(text, new RegExp(`^\\{"data":\\{"assets":\\[\\{"a${at}":"[^"]+"\\}\\]\\}\\}$`))
  }
})

test('a list of a usual size of the whole business is planned once', async (t) => {
  const fixture = await graphqlFixture(t)
  await fill(fixture)
  const { database, business, administrator } = fixture
  const before = fixture.texts().length
  await readData(fixture, administrator, '{ assets(pagination: { limit: 20 }) { id } }')
  const text = fixture
    .texts()
    .slice(before)
    .find((one) => one.includes('from assets_asset a'))
  assert(text)
  const plans = await database.transaction(async (held) => {
    for (let times = 0; times < 10; times += 1) await held.rows(text, [business])
    const select = 'select generic_plans as n from pg_prepared_statements where statement = $1'
    return held.one<{ n: number }>(select, [text])
  })
  assert.ok(Number(plans?.n) > 0, 'not with each request')
})
