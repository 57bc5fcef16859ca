import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { limits } from '../../../src/kernel/index.ts'
import {
  type Answer,
  ask,
  codes,
  type GraphqlFixture,
  graphqlFixture,
  post,
} from '../../fixtures/wire/graphql.ts'
import { rawClient } from '../../fixtures/wire/raw.ts'

/** The next request of the same client is answered, and nothing was an error of ours. */
async function assertAlone(fixture: GraphqlFixture): Promise<void> {
  const answer = await ask(fixture, fixture.viewer, '{ assetCount }')
  assert.deepEqual(answer, { data: { assetCount: 0 } })
  assert.deepEqual(fixture.logged(), [])
}

const refusedBodies: readonly (readonly [string, string, string])[] = [
  ['malformed JSON', '{"query": "{ assetCount }"', 'malformed_request'],
  ['no JSON at all', 'query=assetCount', 'malformed_request'],
  ['an array of requests', JSON.stringify([{ query: '{ assetCount }' }]), 'malformed_request'],
  ['a number as the document', '{"query": 5}', 'malformed_request'],
  ['variables that are a text', '{"query":"{ assetCount }","variables":"x"}', 'malformed_request'],
  ['null', 'null', 'malformed_request'],
  ['an empty body', '', 'malformed_request'],
]

for (const [name, body, code] of refusedBodies) {
  test(`${name} is refused with a code, and that request alone`, async (t) => {
    const fixture = await graphqlFixture(t)
    const { status, answer } = await post(fixture, fixture.viewer, body)
    assert.equal(status, 400)
    assert.deepEqual(codes(answer), [code])
    assert.equal(answer.data, undefined)
    await assertAlone(fixture)
  })
}

test('bodies of 10 MB are refused, and those requests alone', async (t) => {
  const fixture = await graphqlFixture(t)
  const body = JSON.stringify({ query: `# ${'x'.repeat(10_000_000)}` })
  for (let at = 0; at < 20; at += 1) {
    const { status, answer } = await post(fixture, fixture.viewer, body)
    assert.equal(status, 413)
    assert.deepEqual(codes(answer), ['too_large'])
  }
  await assertAlone(fixture)
})

test('the rest of a body that is too large is read: its sender has the answer', async (t) => {
  const { url, viewer } = await graphqlFixture(t)
  const { origin, pathname } = new URL(url)
  const client = rawClient(origin)
  t.after(() => client.close())
  const head = (length: number) =>
    `POST ${pathname} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${viewer}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  const length = 16 * limits.graphqlBodyBytesMax
  const refused = await client.ask(head(length))
  assert.equal(refused.status, 413)
  assert.deepEqual(codes(JSON.parse(refused.body) as Answer), ['too_large'])
  const next = '{"query":"{ assetCount }"}'
  assert.equal((await client.ask('x'.repeat(length) + head(next.length) + next)).status, 200)
})

const several = 'query One { assetCount } query Two { assetCount }'
const unclear: readonly (readonly [string, object, string])[] = [
  ['an array of requests', [{ query: '{ assetCount }' }], 'The body is one JSON object'],
  ['several operations without a name', { query: several }, 'has 2 operations'],
  ['an operation that is not there', { query: several, operationName: 'Three' }, '"Three"'],
  [
    'a subscription without a stream',
    { query: 'subscription { statuses(assetIds: []) { assetId } }' },
    'text/event-stream',
  ],
]

for (const [name, body, words] of unclear) {
  test(`the refusal of ${name} says what to do`, async (t) => {
    const fixture = await graphqlFixture(t)
    const { answer } = await post(fixture, fixture.viewer, JSON.stringify(body))
    const [error] = answer.errors ?? []
    assert(error?.message.includes(words), error?.message)
  })
}

test('a body of another type is refused with a code', async (t) => {
  const { url, viewer } = await graphqlFixture(t)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    const headers = { authorization: viewer, 'content-type': type }
    const answered = await fetch(url, { method: 'POST', headers, body: '{ assetCount }' })
    assert.equal(answered.status, 415)
    assert.deepEqual(codes((await answered.json()) as Answer), ['wrong_content_type'])
  }
})

const aliases = (count: number) =>
  `{ ${Array.from({ length: count }, (_, at) => `a${at}: assetCount`).join(' ')} }`
const levels = (count: number) => `${'{ assets '.repeat(count)} { id } ${'}'.repeat(count)}`

const refusedDocuments: readonly (readonly [string, string, string])[] = [
  ['10,000 aliases', aliases(10_000), 'too_many_tokens'],
  ['500 levels', levels(500), 'too_deep'],
  [
    'fragments in a circle',
    '{ assets { ...A } } fragment A on Asset { ...B } fragment B on Asset { ...A }',
    'invalid_argument',
  ],
  ['a negative limit', '{ assets(pagination: { limit: -1 }) { id } }', 'invalid_argument'],
  ['a negative offset', '{ assets(pagination: { offset: -1 }) { id } }', 'invalid_argument'],
  ['an offset of 2³¹', '{ assets(pagination: { offset: 2147483648 }) { id } }', 'invalid_argument'],
  ['a directive that does not exist', '{ assetCount @nothing }', 'invalid_argument'],
  [
    'thousands of directives at one field',
    `{ assetCount ${'@include(if: true) '.repeat(2_000)} }`,
    'too_many_tokens',
  ],
  [
    'hundreds of directives',
    `{ ${'assetCount @include(if: true) @skip(if: false) '.repeat(51)} }`,
    'too_many_directives',
  ],
  [
    'a range whose end is before the year 1',
    '{ assets { signals { data(options: { from: "-000001-01-01T00:00:00Z" }) { value } } } }',
    'invalid_argument',
  ],
  [
    'a range in the year 300,000',
    '{ assets { signals { data(options: { to: "+300000-01-01T00:00:00Z" }) { value } } } }',
    'invalid_argument',
  ],
  [
    'a month that does not exist',
    '{ assets(filters: { created_from: "2026-13-01T00:00:00Z" }) { id } }',
    'invalid_argument',
  ],
  [
    'a number of the wrong type as an argument',
    '{ assets(pagination: { limit: 1.5 }) { id } }',
    'invalid_argument',
  ],
  ['a limit of 2³¹', '{ assets(pagination: { limit: 2147483648 }) { id } }', 'invalid_argument'],
]

for (const [name, query, code] of refusedDocuments) {
  test(`${name} is refused with a code, and that request alone`, async (t) => {
    const fixture = await graphqlFixture(t)
    const answer = await ask(fixture, fixture.viewer, query)
    assert.deepEqual([...new Set(codes(answer))], [code])
    await assertAlone(fixture)
  })
}

test('the largest offset that Int has is an empty page', async (t) => {
  const fixture = await graphqlFixture(t)
  const query = '{ assets(pagination: { offset: 2147483647 }) { id } }'
  assert.deepEqual(await ask(fixture, fixture.viewer, query), { data: { assets: [] } })
})

test('variables of a wrong type are refused by name', async (t) => {
  const fixture = await graphqlFixture(t)
  const query = 'query($page: Pagination!) { assets(pagination: $page) { id } }'
  for (const page of [5, 'x', [], { limit: 'x' }, { limit: 1.5 }, { more: 1 }, null]) {
    const answer = await ask(fixture, fixture.viewer, query, { page })
    assert.deepEqual([...new Set(codes(answer))], ['invalid_argument'], JSON.stringify(page))
    assert.match(answer.errors?.[0]?.message ?? '', /\$page/)
  }
  await assertAlone(fixture)
})

test('a thousand tokens at once are each answered', async (t) => {
  const fixture = await graphqlFixture(t)
  const { accounts, business } = fixture
  const count = Math.min(1_000, limits.apiTokensMax) - 3
  const tokens: string[] = []
  for (let at = 0; at < count; at += 1) {
    const { token } = await accounts.createToken(business, { name: `t${at}`, role: 'Viewer' })
    tokens.push(`Automation ${token}`)
  }
  const answers = await Promise.all(
    tokens.map((token) => post(fixture, token, { query: '{ assetCount }' })),
  )
  for (const { answer } of answers) {
    assert.deepEqual(answer.data, { assetCount: 0 })
    assert.equal(answer.extensions?.cost.rateUsage?.requests, 1)
  }
  await assertAlone(fixture)
})
