import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { serverAudits } from 'graphql-http'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { type Answer, ask, codes, graphqlFixture } from '../../../fixtures/wire/graphql.ts'

const auditsCount = 61

test('all audits of GraphQL over HTTP pass', async (t) => {
  const { url, administrator } = await graphqlFixture(t)
  const fetchFn = (address: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', administrator)
    return fetch(address, { ...init, headers })
  }
  const audits = serverAudits({ url, fetchFn })
  const results = await Promise.all(audits.map((audit) => audit.fn()))
  const failed = results.filter((result) => result.status !== 'ok')
  t.diagnostic(`${results.length - failed.length} of ${results.length} audits pass`)
  assert.deepEqual(
    failed.map(({ id, name }) => `${id} ${name}`),
    [],
  )
  assert.equal(results.length, auditsCount)
})

test('a request without a known credential is 401 in JSON', async (t) => {
  const { url } = await graphqlFixture(t)
  const wrong = [undefined, 'Automation', `Automation ${'0'.repeat(40)}`, 'Basic !', 'Bearer x']
  for (const authorization of wrong) {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: JSON.stringify({ query: '{ assetCount }' }),
    })
    assert.equal(response.status, 401)
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    assert.match(response.headers.get('www-authenticate') ?? '', /^Automation/)
    const answer = (await response.json()) as Answer
    assert.deepEqual(Object.keys(answer), ['errors'])
    assert.deepEqual(codes(answer), ['unknown_credential'])
  }
})

test('a body may begin with a byte order mark, and is refused if it is not UTF-8', async (t) => {
  const { url, administrator } = await graphqlFixture(t)
  const headers = { authorization: administrator, 'content-type': 'application/json' }
  const query = JSON.stringify({ query: '{ assetCount }' })
  const response = await fetch(url, { method: 'POST', headers, body: `\ufeff${query}` })
  assert.deepEqual(((await response.json()) as Answer).data, { assetCount: 0 })
  const latin1 = Buffer.from('{"query":"{ assetCount } # \xff"}', 'latin1')
  const refused = await fetch(url, { method: 'POST', headers, body: latin1 })
  assert.equal(refused.status, 400)
  assert.deepEqual(codes((await refused.json()) as Answer), ['malformed_request'])
})

test('an API token, a session and Basic all authenticate', async (t) => {
  const { makeEmail, accounts, business, viewer, as } = await graphqlFixture(t)
  const [email, password] = [makeEmail('ann'), 'correct horse battery']
  await accounts.createUser(business, { email, password, role: 'Viewer' })
  const session = await accounts.signIn(email, password)
  const basic = Buffer.from(`${email}:${password}`).toString('base64')
  for (const header of [viewer, `token ${session.token}`, `Basic ${basic}`]) {
    assert.deepEqual(await as(header, '{ assetCount }'), { data: { assetCount: 0 } })
  }
})

test('errors are there only when there are some, and carry a code of the catalogue', async (t) => {
  const { as, viewer, administrator } = await graphqlFixture(t)
  const good = await as(viewer, '{ assetCount asset(id: "none") { id } }')
  assert.deepEqual(good, { data: { assetCount: 0, asset: null } })
  const expected: [string, string][] = [
    ['{', 'malformed_request'],
    ['{ nothing }', 'invalid_argument'],
    ['{ assets(pagination: {limit: 1001}) { id } }', 'list_too_long'],
    ['mutation { deleteAsset(id: "none") { id } }', 'forbidden'],
  ]
  for (const [query, code] of expected) {
    assert.deepEqual(codes(await as(viewer, query)), [code], query)
  }
  const gone = await as(administrator, 'mutation { deleteAsset(id: "no") { id } }')
  assert.deepEqual(codes(gone), ['not_found'])
})

test('a body at the limit is read, one above it is 413', async (t) => {
  const { viewer, url } = await graphqlFixture(t)
  const send = (bytes: number) => {
    const head = '{"query":"{ assetCount }","extensions":{"pad":"'
    const body = `${head}${'x'.repeat(bytes - head.length - 3)}"}}`
    const headers = { authorization: viewer, 'content-type': 'application/json' }
    return fetch(url, { method: 'POST', headers, body })
  }
  assert.equal((await send(limits.graphqlBodyBytesMax)).status, 200)
  const refused = await send(limits.graphqlBodyBytesMax + 1)
  assert.equal(refused.status, 413)
  assert.deepEqual(codes((await refused.json()) as Answer), ['too_large'])
})

test('what nobody foresaw is "internal" outside, and whole in the log', async (t) => {
  const count = () => Promise.reject(new Error('password of the database'))
  const fixture = await graphqlFixture(t, {
    change: (options) => ({ ...options, assets: { ...options.assets, count } }),
  })
  const answer = await ask(fixture, fixture.viewer, '{ assetCount }')
  assert.deepEqual(codes(answer), ['internal'])
  assert.doesNotMatch(JSON.stringify(answer), /password/)
  const [line] = fixture.logged() as [{ err: Error }][]
  assert.equal(line?.[0].err.message, 'password of the database')
})
