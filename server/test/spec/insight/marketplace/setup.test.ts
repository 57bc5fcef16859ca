import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { JsonObject } from '../../../../src/foundation/kernel/index.ts'
import { until } from '../../../fixtures/engine.ts'
import { fakeModule } from '../../../fixtures/pipelines.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import {
  definition,
  getHeader,
  info,
  type Market,
  openMarket,
  secret,
  secured,
  under,
} from '../../../fixtures/wire/market.ts'

const paths = (more: JsonObject): JsonObject => ({
  ...(definition().paths as JsonObject),
  ...more,
})
const withSetup: JsonObject = {
  'x-vendor-init': 'begin',
  'x-vendor-gc': 'end',
  info: info(secret('token')),
  securityDefinitions: { a: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  paths: paths({
    '/tenants/{solution_id}': { post: { operationId: 'begin' }, delete: { operationId: 'end' } },
  }),
}

describe('the operations init and gc of a module', () => {
  const context = suiteContext()
  let market: Market

  before(async () => {
    market = await openMarket(context)
  })

  it('are called when its use begins and ends, also after a time without it', async (t) => {
    const path = `/tenants/${market.instance.businessId}`
    let away = 2
    const fake = await fakeModule(t, {
      ...secured(),
      [`POST ${path}`]: (response) => void response.writeHead(away-- > 0 ? 503 : 200).end(),
      [`DELETE ${path}`]: (response) => void response.writeHead(205).end(),
    })
    const listing = await market.publish(withSetup, fake.url)
    const { data } = await market.use(listing, { token: 'k' })
    const calls = (call: string) => fake.requests.filter((one) => one.call === call)
    await market.client.DELETE('/api:1/modules/{module}', under(data?.id))
    await until(async () => calls(`DELETE ${path}`).length === 1)
    const init = calls(`POST ${path}`)
    assert.equal(init.length <= 3, true)
    const [end = assert.fail()] = calls(`DELETE ${path}`)
    assert.equal(getHeader(end, 'x-key'), 'k', 'with the credentials of the use that is gone')
  })

  it('keeps an init that failed among the failed calls, to be made again', async (t) => {
    const path = `/tenants/${market.instance.businessId}`
    const fake = await fakeModule(t, {
      ...secured(),
      [`POST ${path}`]: (response) => void response.writeHead(400).end('{"message":"no room"}'),
    })
    await market.use(await market.publish(withSetup, fake.url), { token: 'k' })
    const failed = async () => (await market.client.GET('/api:1/failed-calls')).data?.calls ?? []
    await until(async () => (await failed()).length === 1)
    const [call] = await failed()
    assert.match(call?.error.reason ?? '', /^init of the module "Secured": .*no room/)
    assert.deepEqual([call?.asset, call?.link], ['', null])
    fake.answer({ [`POST ${path}`]: {} })
    const retry = { params: { path: { id: call?.id ?? '' } } }
    await market.client.POST('/api:1/failed-calls/{id}/retry', retry)
    await until(async () => (await failed()).length === 0)
    const ids = fake.requests
      .filter((one) => one.call === `POST ${path}`)
      .map((request) => getHeader(request, 'x-request-id'))
    assert.deepEqual([...new Set(ids)], [call?.tracking_id], 'the same call')
    assert.deepEqual(fake.bodies(`POST ${path}`).at(-1), { token: 'k' })
  })
})
