import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { httpPeer } from '../../../fixtures/http-client.ts'
import { type OwnPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'

let instance: OwnPlatform

/** Scripts of the instance may call no private address by themselves. */
const shareInstance = sharedBySuites(async (suite) => {
  instance = await testPlatform(suite, {
    own: 'allows no private address',
    config: { outboundAllow: [] },
  })
})

const ask = (method: string, path: string) =>
  askJson(`${instance.httpUrl}/api:1${path}`, { method, as: instance.operator })

describe('private addresses of a business, by the operator', () => {
  shareInstance()

  const entry = (address: string, business = instance.businessName) =>
    `/businesses/${business}/outbound/${encodeURIComponent(address)}`
  const listed = async (business = instance.businessName) =>
    (await ask('GET', `/businesses/${business}/outbound`)).json.addresses

  it('are allowed at once, listed in one spelling, and forbidden again', async (t) => {
    const server = await httpPeer(t)
    const call = await solutionThatCalls(server.url)
    assert.match(String(await call()), /does not allow calls/)
    assert.equal((await ask('PUT', entry(server.host))).status, 204)
    assert.equal(await call(), 200)
    assert.equal((await ask('PUT', entry(server.host))).status, 204, 'again')
    assert.equal((await ask('PUT', entry('[FD00:0::5]:*'))).status, 204)
    assert.deepEqual(new Set((await listed()) as string[]), new Set([server.host, '[fd00::5]:*']))
    assert.deepEqual(await listed(instance.businessId), await listed())
    for (const address of [server.host, '[fd00:0:0::5]:*']) {
      assert.equal((await ask('DELETE', entry(address))).status, 204)
    }
    assert.match(String(await call()), /does not allow calls/)
    assert.deepEqual(await listed(), [])
  })

  it('are refused if they are none, or of no business', async () => {
    for (const wrong of ['*:*', '10.0.0.5', '10.0.0.0/8:80', 'x:0']) {
      const { status, json } = await ask('PUT', entry(wrong))
      assert.deepEqual([status, json.code], [400, 'invalid_argument'], wrong)
    }
    const missing = await ask('DELETE', entry('10.0.0.5:80'))
    assert.deepEqual([missing.status, missing.json.code], [404, 'not_found'])
    for (const method of ['PUT', 'DELETE']) {
      const nobody = await ask(method, entry('10.0.0.5:80', 'Nobody'))
      assert.deepEqual([nobody.status, nobody.json.code], [404, 'not_found'])
    }
    assert.equal((await ask('GET', '/businesses/Nobody/outbound')).status, 404)
  })
})

/** A handler that calls a URL. Returns a function that runs it, for the status or the error. */
async function solutionThatCalls(url: string): Promise<() => Promise<unknown>> {
  const { platform, businessId } = instance
  const { scripting } = platform
  await scripting.solutions.create(businessId, { id: 'pump', name: 'Pump' })
  const key = { kind: 'handler', name: 'probe_call' } as const
  const source = 'local r = Http.get{url = event.url}; return r.status_code or r.error'
  await scripting.scripts.put(businessId, 'pump', key, source)
  const about = { businessId, solutionId: 'pump', service: 'probe', event: 'call' }
  return async () => {
    const ended = await scripting.api.run(Object.assign({ argument: { url } }, about))
    return ended.kind === 'returned' ? ended.value : ended
  }
}

describe('the ledger over the API, for the operator', () => {
  shareInstance()

  it('has the counts of each stage and hour, newest first', async () => {
    const { platform, connector } = instance
    const origin = { ip: '127.0.0.1', protocol: 'http', encrypted: false }
    await platform.provisioning.activate(connector, 'a', origin)
    const { status, json } = await ask('GET', '/ledger')
    assert.equal(status, 200)
    const hours = json.hours as Readonly<Record<string, number | string>>[]
    const log = hours.find(({ stage }) => stage === 'log')
    const { hour, ...counts } = log ?? {}
    assert.deepEqual(counts, { stage: 'log', in: 1, out: 1, failed: 0 })
    assert.ok(Number(hour) % 3_600_000_000 === 0 && Number(hour) / 1_000 <= Date.now())
    const first = await ask('GET', '/ledger?limit=1')
    assert.deepEqual(first.json.hours, hours.slice(0, 1))
  })
})
