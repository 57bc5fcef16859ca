import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { JsonObject } from '../../../../src/foundation/kernel/index.ts'
import { fedAsset } from '../../../fixtures/pipelines/fleets.ts'
import { allRun, fakeModule } from '../../../fixtures/pipelines.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import {
  definition,
  getHeader,
  info,
  level,
  type Market,
  openMarket,
  secret,
  secured,
  under,
} from '../../../fixtures/wire/market.ts'

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
type Case = readonly [
  what: string,
  change: JsonObject,
  parameters: JsonObject,
  query: string,
  headers: Readonly<Record<string, string>>,
]
const key = { type: 'apiKey', in: 'header', name: 'X-Key' }
const cases: readonly Case[] = [
  [
    'basic',
    { securityDefinitions: { a: { type: 'basic' } } },
    { username: 'ann', password: 'p:w' },
    '',
    { authorization: basic('ann:p:w') },
  ],
  [
    'basic, with the fields that it names',
    {
      info: info(secret('pin'), secret('who')),
      securityDefinitions: {
        a: { type: 'basic', 'x-vendor-user-field': 'who', 'x-exosite-secret-field': 'pin' },
      },
    },
    { who: 'ann', pin: '1' },
    '',
    { authorization: basic('ann:1') },
  ],
  [
    'a key in a header',
    { securityDefinitions: { a: key } },
    { 'X-Key': 'k' },
    '',
    { 'x-key': 'k' },
  ],
  [
    'a key from the parameter of its name',
    { info: info(secret('other'), secret('x_key')), securityDefinitions: { a: key } },
    { x_key: 'k', other: 'o' },
    '',
    { 'x-key': 'k' },
  ],
  [
    'a key from the only secret, with a prefix',
    {
      info: info(secret('pass'), level),
      securityDefinitions: { a: { ...key, name: 'Authorization', 'x-vendor-prefix': 'token' } },
    },
    { pass: 'k' },
    '',
    { authorization: 'token k' },
  ],
  [
    'a key in the query',
    { securityDefinitions: { a: { type: 'apiKey', in: 'query', name: 'api key' } } },
    { 'api key': 'a&b' },
    '?api+key=a%26b',
    {},
  ],
  [
    'both',
    { securityDefinitions: { a: key, b: { type: 'apiKey', in: 'query', name: 'q' } } },
    { 'X-Key': 'k', q: 'v' },
    '?q=v',
    { 'x-key': 'k' },
  ],
]

const basePaths = definition().paths as JsonObject

describe('the calls of a module that is used', () => {
  const context = suiteContext()
  let market: Market

  before(async () => {
    market = await openMarket(context)
  })

  for (const [what, change, parameters, query, headers] of cases) {
    it(`sends the credentials of its definition on every call: ${what}`, async (t) => {
      const fake = await fakeModule(t, secured(query))
      const { data, error } = await market.use(await market.publish(change, fake.url), parameters)
      assert.equal(error, undefined, JSON.stringify(error))
      await market.client.POST('/api:1/modules/{module}/check', under(data?.id))
      const calls = new Set(fake.requests.map(({ call }) => call))
      assert.deepEqual([...calls], [`GET /info${query}`, `POST /insights${query}`])
      for (const request of fake.requests) {
        assert.deepEqual(
          Object.fromEntries(Object.keys(headers).map((n) => [n, getHeader(request, n)])),
          headers,
        )
      }
    })
  }

  it('has a tracking id on each call', async (t) => {
    const fake = await fakeModule(t, secured())
    const { data } = await market.use(await market.publish({}, fake.url), {})
    await market.client.POST('/api:1/modules/{module}/check', under(data?.id))
    const ids = fake.requests.map((request) => getHeader(request, 'x-request-id'))
    assert.ok(ids.length >= 3)
    assert.equal(new Set(ids).size, ids.length)
    assert.ok(ids.every((id) => /^[a-z0-9]{10,}$/.test(String(id))))
  })

  it('fills parameters of operations: the business, and values of the configuration', async (t) => {
    const parameters = [
      { in: 'path', name: 'tenant', 'x-vendor-from': 'solution_id' },
      { in: 'header', name: 'X-Level', 'x-exosite-from': 'level' },
      { $ref: '#/parameters/Region' },
    ]
    const paths = {
      '/{solution_id}/{tenant}/info': { parameters, get: { operationId: 'info' } },
      '/insights': { post: { operationId: 'insights' } },
      '/process': { post: { operationId: 'process' } },
    }
    const region = { name: 'region', description: 'x', type: 'string' }
    const change = {
      info: info(level, region),
      paths,
      parameters: { Region: { in: 'query', name: 'region' } },
    }
    const id = market.instance.businessId
    const call = `GET /${id}/${id}/info?region=eu+1`
    const fake = await fakeModule(t, { [call]: { group_id_required: false } })
    const { error } = await market.use(await market.publish(change, fake.url), {
      level: 4,
      region: 'eu 1',
    })
    assert.equal(error, undefined, JSON.stringify(error))
    assert.equal(getHeader(fake.requests[0] ?? assert.fail(), 'x-level'), '4')
  })

  it('are not repeated where a module redirects to, nor are its credentials', async (t) => {
    const other = await fakeModule(t, secured())
    const away = (response: { writeHead(status: number, headers: object): { end(): void } }) =>
      response.writeHead(307, { location: `${other.url}/info` }).end()
    const fake = await fakeModule(t, { ...secured(), 'GET /info': away as never })
    const listing = await market.publish({ securityDefinitions: { a: key } }, fake.url)
    const { error } = await market.use(listing, { 'X-Key': 'k' })
    assert.match(error?.message ?? '', /The module answered 307/)
    assert.deepEqual(other.requests, [])
  })

  it('carry them when a value is processed and when a link is made', async (t) => {
    const { platform, view } = market.instance
    const fake = await fakeModule(t, {
      ...secured(),
      'GET /info': { group_id_required: false, wants_lifecycle_events: true },
      'POST /lifecycle': {},
    })
    const paths = { ...basePaths, '/lifecycle': { post: { operationId: 'lifecycle' } } }
    const listing = await market.publish({ paths, securityDefinitions: { a: key } }, fake.url)
    const { data } = await market.use(listing, { 'X-Key': 'k' })
    const { device, asset, signalId } = await fedAsset(market.instance, 'secured')
    await platform.pipelines.links.create(view, {
      assetId: asset.id,
      moduleId: data?.id ?? '',
      functionId: 'f',
      inlets: [{ signalId }],
    })
    await device.write('temperature=10')
    await allRun(platform)
    const keys = ['POST /lifecycle', 'POST /process'].map((call) => {
      const request = fake.requests.find((one) => one.call === call)
      return request && getHeader(request, 'x-key')
    })
    assert.deepEqual(keys, ['k', 'k'])
  })
})
