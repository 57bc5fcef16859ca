import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  exampleConnector,
  type TestPlatform,
  testPlatform,
  unique,
} from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { send } from '../../../fixtures/wire/device.ts'

const formType = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' }
const secret = 'at+least & twenty=bytes'
const path = '/vendor:v1/stack/alias'

describe('the password method over HTTP', () => {
  const suite = suiteContext()
  let millrace: TestPlatform
  let host: string
  before(async () => {
    const connector = { ...exampleConnector, id: unique('doors'), authType: 'password' }
    millrace = await testPlatform(suite, { connector })
    host = `${millrace.connector.id}.localhost`
  })

  const activate = (body: string, at = host) =>
    send(millrace.httpUrl, 'POST', '/provision/activate', { Host: at, ...formType }, body)
  const form = (identity: string, password = secret) =>
    `id=${encodeURIComponent(identity)}&password=${encodeURIComponent(password)}`
  const basic = (identity: string, password = secret) => ({
    Authorization: `Basic ${Buffer.from(`${identity}:${password}`).toString('base64')}`,
  })
  const write = (headers: Record<string, string>, body = 'a=1') =>
    send(millrace.httpUrl, 'POST', path, { Host: host, ...formType, ...headers }, body)

  it('answers an activation with 204 No Content and an empty body', async () => {
    const answer = await activate(form('d1'))
    assert.equal(answer.status, 204, answer.text)
    assert.match(answer.text, /^HTTP\/1\.1 204 No Content\r\n/)
    assert.equal(answer.body, '')
    assert.ok(answer.text.length < 512)
  })

  it('authenticates the device by HTTP Basic on every later request', async () => {
    await activate(form('d2'))
    assert.equal((await write(basic('d2'), 'a=7')).status, 204)
    const headers = { Host: host, ...basic('d2') }
    const read = await send(millrace.httpUrl, 'GET', `${path}?a`, headers)
    assert.equal(read.body, 'a=7')
    const lower = { authorization: basic('d2').Authorization.replace('Basic', 'basic') }
    assert.equal((await write(lower)).status, 204)
  })

  it('refuses a name that no identity has, and not those that come with it', async () => {
    const names = Array.from({ length: 5 }, (_, at) => `beside${at}`)
    for (const name of names) await activate(form(name))
    const sent = names.flatMap((name) => [write(basic(name)), write(basic(`${name}\0`))])
    const answers = await Promise.all(sent)
    assert.deepEqual(
      answers.map(({ status }) => status),
      names.flatMap(() => [204, 401]),
    )
  })

  it('lets the older body form carry the password, and name the connector', async () => {
    const { id } = millrace.connector
    const older = `vendor=${id}&model=${id}&sn=d3&password=${encodeURIComponent(secret)}`
    assert.equal((await activate(older, 'm2.legacy.example')).status, 204)
    assert.equal((await write(basic('d3'))).status, 204)
  })

  it('answers 415 for a password that is brought to a connector of tokens', async () => {
    const { connectors } = millrace.platform.provisioning
    const { id } = await connectors.create(millrace.businessId, {
      ...exampleConnector,
      name: 'tokens',
    })
    const answer = await activate(form('d5'), `${id}.localhost`)
    assert.equal(answer.status, 415)
    assert.equal((await activate('id=d5&password=', `${id}.localhost`)).status, 200)
  })

  it('answers 401 for a wrong password, and for what is no Basic credential', async () => {
    await activate(form('d7'))
    const odd = [
      'Basic',
      'Basic ',
      'Basic !!!',
      'Basic ZDc=',
      'Digest a',
      `Basic ${'A'.repeat(9e3)}`,
    ]
    const wrong = [basic('d7', `${secret}.`), ...odd.map((one) => ({ Authorization: one }))]
    for (const headers of wrong) {
      const answer = await write(headers)
      assert.equal(answer.status, 401, headers.Authorization)
      assert.equal(answer.body, 'unknown_credential')
      assert.ok(answer.headers.includes('WWW-Authenticate: token, Basic realm="device"'))
    }
  })

  it('needs a host that names the connector: an identity alone does not', async () => {
    await activate(form('d8'))
    const elsewhere = await write({ ...basic('d8'), Host: 'm2.legacy.example' })
    assert.equal(elsewhere.status, 401)
    assert.equal((await write(basic('d8'))).status, 204)
  })

  it('refuses the whole body where it cannot be read', async () => {
    assert.equal((await activate('password=abc')).status, 400)
    assert.equal((await activate(`id=d9&password=${secret}\0x`)).status, 400)
    const long = await activate(form('d9', 'x'.repeat(1_000_000)))
    assert.equal(long.status, 413)
    assert.equal(long.body, 'too_large')
  })
})
