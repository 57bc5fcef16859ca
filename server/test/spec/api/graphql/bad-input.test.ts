import { strict as assert } from 'node:assert'
import { afterEach, before, describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import {
  type Answer,
  ask,
  codes,
  type GraphqlFixture,
  graphqlFixture,
  post,
} from '../../../fixtures/wire/graphql.ts'
import { rawClient } from '../../../fixtures/wire/raw.ts'

const refusedBodies: readonly (readonly [what: string, body: string])[] = [
  ['malformed JSON', '{"query": "{ assetCount }"'],
  ['no JSON at all', 'query=assetCount'],
  ['an array of requests', JSON.stringify([{ query: '{ assetCount }' }])],
  ['a number as the document', '{"query": 5}'],
  ['variables that are a text', '{"query":"{ assetCount }","variables":"x"}'],
  ['null', 'null'],
  ['an empty body', ''],
]

const several = 'query One { assetCount } query Two { assetCount }'
const unclear: readonly (readonly [what: string, body: object, words: string])[] = [
  ['an array of requests', [{ query: '{ assetCount }' }], 'The body must be one JSON object'],
  ['several operations without a name', { query: several }, 'has 2 operations'],
  ['an operation that is not there', { query: several, operationName: 'Three' }, '"Three"'],
  [
    'a subscription without a stream',
    { query: 'subscription { statuses(assetIds: []) { assetId } }' },
    'text/event-stream',
  ],
]

/** Documents that are refused for one of their values; those past a limit are in limits.test.ts. */
const refusedDocuments: readonly (readonly [what: string, query: string])[] = [
  ['an offset of 2³¹', '{ assets(pagination: { offset: 2147483648 }) { id } }'],
  ['a limit of 2³¹', '{ assets(pagination: { limit: 2147483648 }) { id } }'],
  ['a number of the wrong type', '{ assets(pagination: { limit: 1.5 }) { id } }'],
  ['a directive that does not exist', '{ assetCount @nothing }'],
  ['an end before the year 1', data('to: "-000001-01-01T00:00:00Z"')],
  ['an end in the year 300,000', data('to: "+300000-01-01T00:00:00Z"')],
  [
    'a month that does not exist',
    '{ assets(filters: { created_from: "2026-13-01T00:00:00Z" }) { id } }',
  ],
]

function data(options: string): string {
  return `{ assets { signals { data(options: { ${options} }) { value } } } }`
}

describe('bad input of the graph API', () => {
  const suite = suiteContext()
  let fixture: GraphqlFixture
  before(async () => {
    fixture = await graphqlFixture(suite)
  })

  /** The next request of the same client is answered, and nothing was an error of ours. */
  afterEach(async () => {
    const answer = await ask(fixture, fixture.viewer, '{ assetCount }')
    assert.deepEqual(answer, { data: { assetCount: 0 } })
    assert.deepEqual(fixture.logged(), [])
  })

  for (const [what, body] of refusedBodies) {
    it(`${what} is refused with a code, and that request alone`, async () => {
      const { status, answer } = await post(fixture, fixture.viewer, body)
      assert.deepEqual([status, codes(answer)], [400, ['malformed_request']])
      assert.equal(answer.data, undefined)
    })
  }

  for (const [what, body, words] of unclear) {
    it(`the refusal of ${what} says what to do`, async () => {
      const { answer } = await post(fixture, fixture.viewer, JSON.stringify(body))
      const [error] = answer.errors ?? []
      assert(error?.message.includes(words), error?.message)
    })
  }

  for (const [what, query] of refusedDocuments) {
    it(`${what} is refused with a code, and that request alone`, async () => {
      const answer = await ask(fixture, fixture.viewer, query)
      assert.deepEqual([...new Set(codes(answer))], ['invalid_argument'])
    })
  }

  it('the largest offset that Int has is an empty page', async () => {
    const query = '{ assets(pagination: { offset: 2147483647 }) { id } }'
    assert.deepEqual(await ask(fixture, fixture.viewer, query), { data: { assets: [] } })
  })
})

describe('bodies and variables of the graph API', () => {
  const suite = suiteContext()
  let fixture: GraphqlFixture
  before(async () => {
    fixture = await graphqlFixture(suite)
  })

  it('the rest of a body that is too large is read: its sender has the answer', async (t) => {
    const { url, viewer } = fixture
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

  it('a body of another type is refused with a code', async () => {
    const { url, viewer } = fixture
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const headers = { authorization: viewer, 'content-type': type }
      const answered = await fetch(url, { method: 'POST', headers, body: '{ assetCount }' })
      assert.equal(answered.status, 415)
      assert.deepEqual(codes((await answered.json()) as Answer), ['wrong_content_type'])
    }
  })

  it('variables of a wrong type are refused by name', async () => {
    const query = 'query($page: Pagination!) { assets(pagination: $page) { id } }'
    for (const page of [5, 'x', [], { limit: 'x' }, { limit: 1.5 }, { more: 1 }, null]) {
      const answer = await ask(fixture, fixture.viewer, query, { page })
      assert.deepEqual([...new Set(codes(answer))], ['invalid_argument'], JSON.stringify(page))
      assert.match(answer.errors?.[0]?.message ?? '', /\$page/)
    }
  })

  it('a thousand tokens, many at once, are each answered', async () => {
    const { accounts, business } = fixture
    const count = Math.min(1_000, limits.apiTokensMax) - 3
    const tokens: string[] = []
    for (let at = 0; at < count; at += 1) {
      const { token } = await accounts.createToken(business, { name: `t${at}`, role: 'Viewer' })
      tokens.push(`Automation ${token}`)
    }
    // Half of the connections that may wait for a busy process (511).
    for (let from = 0; from < count; from += 250) {
      const some = tokens.slice(from, from + 250)
      const sent = some.map((token) => post(fixture, token, { query: '{ assetCount }' }))
      for (const { answer } of await Promise.all(sent)) {
        assert.deepEqual(answer.data, { assetCount: 0 })
        assert.equal(answer.extensions?.cost.rateUsage?.requests, 1)
      }
    }
  })
})
