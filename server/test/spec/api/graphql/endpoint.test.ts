import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { testPlatform } from '../../../fixtures/platform.ts'
import {
  type Answer,
  codes,
  graphqlFixture,
  post,
  type WholeAnswer,
} from '../../../fixtures/wire/graphql.ts'

const query = '{ assetCount }'

test('a token is sent as Automation, as Bearer or as X-API-Key', async (t) => {
  const { url, viewer } = await graphqlFixture(t)
  const token = viewer.replace('Automation ', '')
  const ways = [
    { authorization: `Automation ${token}` },
    { authorization: `automation ${token}` },
    { authorization: `Bearer ${token}` },
    { 'x-api-key': token },
  ]
  for (const headers of ways) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    })
    assert.equal(response.status, 200)
    assert.deepEqual(((await response.json()) as WholeAnswer).data, { assetCount: 0 })
  }
  const wrong = await fetch(url, { method: 'POST', headers: { 'x-api-key': 'no' }, body: '{}' })
  assert.equal(wrong.status, 401)
  await wrong.text()
})

const page = 'https://dashboard.example'

/** The request by which a browser asks first, and the one that follows. */
async function askFromPage(fixture: { url: string; viewer: string }, origin: string) {
  const preflight = await fetch(fixture.url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  })
  const answer = await post(fixture, fixture.viewer, { query }, { origin })
  return { preflight, answer }
}

test('no page of another origin may use the endpoint unless the operator allows it', async (t) => {
  const fixture = await graphqlFixture(t)
  const { preflight, answer } = await askFromPage(fixture, page)
  for (const headers of [preflight.headers, answer.headers]) {
    assert.equal(headers.get('access-control-allow-origin'), null)
  }
  // A program that sends an Origin is no page: only browsers look at these headers.
  assert.equal(answer.status, 200)
})

test('pages of the origins that the operator allows may, and no others', async (t) => {
  const fixture = await graphqlFixture(t, {
    change: (options) => ({ ...options, origins: [page] }),
  })
  const { preflight, answer } = await askFromPage(fixture, page)
  assert.equal(preflight.status, 204)
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/)
  for (const headers of [preflight.headers, answer.headers]) {
    assert.equal(headers.get('access-control-allow-origin'), page)
    assert.equal(headers.get('vary'), 'Origin')
    assert.equal(headers.get('access-control-allow-credentials'), null)
  }
  const other = await askFromPage(fixture, 'https://elsewhere.example')
  assert.equal(other.preflight.headers.get('access-control-allow-origin'), null)
  assert.equal(other.answer.headers.get('access-control-allow-origin'), null)
})

test('the operator can allow every origin; a refusal can be read as well', async (t) => {
  const fixture = await graphqlFixture(t, { change: (options) => ({ ...options, origins: ['*'] }) })
  const { preflight, answer } = await askFromPage(fixture, page)
  for (const headers of [preflight.headers, answer.headers]) {
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('access-control-expose-headers'), 'Retry-After, X-Request-Id')
  }
  const refused = await post(fixture, 'Automation no', { query }, { origin: page })
  assert.equal(refused.status, 401)
  assert.equal(refused.headers.get('access-control-allow-origin'), '*')
})

const subscription = 'subscription { statuses(assetIds: []) { assetId } }'
const [events, jsonType] = ['text/event-stream', 'application/json']

/** `Accept`, and the media types of the answers to a query and to a subscription. */
const accepts: readonly (readonly [string, string, string])[] = [
  ['text/event-stream', events, events],
  ['text/event-stream, multipart/mixed', events, events],
  ['text/event-stream, application/json', events, events],
  ['application/json, TEXT/EVENT-STREAM ; q=1', jsonType, events],
  ['text/event-stream;q=0.4, application/json;q=0.5', jsonType, events],
  ['application/json;q=0.4,text/event-stream;q=0.5', events, events],
  ['*/*, text/event-stream', jsonType, events],
  ['text/event-stream;q=0, application/json', jsonType, jsonType],
  ['multipart/mixed;deferSpec=20220824, application/json', jsonType, jsonType],
  ['*/*', jsonType, jsonType],
  [
    'application/json;q=0.5, application/graphql-response+json',
    'application/graphql-response+json',
    'application/graphql-response+json',
  ],
]

test('Accept is a list with weights, in which a subscription finds its stream', async (t) => {
  const { url, viewer } = await graphqlFixture(t)
  for (const [accept, ...types] of accepts) {
    for (const [at, text] of [query, subscription].entries()) {
      const ending = new AbortController()
      const response = await fetch(url, {
        method: 'POST',
        headers: { accept, authorization: viewer, 'content-type': jsonType },
        body: JSON.stringify({ query: text }),
        signal: ending.signal,
      })
      const [type] = response.headers.get('content-type')?.split(';') ?? []
      assert.equal(type, types[at], `${accept} ${text}`)
      ending.abort()
    }
  }
})

test('a client that accepts nothing that can be sent gets a 406 in JSON', async (t) => {
  const { url, viewer } = await graphqlFixture(t)
  for (const accept of ['multipart/mixed', 'application/json;q=0', 'text/plain, image/*']) {
    for (const path of ['', '?explain']) {
      const headers = { accept, authorization: viewer, 'content-type': jsonType }
      const body = JSON.stringify({ query })
      const response = await fetch(url + path, { method: 'POST', headers, body })
      assert.equal(response.status, 406)
      assert.deepEqual(codes((await response.json()) as Answer), ['not_acceptable'])
    }
  }
})

test('a charset may stand in quotes; a body is not compressed', async (t) => {
  const fixture = await graphqlFixture(t)
  const readStatus = async (headers: Readonly<Record<string, string>>) =>
    (await post(fixture, fixture.viewer, { query }, headers)).status
  for (const type of [
    'application/json; charset="utf-8"',
    'application/json;charset=UTF-8',
    'Application/JSON ; profile=x ; Charset="UTF-8"',
  ]) {
    assert.equal(await readStatus({ 'content-type': type }), 200, type)
  }
  assert.equal(await readStatus({ 'content-type': 'application/json; charset=latin1' }), 415)
  assert.equal(await readStatus({ 'content-encoding': 'identity' }), 200)
  for (const coding of ['gzip', 'br']) {
    const { status, answer } = await post(
      ...[fixture, fixture.viewer, { query }, { 'content-encoding': coding }],
    )
    assert.equal(status, 415)
    assert.deepEqual(codes(answer), ['wrong_content_type'])
    assert.match(answer.errors?.[0]?.message ?? '', /compressed/)
  }
})

test('a hash of a persisted query is refused as its clients expect: 200', async (t) => {
  const fixture = await graphqlFixture(t)
  const persistedQuery = { version: 1, sha256Hash: '0'.repeat(64) }
  const hash = { extensions: { persistedQuery } }
  const get = `${fixture.url}?extensions=${encodeURIComponent(JSON.stringify(hash.extensions))}`
  for (const accept of ['*/*', 'application/graphql-response+json', events]) {
    const headers = { accept, authorization: fixture.viewer }
    for (const answered of [
      await post(fixture, fixture.viewer, hash, { accept }),
      await fetch(get, { headers }).then(async (response) => ({
        status: response.status,
        answer: (await response.json()) as Answer,
      })),
    ]) {
      assert.equal(answered.status, 200)
      assert.equal(answered.answer.errors?.[0]?.message, 'PersistedQueryNotSupported')
    }
  }
  const { answer } = await post(fixture, fixture.viewer, { ...hash, query })
  assert.deepEqual(answer.data, { assetCount: 0 })
  const other = await post(fixture, fixture.viewer, { extensions: { other: persistedQuery } })
  assert.deepEqual(codes(other.answer), ['malformed_request'])
})

test('the address may end in a slash', async (t) => {
  const { httpUrl, token } = await testPlatform(t)
  for (const path of ['/api/graphql/', '/api/graphql/?x=1']) {
    const { answer } = await post({ url: httpUrl + path }, `Automation ${token}`, { query })
    assert.deepEqual(answer.data, { assetCount: 0 })
  }
})
