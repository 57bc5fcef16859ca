import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { it, type TestContext } from 'node:test'
import type { ProcessRequest } from '@millrace/insight-sdk/protocol'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { allRun, fakeModule, insight, module } from '../../../fixtures/pipelines.ts'
import { testPlatform } from '../../../fixtures/platform.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'

type FailedCall = { readonly id: string; readonly request: ProcessRequest }

/** An asset with a function of a module that fails, and three of its calls. */
async function threeFailedCalls(t: TestContext) {
  const { platform, businessId, connector, httpUrl, token } = await testPlatform(t)
  const { assets, pipelines } = platform
  const fake = await fakeModule(t, {
    ...module([insight('f')]),
    'POST /process': (response) => void response.writeHead(500).end('{"message":"no"}'),
  })
  const { id: moduleId } = await pipelines.modules.add(businessId, { url: fake.url })
  const device = await newDevice(httpUrl, connector.id, 'pump-1')
  const asset = await assets.create(wholeView(businessId), {
    name: 'Pump',
    device: { connectorId: connector.id, identity: 'pump-1' },
    signals: [{ name: 'Heat', primitiveType: 'NUMERIC', source: { alias: 'temperature' } }],
  })
  const [signal] = await assets.signals.ofAssets(wholeView(businessId), [asset.id])
  const inlets = [{ signalId: signal?.id ?? '' }]
  const given = { assetId: asset.id, moduleId, functionId: 'f', name: 'F', inlets }
  const link = await pipelines.links.create(wholeView(businessId), given)
  for (const value of [1, 2, 3]) {
    await device.write(`temperature=${value}`)
    await allRun(platform)
  }
  const values = async () => {
    const history = await assets.history(wholeView(businessId), link.outlets[0] ?? '', {
      order: 'asc',
    })
    return history.map(({ value }) => value)
  }
  const ask = asking(httpUrl, token)
  const deleteAt = deleting(httpUrl, token)
  return { platform, fake, asset, link, values, ask, deleteAt }
}

/** Sends a path as it is, and returns the status. */
function deleting(httpUrl: string, token: string) {
  return async (end: string) => {
    const headers = { authorization: `Automation ${token}` }
    const path = `/api:1/failed-calls${end}`
    const sent = request(httpUrl, { method: 'DELETE', path, headers }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
}

const asking =
  (httpUrl: string, token: string) =>
  (method: string, path = '', body?: object) =>
    askJson(`${httpUrl}/api:1/failed-calls${path}`, { method, body, as: `Automation ${token}` })

function withValue({ request: { data } }: FailedCall, value: number) {
  return { data: data.map((one) => ({ ...one, value })) }
}

it('lists calls of functions that failed, and shows one with its request', async (t) => {
  const { fake, asset, link, ask, deleteAt } = await threeFailedCalls(t)
  const page = (await ask('GET', '?limit=2')).json
  assert.deepEqual([page.calls.length, page.mayLoadMore], [2, true])
  const rest = (await ask('GET', `?before=${page.before}`)).json
  assert.deepEqual([rest.calls.length, rest.mayLoadMore], [1, false])
  assert.equal((await ask('GET', '?before=x')).status, 400)
  const [{ id }] = rest.calls
  const {
    request: sent,
    tracking_id,
    created_at,
    failed_at,
    ...shown
  } = (await ask('GET', `/${id}`)).json
  assert.deepEqual(sent, fake.bodies('POST /process')[0])
  assert.deepEqual([typeof tracking_id, created_at <= failed_at], ['string', true])
  assert.deepEqual(shown, {
    id,
    asset: asset.id,
    link: link.id,
    link_name: 'F',
    module: link.moduleId,
    function: 'f',
    error: { code: 'module_failed', reason: 'The module answered 500: no' },
    tries: 1,
  })
  for (const end of ['/', '//', '/?a=1', '//?a=1', '/#a', '//#']) {
    assert.match(`${await deleteAt(end)}`, /^40[04]$/, `an empty id deletes nothing: ${end}`)
  }
  assert.deepEqual((await ask('DELETE')).json, { discarded: 3 })
})

it('lists those of an asset or of a link', async (t) => {
  const { asset, link, ask } = await threeFailedCalls(t)
  const count = async (query: string) => (await ask('GET', query)).json.calls.length
  assert.equal(await count(`?asset=${asset.id}`), 3)
  assert.equal(await count(`?asset=${asset.id.slice(1)}`), 0)
  assert.equal(await count(`?link=${link.id}`), 3)
  assert.equal(await count('?link=other'), 0)
  assert.equal(await count(`?asset=${asset.id}&link=${link.id}`), 3)
  assert.equal(await count(`?asset=other&link=${link.id}`), 0)
  const page = (await ask('GET', `?link=${link.id}&asset=${asset.id}&limit=2`)).json
  assert.equal(page.mayLoadMore, true)
  assert.equal(await count(`?link=${link.id}&asset=${asset.id}&before=${page.before}`), 1)
  assert.equal((await ask('GET', '?link=%00')).status, 400)
})

it('calls of functions that failed are corrected, and made again', async (t) => {
  const { platform, fake, values, ask } = await threeFailedCalls(t)
  fake.answer({
    'POST /process': (response, body) => {
      response.end(JSON.stringify([(body as ProcessRequest).data]))
    },
  })
  const [third, , first] = (await ask('GET')).json.calls as FailedCall[]
  assert.ok(first && third)
  const corrected = withValue(first, 10)
  assert.equal((await ask('PUT', `/${first.id}`, { data: [{}] })).status, 400)
  assert.equal((await ask('PUT', '/none', corrected)).status, 404)
  assert.equal((await ask('PUT', `/${first.id}`, corrected)).status, 204)
  assert.deepEqual((await ask('GET', `/${first.id}`)).json.request.data, corrected.data)
  assert.equal((await ask('POST', `/${first.id}/retry`)).status, 204)
  assert.equal((await ask('POST', `/${third.id}/retry`, withValue(third, 30))).status, 204)
  await allRun(platform)
  assert.deepEqual((await ask('POST', '/retry')).json, { retried: 1 })
  await allRun(platform)
  assert.deepEqual(await values(), [10, 2, 30])
  assert.deepEqual((await ask('GET')).json.calls, [])
})
