import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { testPlatform } from '../../fixtures/platform.ts'
import { graphqlFixture, post, type WholeAnswer } from '../../fixtures/wire/graphql.ts'

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

test('the endpoint answers over HTTPS too', async (t) => {
  const { tlsUrl, caFile, token } = await testPlatform(t)
  const sent = request(`${tlsUrl}/api/graphql`, {
    method: 'POST',
    ca: readFileSync(caFile),
    servername: 'localhost',
    headers: { authorization: `Automation ${token}`, 'content-type': 'application/json' },
  })
  sent.end(JSON.stringify({ query }))
  const answer = await new Promise<string>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => resolve(text(response)))
  })
  assert.deepEqual((JSON.parse(answer) as WholeAnswer).data, { assetCount: 0 })
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
