import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exampleConnector, type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'
import { activate, send } from '../../../fixtures/wire/device.ts'

type Refusal = { readonly code: string; readonly message: string }

let millrace: TestPlatform
const onPlatform = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite)
})

let count = 0

/** A connector of its own, made and changed by the management API as an operator does. */
async function connector(provisioning: object = {}) {
  count += 1
  const id = `row-${count}`
  const url = `${millrace.httpUrl}/api:1/service/${id}/device2`
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await askJson(`${url}${path}`, { method, as: millrace.basic, body })
    return { status, body: json }
  }
  const { connectors } = millrace.platform.provisioning
  await connectors.create(millrace.businessId, {
    ...exampleConnector,
    id,
    selfRegistration: false,
  })
  const patch = async (body: unknown) => {
    const reply = await ask('PATCH', '', body)
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body
  }
  if (Object.keys(provisioning).length > 0) await patch({ provisioning })
  const host = `${id}.localhost`
  return {
    id,
    host,
    patch,
    put: (identity: string, body: object = {}) =>
      ask('PUT', `/identity/${encodeURIComponent(identity)}`, body),
    /** The short answer of a device that asks to be activated. */
    async device(identity: string, more = '') {
      const body = `id=${encodeURIComponent(identity)}${more}`
      const form = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' }
      const headers = { Host: host, ...form }
      const answer = await send(millrace.httpUrl, 'POST', '/provision/activate', headers, body)
      return { status: answer.status, body: answer.body }
    },
  }
}

/** A sentence for the operator that states the rule. */
function refused(reply: { status: number; body: Refusal }, says: RegExp): void {
  assert.equal(reply.status, 400)
  assert.equal(reply.body.code, 'invalid_argument')
  assert.match(reply.body.message, says)
}

describe('connector provisioning settings, a test for each row', () => {
  onPlatform()

  it('Authentication method: token by default, password, TLS client certificate', async () => {
    const { patch, put, device } = await connector()
    const typeNow = async () => (await patch({})).provisioning.auth_type
    assert.equal(await typeNow(), 'token')
    await put('a')
    await put('b')
    assert.match((await device('a')).body, /^[0-9a-f]{40}$/)
    await patch({ provisioning: { auth_type: 'password' } })
    assert.deepEqual(await device('b'), { status: 415, body: 'wrong_method' })
    assert.equal((await device('b', '&password=twenty%20bytes%20at%20least')).status, 204)
    await patch({ provisioning: { auth_type: 'certificate' } })
    assert.deepEqual(await device('c'), { status: 415, body: 'wrong_method' })
    const type = async (identity: string) => (await put(identity)).body.auth.type
    assert.deepEqual(
      [await type('a'), await type('b'), await type('c')],
      ['token', 'password', 'certificate'],
    )
  })

  it('Enable Developer Mode: off keeps every credential from plain connections', async () => {
    const { patch, put, device } = await connector()
    await put('a')
    await patch({ protocol: { devmode: false } })
    assert.deepEqual(await device('a'), { status: 403, body: 'plain_connection' })
    await patch({ protocol: { devmode: true } })
    assert.equal((await device('a')).status, 200)
    assert.equal((await put('a')).body.status, 'devmode')
  })

  it('Allow devices to register their own identity: unchecked, they must be listed', async () => {
    const { patch, put, device } = await connector()
    assert.deepEqual(await device('a'), { status: 404, body: 'unknown_identity' })
    await put('a')
    assert.equal((await device('a')).status, 200)
    await patch({ provisioning: { generate_identity: true } })
    assert.equal((await device('b')).status, 200)
    await patch({ provisioning: { generate_identity: false } })
    assert.deepEqual(await device('c'), { status: 404, body: 'unknown_identity' })
  })

  it('Restrict IP addresses: limits provisioning to a set of addresses', async () => {
    const { patch, put, device } = await connector({
      ip_whitelisting: { enabled: true, allowed: ['192.0.2.0/24', '2001:db8::/32'] },
    })
    await put('a')
    assert.deepEqual(await device('a'), { status: 403, body: 'address_not_allowed' })
    await patch({ provisioning: { ip_whitelisting: { enabled: false } } })
    assert.equal((await device('a')).status, 200)
  })

  it('returns a code to the device, and logs the sentence for the operator', async () => {
    const { id, patch, put, device } = await connector()
    await patch({ provisioning: { ip_whitelisting: { enabled: true, allowed: ['192.0.2.1'] } } })
    await put('told')
    assert.equal((await device('told')).body, 'address_not_allowed')
    const sentence = 'The connector provisions no devices from 127.0.0.1.'
    const url = `${millrace.httpUrl}/api:1/service/${id}/device2/logs`
    const deadline = Date.now() + 10_000
    for (;;) {
      const response = await fetch(url, { headers: { Authorization: millrace.basic } })
      const text = await response.text()
      if (text.includes(sentence) || Date.now() > deadline) {
        assert.ok(text.includes(sentence), text)
        return
      }
    }
  })

  it('leaves an activation by another connector’s settings alone', async () => {
    const strict = await connector({ ip_whitelisting: { enabled: true, allowed: [] } })
    const open = await connector({ generate_identity: true })
    assert.equal((await strict.device('a')).body, 'address_not_allowed')
    assert.equal((await activate(millrace.httpUrl, open.host, 'a')).status, 200)
  })
})

describe('connector settings of identities, a test for each row', () => {
  onPlatform()

  it('Identity Prefix: when set, every identity must start with it', async () => {
    const { patch, put, device } = await connector({ generate_identity: true })
    await patch({ identity_format: { prefix: 'AC-' } })
    refused(await put('7'), /^identity must start with AC-$/)
    assert.deepEqual(await device('7'), { status: 400, body: 'invalid_argument' })
    assert.equal((await put('AC-7')).status, 200)
    assert.equal((await device('AC-8')).status, 200)
  })

  const types: [type: string, good: string[], bad: string[], says: RegExp][] = [
    ['number', ['0', '0042'], ['4x', '-1', '٣'], /digits/],
    ['mac_colon', ['00:1b:44:11:3a:b7'], ['00-1b-44-11-3a-b7', '001b44113ab7'], /MAC/],
    ['mac_dash', ['00-1B-44-11-3A-B7'], ['00:1b:44:11:3a:b7'], /MAC/],
    ['mac_plain', ['001b44113ab7'], ['001b44113ab', 'g01b44113ab7'], /MAC/],
    [
      'uuid',
      ['9c5b94b1-35ad-49bb-b118-8e8fc24abf80'],
      ['9c5b94b1-35ad-19bb-b118-8e8fc24abf80'],
      /4/,
    ],
    ['opaque', ['anything: é, ../ and "quotes"'], ['a\u0000b'], /control/],
  ]
  for (const [type, good, bad, says] of types) {
    it(`Identity Type: ${type}, on the list and at the device's own registration`, async () => {
      const { patch, put, device } = await connector({ generate_identity: true })
      await patch({ identity_format: { type } })
      for (const identity of bad) {
        refused(await put(identity), says)
        assert.equal((await device(identity)).status, 400)
      }
      for (const identity of good) {
        assert.equal((await put(identity)).status, 200)
        assert.equal((await device(identity)).status, 200)
      }
    })
  }

  it('Identity Length: blank is unlimited; the prefix does not count', async () => {
    const { patch, put } = await connector()
    assert.equal((await put('x'.repeat(400))).status, 200)
    await patch({ identity_format: { prefix: 'AC-', options: { length: 4 } } })
    refused(await put('AC-123'), /^identity must have 4 characters after the prefix$/)
    refused(await put('AC-12345'), /4 characters/)
    assert.equal((await put('AC-1234')).status, 200)
    await patch({ identity_format: { options: { length: null } } })
    assert.equal((await put('AC-123')).status, 200)
  })
})
