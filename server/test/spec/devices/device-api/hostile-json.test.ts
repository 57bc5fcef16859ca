import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { managementLimits } from '../../../../src/api/management/index.ts'
import { anyJson, jsonBounds, limits, parseJson } from '../../../../src/foundation/kernel/index.ts'
import {
  assertFault,
  type SolutionsFixture,
  solutionsFixture,
} from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { rawClient } from '../../../fixtures/wire/raw.ts'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const deep = nested(5_000)

let fixture: SolutionsFixture
let url: string
let authorization: string
const onSolutions = sharedBySuites(async (suite) => {
  fixture = await solutionsFixture(suite)
  url = fixture.millrace.httpUrl
  authorization = `Automation ${fixture.millrace.token}`
})
const push = (path: string, text: string) =>
  fixture.pump('POST', '/push', { files: [{ path, text }] })

describe('JSON that nobody could write again', () => {
  onSolutions()

  it('a body nested too deep is refused by every route that takes one', async () => {
    const device = `/service/${fixture.millrace.connector.id}/device2`
    const bodies = [
      ['POST', '/solution/pump/push', `{"files":${deep}}`],
      ['POST', '/connectors', `{"name":${deep}}`],
      ['PATCH', device, `{"resources":${deep}}`],
      ['PATCH', `${device}/identity/a/state`, `{"a":${deep}}`],
      ['PUT', `${device}/crl`, `{"crl":${deep}}`],
      ['POST', '/modules', `{"url":${deep}}`],
      ['POST', '/solution/pump/interface/any', `{"a":${deep}}`],
    ] as const
    for (const [method, path, body] of bodies) {
      assertFault(await fixture.ask(method, path, body), 'malformed_request')
    }
    const signIn = await fetch(`${url}/api:1/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `{"email":${nested(limits.jsonDepthMax + 1)}}`,
    })
    assert.equal(signIn.status, 400)
  })

  it('so is a file of a push', async () => {
    const refused = await push('murano.json', `{"a":${deep}}`)
    assert.equal(refused.status, 400, JSON.stringify(refused.json))
    assert.match(JSON.stringify(refused.json), /nested deeper/)
    assert.equal((await push('services/config.json', `{"a":${deep}}`)).status, 400)
  })

  it('and variables of GraphQL, in a body or in a URL', async () => {
    const endpoint = `${url}/api/graphql`
    const query = '{ assetCount }'
    const body = `{"query":"${query}","variables":{"a":${deep}}}`
    const headers = { authorization, 'content-type': 'application/json' }
    const posted = await fetch(endpoint, { method: 'POST', headers, body })
    assert.equal(posted.status, 400)
    assert.match(await posted.text(), /malformed_request/)
    const variables = encodeURIComponent(`{"a":${nested(1_000)}}`)
    const got = await fetch(
      `${endpoint}?query=${encodeURIComponent(query)}&variables=${variables}`,
      {
        headers: { authorization },
      },
    )
    assert.equal(got.status, 400)
    assert.match(await got.text(), /malformed_request/)
  })

  it('the deepest that is taken can be written again', () => {
    const text = nested(limits.jsonDepthMax)
    assert.equal(JSON.stringify(parseJson(text)), text)
    assert.throws(() => parseJson(nested(limits.jsonDepthMax + 1)), SyntaxError)
    const inString = JSON.stringify({ [`\\"${'['.repeat(500)}`]: `${'\\'.repeat(501)}"${deep}` })
    assert.deepEqual(parseJson(inString), JSON.parse(inString))
    assert.throws(() => parseJson(`"\\\\"${deep}`), /nested deeper/)
  })

  it('values are counted before they are made', () => {
    const most = 1_000
    const list = (count: number) => `[${'1,'.repeat(count - 1)}1]`
    assert.equal((parseJson(list(most), anyJson(most)) as unknown[]).length, most)
    assert.throws(() => parseJson(list(most + 1), anyJson(most)), { code: 'too_large' })
    // Text behind it is not looked at, so it need not be JSON.
    assert.throws(() => parseJson(`${list(most + 1)}]`, anyJson(most)), { code: 'too_large' })
  })

  it('values, texts and fields of an object have bounds of their own', () => {
    const { jsonFieldsMax: fields, jsonValuesMax: values } = limits
    const texts = 2 * values
    const bounds = jsonBounds(2 * texts)
    const joined = (count: number, of: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => of(at)).join()
    const object = (count: number) => `[{${joined(count, (at) => `"${at}":1`)}}]`
    assert.ok(parseJson(object(fields)))
    assert.throws(() => parseJson(object(fields + 1)), /object in it has more than 5000 fields/)
    const list = (count: number) => `[${joined(count, () => '""')}]`
    assert.ok(parseJson(list(texts), bounds))
    assert.throws(() => parseJson(list(texts + 1), bounds), /more than 40000 texts/)
    assert.throws(() => parseJson(list(values + 1)), /more than 20000 values/)
  })
})

describe('bodies and ids of nobody', () => {
  onSolutions()

  it("an id with a NUL is nobody's: it is refused, or there is no such thing", async () => {
    const headers = { authorization, 'content-type': 'application/json' }
    const id = 'a\\u0000b'
    for (const query of [
      `{ asset(id: "${id}") { name } }`,
      `{ assets(groupId: "${id}") { name } }`,
      `mutation { deleteAsset(id: "${id}") }`,
    ]) {
      const body = JSON.stringify({ query })
      const answer = await fetch(`${url}/api/graphql`, { method: 'POST', headers, body })
      const text = await answer.text()
      assert.doesNotMatch(text, /internal/, text)
    }
    const asked = JSON.stringify({ query: `{ asset(id: "${id}") { name } }` })
    const answer = await fetch(`${url}/api/graphql`, { method: 'POST', headers, body: asked })
    assert.match(await answer.text(), /"code":"invalid_argument"/)
    const paths = [
      ['GET', '/service/a%00b/device2'],
      ['GET', `/service/${fixture.millrace.connector.id}/device2/identity/a%00b`],
      ['GET', `/service/${fixture.millrace.connector.id}/device2/identity/a%00b/state`],
      ['GET', '/solution/a%00b'],
      ['GET', '/solution/pump/service/a%00b'],
      ['DELETE', '/modules/a%00b'],
    ] as const
    for (const [method, path] of paths) {
      assert.equal((await fixture.ask(method, path)).status, 404, path)
    }
  })

  it('a body is not waited for where nobody may send one', async () => {
    const announce = async (path: string, bytes: number) => {
      const client = rawClient(url)
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
      try {
        return await client.ask(`${head}Content-Length: ${bytes}\r\n\r\n`)
      } finally {
        client.close()
      }
    }
    assert.equal(
      (await announce('/api:1/token', managementLimits.signInBodyBytesMax + 1)).status,
      413,
    )
    assert.equal((await announce('/api:1/nowhere', 1_000)).status, 404)
    assert.equal((await announce('/nowhere', 1_000)).status, 404)
    assert.equal((await announce('/healthz', 1_000)).status, 405)
    assert.equal((await announce('/api:1/connectors', 1_000)).status, 401)
    assert.equal((await announce('/api/graphql', 1_000)).status, 401)
    assert.equal((await announce('/vendor:v1/stack/alias', 1_000)).status, 401)
    assert.equal((await announce('/vendor:v1/stack/record', 1_000)).status, 401)
  })
})
