import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createAllowances } from '../../../../src/scripts/services/http/index.ts'
import { type HttpPeer, httpPeer } from '../../../fixtures/http-client.ts'
import { type InterfaceFixture, interfaceFixture } from '../../../fixtures/interface.ts'
import { assertFault, assertStatus } from '../../../fixtures/solutions.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

describe('the HTTP client of an instance', () => {
  const suite = suiteContext()
  let fixture: InterfaceFixture
  let server: HttpPeer

  before(async () => {
    fixture = await interfaceFixture(suite, { movesClock: true })
    server = await httpPeer(suite, (response, { headers, body }) => {
      response.end(JSON.stringify({ token: headers['x-token'] ?? '', body: body.toString() }))
    })
  })

  const returned = (source: string) => fixture.run('pump', source, { url: server.url })

  for (const spelling of [
    'http.post',
    'Http.post',
    'murano.services.http.post',
    "(function(args) return murano.service_call('http', 'post', args) end)",
  ]) {
    test(`scripts spell it ${spelling}`, async () => {
      const source = `return ${spelling}({url = event.url, json = {a = 1}}).status_code`
      assert.equal(await returned(source), 200)
      assert.equal(server.last().body.toString(), '{"a":1}')
    })
  }

  test('a script sees nil, a result, or an error object', async () => {
    const source = `
      local none = Http.get{}
      local good = Http.get{url = event.url}
      local bad = Http.get{url = 'http://10.0.0.1/'}
      local told = good.headers['content-length'] ~= nil
      return {none == nil, type(good.body), told, bad.type, bad.status}`
    assert.deepEqual(await returned(source), [true, 'string', true, 'ServerError', 502])
  })

  test('the management API sets its configuration, and never returns the secret', async () => {
    const body = { service: 'http', credentials: 'token=s3cr3t' }
    const added = await fixture.pump('POST', '/serviceconfig', body)
    assertStatus(added, 201)
    const source = "return Http.get{url = event.url, headers = {['X-Token'] = '{{token}}'}}.body"
    assert.match(String(await returned(source)), /"token":"s3cr3t"/)

    const { id } = added.json
    const found = await fixture.pump('GET', `/serviceconfig/${id}`)
    const listed = await fixture.pump('GET', '/serviceconfig')
    for (const { json } of [added, found, listed]) {
      assert.ok(!JSON.stringify(json).includes('s3cr3t'), JSON.stringify(json))
    }
    assert.ok(JSON.stringify(found.json).includes('"credentialNames":["token"]'))
    const rows = await fixture.millrace.platform.database.rows<{ row: string }>(
      'select scripting_configuration::text as row from scripting_configuration',
    )
    assert.ok(rows.length > 0 && rows.every(({ row }) => !row.includes('s3cr3t')))

    assertStatus(await fixture.pump('PUT', `/serviceconfig/${id}`, found.json), 200)
    assert.match(String(await returned(source)), /"token":"s3cr3t"/)

    const wrong = await fixture.pump('PATCH', `/serviceconfig/${id}`, { credentials: 'no pair' })
    assertFault(wrong, 'invalid_argument', /name=value/)
    assertStatus(await fixture.pump('PATCH', `/serviceconfig/${id}`, { credentials: null }), 200)
    assert.match(String(await returned(source)), /"token":"\{\{token\}\}"/)
    assertStatus(await fixture.pump('DELETE', `/serviceconfig/${id}`), 204)
  })
})

test('what the operator opens for a business is open for its scripts', async (t) => {
  const { run, businessId, millrace } = await interfaceFixture(t, {
    own: 'allows no private address',
    config: { outboundAllow: [] },
  })
  const server = await httpPeer(t)
  const source = 'local r = Http.get{url = event.url}; return r.status_code or r.error'
  const asked = () => run('pump', source, { url: server.url })
  assert.equal(await asked(), 'The operator does not allow calls to 127.0.0.1.')
  // Another process would do this: the instance notices when its memory ends.
  await createAllowances(millrace.platform).add(businessId, server.host)
  millrace.clock.advance(10_000)
  assert.equal(await asked(), 200)
})
