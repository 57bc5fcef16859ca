import { strict as assert } from 'node:assert'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { atEnd } from '../../../fixtures/ends.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

describe('the operator of the instance', () => {
  const context = suiteContext()
  let instance: TestPlatform
  let authorization: string

  before(async () => {
    instance = await testPlatform(context, { own: 'has one business, without a name' })
    authorization = instance.operator
  })

  const ask = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    fetch(`${instance.httpUrl}${path}`, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  it('has a credential in the data directory, which only its owner can read', () => {
    const { url } = readOperator(instance)
    assert.equal(url, instance.httpUrl)
    assert.equal(statSync(operatorPath(instance)).mode & 0o777, 0o600)
  })

  it('works in the only business without naming it', async () => {
    const reply = await ask('GET', '/api:1/whoami', { authorization })
    const caller = (await reply.json()) as { business: { id: string }; subject: string }
    assert.equal(caller.business.id, instance.businessId)
    assert.equal(caller.subject, 'operator')
  })

  it('creates businesses, and then names the one that it means', async () => {
    const wanted = { name: 'Größe', email: 'a@example.org', password: 'a long phrase' }
    const made = await ask('POST', '/api:1/businesses', { authorization }, wanted)
    assert.equal(made.status, 201)
    const { id } = (await made.json()) as { id: string }
    const unnamed = await ask('GET', '/api:1/whoami', { authorization })
    assert.equal(unnamed.status, 400)
    const headers = { authorization, 'millrace-business': encodeURIComponent('Größe') }
    const named = await ask('GET', '/api:1/whoami', headers)
    assert.equal(((await named.json()) as { business: { id: string } }).business.id, id)
    const unknown = await ask('GET', '/api:1/whoami', { authorization, 'millrace-business': 'no' })
    assert.equal(unknown.status, 404)
  })

  it('creates no business whose first account is refused', async () => {
    const wanted = { name: 'Half', email: 'no address', password: 'a long phrase' }
    const refused = await ask('POST', '/api:1/businesses', { authorization }, wanted)
    assert.equal(refused.status, 400)
    const mended = Object.assign({}, wanted, { email: 'half@example.org' })
    assert.equal((await ask('POST', '/api:1/businesses', { authorization }, mended)).status, 201)
  })

  it('needs no business for a path with a connector', async () => {
    const path = `/api:1/service/${instance.connector.id}/device2`
    assert.equal((await ask('GET', path, { authorization })).status, 200)
    const unknown = await ask('GET', '/api:1/service/nobody/device2', { authorization })
    assert.equal(unknown.status, 404)
    assert.match(await unknown.text(), /there is no such connector/)
  })

  it('is nobody with another token', async () => {
    const wrong = await ask('GET', '/api:1/businesses', {
      authorization: `Operator ${'x'.repeat(40)}`,
    })
    assert.equal(wrong.status, 401)
  })

  it('loses its credential when the process ends', async (t) => {
    let path = ''
    // The function that was handed over first runs last.
    atEnd(t, async () => assert.ok(!existsSync(path)))
    path = operatorPath(await testPlatform(t, { own: 'stops the instance' }))
    assert.ok(existsSync(path))
  })
})

function operatorPath({ platform }: TestPlatform): string {
  return join(platform.config.dataDir, 'operator.json')
}

function readOperator(instance: TestPlatform): { url: string; token: string } {
  return JSON.parse(readFileSync(operatorPath(instance), 'utf8'))
}
