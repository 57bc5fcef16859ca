import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { suiteContext } from '../../../fixtures/suite.ts'
import { ask, codes, type GraphqlFixture, graphqlFixture } from '../../../fixtures/wire/graphql.ts'

const years = /must lie within the years 1685 to 2254/
const data = (options: string) =>
  `{ assets { signals { data(options: { ${options} }) { value } } } }`
const token = 'name: "t", role: "Viewer", expiresAt: "9999-01-01T00:00:00Z"'
const nul = '"a\\u0000b"'
const long = `"${'x'.repeat(201)}"`

/** An argument of a document, as its refusal names it. */
const refusedArguments: readonly (readonly [string, string, RegExp])[] = [
  [data('from: "0001-01-01T00:00:00Z"'), 'options.from', years],
  [data('to: "9999-12-31T23:59:59Z"'), 'options.to', years],
  [data('to: "1684-12-31T23:59:59.999999Z"'), 'options.to', years],
  [data('from: 253402300800000000'), 'options.from', years],
  [data('from: "2026-01-01"'), 'Timestamp', /must be a time with its zone/],
  ['{ logs(filters: { from: "0001-01-01T00:00:00Z" }) { id } }', 'filters.from', years],
  ['{ auditLog(filter: { to: -62135596800000000 }) { id } }', 'filter.to', years],
  ['{ conditionQuery(query: [{ to: "9999-01-01T00:00:00Z" }]) { total } }', 'query.to', years],
  ['{ assets(filters: { created_from: "0001-01-01T00:00:00Z" }) { id } }', 'created_from', years],
  ['{ assets(filters: { created_to: "9999-01-01T00:00:00Z" }) { id } }', 'created_to', years],
  [`mutation { createToken(input: { ${token} }) { id } }`, 'input.expiresAt', years],
  ...[
    ['assets(filters: { text: NUL }) { id }', 'filters.text'],
    ['assets(filters: { group_id: NUL }) { id }', 'filters.group_id'],
    ['assets(ids: [NUL]) { id }', 'ids'],
    ['assetCount(filters: { signalIds: [NUL] })', 'filters.signalIds'],
    ['asset(id: NUL) { id }', 'id'],
    ['templates(text: NUL) { id }', 'text'],
    ['devices(filters: { text: NUL }) { id }', 'filters.text'],
    ['devices(product: NUL) { id }', 'product'],
    ['groups(filters: { custom_id: NUL }) { id }', 'filters.custom_id'],
    ['logs(filters: { category: NUL }) { id }', 'filters.category'],
    ['auditLog(filter: { subject: NUL }) { id }', 'filter.subject'],
    ['conditionQuery(query: [{ category: NUL }]) { total }', 'query.category'],
    ['workInstructions(filters: { text: NUL }) { id }', 'filters.text'],
    ['signals(ids: [NUL]) { id }', 'ids'],
  ].map(
    ([field = '', name = '']) =>
      [`{ ${field.replace('NUL', nul)} }`, name, /holds a NUL, which no text has/] as const,
  ),
  ...[
    'assets(filters: { text: LONG }) { id }',
    'assetCount(filters: { text: LONG })',
    'templates(text: LONG) { id }',
    'devices(filters: { text: LONG }) { id }',
    'groups(filters: { text: LONG }) { id }',
    'workInstructions(filters: { text: LONG }) { id }',
  ].map((field) => [`{ ${field.replace('LONG', long)} }`, 'text', /at most 200 char/] as const),
]

describe('an argument that no time or no text is', () => {
  const suite = suiteContext()
  let fixture: GraphqlFixture
  before(async () => {
    fixture = await graphqlFixture(suite)
  })

  /** The next request of the same client is answered, and nothing was an error of ours. */
  async function assertAlone(): Promise<void> {
    const answer = await ask(fixture, fixture.administrator, '{ assetCount }')
    assert.deepEqual(answer, { data: { assetCount: 0 } })
    assert.deepEqual(fixture.logged(), [])
  }

  for (const [query, name, words] of refusedArguments) {
    it(`${query.slice(0, 70)}… is refused by the name ${name}`, async () => {
      const answer = await ask(fixture, fixture.administrator, query)
      assert.deepEqual(codes(answer), ['invalid_argument'])
      const { message = '' } = answer.errors?.[0] ?? {}
      assert.ok(message.startsWith(`${name} `), message)
      assert.match(message, words)
      await assertAlone()
    })
  }

  it('is refused by the name of its variable, too', async () => {
    const texts = 'query($filters: AssetFilters) { assets(filters: $filters) { id } }'
    const times = 'query($filter: AuditFilter) { auditLog(filter: $filter) { id } }'
    const idList = 'query($ids: [ID!]!) { signals(ids: $ids) { id } }'
    const given: readonly (readonly [string, object, RegExp])[] = [
      [texts, { filters: { text: 'a\0b' } }, /^Variable "\$filters" holds a NUL.* at text/],
      [texts, { filters: { signalIds: ['x', '\0'] } }, /^Variable "\$filters" .*signalIds\.1/],
      [idList, { ids: ['\0'] }, /^Variable "\$ids" holds a NUL/],
      [times, { filter: { from: '0001-01-01T00:00:00Z' } }, /"\$filter".*from.*1685/],
      [times, { filter: { to: 2e17 } }, /"\$filter".*to.*1685/],
    ]
    for (const [query, variables, words] of given) {
      const answer = await ask(fixture, fixture.administrator, query, { ...variables })
      assert.deepEqual(codes(answer), ['invalid_argument'])
      assert.match(answer.errors?.[0]?.message ?? '', words)
    }
    await assertAlone()
  })

  it('leaves the first and the last time that are kept, and 1970', async () => {
    for (const range of [
      'from: "1685-01-01T00:00:00Z", to: "2254-12-31T23:59:59.999999Z"',
      'from: 0, to: 1767225600000000',
    ]) {
      const answer = await ask(fixture, fixture.administrator, data(range))
      assert.equal(answer.errors, undefined)
    }
  })
})
