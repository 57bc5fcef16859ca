import { strict as assert } from 'node:assert'
import { before, describe, it, test } from 'node:test'
import { createClient } from '@millrace/client'
import type { JsonObject } from '../../../../src/foundation/kernel/index.ts'
import { fakeModule, insight, module, pipelinesFixture } from '../../../fixtures/pipelines.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import {
  addModule,
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

describe('the use of a published module', () => {
  const context = suiteContext()
  let market: Market

  before(async () => {
    market = await openMarket(context)
  })

  it('has the parameters that the definition declares, typed and required', async (t) => {
    const fake = await fakeModule(t, secured())
    const listing = await market.publish({ info: info(secret('token'), level) }, fake.url)
    const wrong: readonly [JsonObject, RegExp][] = [
      [{}, /^\/parameters\/token: it is required\.$/],
      [{ token: null }, /token: it is required/],
      [{ token: '' }, /token: it must be a text/],
      [{ token: 7, level: 1.5 }, /token: it must be a text.*level: it must be of the type integer/],
      [{ token: 'x', other: 1 }, /other: the module has no such parameter/],
      [{ token: 'a\r\nx: y' }, /none a control character/],
      [{ token: 'x'.repeat(4097) }, /1 to 4096 characters/],
    ]
    for (const [parameters, message] of wrong) {
      const { error } = await market.use(listing, parameters)
      assert.equal(error?.code, 'invalid_argument')
      assert.match(error?.message ?? '', message)
    }
    assert.equal(fake.requests.length, 0, 'it is not called before')
  })

  it('has no parameter that its definition hides, and needs none', async (t) => {
    const fake = await fakeModule(t, secured())
    const hidden = { ...(secret('inner') as JsonObject), 'x-exosite-restricted': true }
    const listing = await market.publish({ info: info(hidden, level) }, fake.url)
    const refused = await market.use(listing, { inner: 'x' })
    assert.match(refused.error?.message ?? '', /inner: the module has no such parameter/)
    const { data } = await market.use(listing, {})
    const shown = await market.client.GET('/api:1/modules/{module}', under(data?.id))
    assert.equal(shown.data?.parameters.map(({ name }) => name).join(), 'level')
  })

  it('keeps passwords sealed, and never shows them', async (t) => {
    const fake = await fakeModule(t, secured())
    const listing = await market.publish({ info: info(secret('token'), level) }, fake.url)
    const { data } = await market.use(listing, { token: 'very secret', level: 3 })
    const shown = await market.client.GET('/api:1/modules/{module}', under(data?.id))
    assert.deepEqual(
      shown.data?.parameters.map(({ name, isSet, value }) => [name, isSet, value]),
      [
        ['token', true, null],
        ['level', true, 3],
      ],
    )
    const rows = await market.instance.platform.database.rows<{ parameters: string }>(
      'select parameters from marketplace_use',
    )
    const sealed = rows.filter(({ parameters }) => parameters !== '')
    assert.ok(sealed.length > 0 && sealed.every(({ parameters }) => /^m1\./.test(parameters)))
    assert.ok(!JSON.stringify([rows, data, shown.data]).includes('very secret'))
  })

  it('is of each business, with its own values, at one public listing', async (t) => {
    const fake = await fakeModule(t, secured())
    const listing = await market.publish(
      {
        info: info(secret('X-Key')),
        securityDefinitions: { a: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      },
      fake.url,
    )
    const { token } = await market.instance.otherBusiness()
    const other = createClient({ url: market.instance.httpUrl, credential: { apiToken: token } })
    await addModule(market.client, listing, { 'X-Key': 'a' })
    const theirs = await addModule(other, listing, { 'X-Key': 'b' })
    const keys = fake.requests.map((request) => getHeader(request, 'x-key'))
    assert.deepEqual(keys, ['a', 'b'])
    const moved = await other.PATCH('/api:1/modules/{module}', {
      ...under(theirs.data?.id),
      body: { url: 'https://evil.example' },
    })
    assert.equal(moved.error?.code, 'forbidden')
    const removed = await market.client.DELETE('/api:1/listings/{listing}', {
      params: { path: { listing } },
    })
    assert.equal(removed.error?.code, 'in_use')
    assert.match(removed.error?.message ?? '', /1 modules of the business.*1 of other businesses/)
  })

  it('is configured anew', async (t) => {
    const fake = await fakeModule(t, secured())
    const listing = await market.publish({ info: info(level, secret('token')) }, fake.url)
    const { data } = await addModule(market.client, listing, { token: 'a' })
    const change = async (body: object) =>
      market.client.PATCH('/api:1/modules/{module}', { ...under(data?.id), body })
    const changed = await change({ name: 'Mine', parameters: { level: 2 } })
    assert.equal(changed.data?.name, 'Mine')
    assert.deepEqual(
      changed.data?.parameters.map(({ isSet, value }) => [isSet, value]),
      [
        [true, 2],
        [true, null],
      ],
    )
    const bare = await change({ parameters: { level: null } })
    assert.deepEqual(
      bare.data?.parameters.map(({ isSet }) => isSet),
      [false, true],
    )
    assert.equal((await change({ parameters: { token: null } })).error?.code, 'invalid_argument')
  })
})

describe('the secrets of the use of a published module', () => {
  const context = suiteContext()
  let market: Market

  before(async () => {
    market = await openMarket(context)
  })

  it('are for the origin that they were given for', async (t) => {
    const fake = await fakeModule(t, secured())
    const second = await fakeModule(t, secured())
    const keyed = {
      info: info(level, secret('X-Key')),
      securityDefinitions: { a: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    }
    const listing = await market.publish(keyed, fake.url)
    const { token } = await market.instance.otherBusiness()
    const other = createClient({ url: market.instance.httpUrl, credential: { apiToken: token } })
    const own = await addModule(market.client, listing, { 'X-Key': 'a', level: 3 })
    const theirs = await addModule(other, listing, { 'X-Key': 'b' })
    const change = (client: typeof other, id: string | undefined, body: object) =>
      client.PATCH('/api:1/modules/{module}', { ...under(id), body })
    const refused = await change(market.client, own.data?.id, { url: second.url })
    assert.equal(refused.error?.code, 'invalid_argument')
    assert.match(refused.error?.message ?? '', /X-Key: it was given for http:.* Give it again/)
    const parameters = { 'X-Key': 'c' }
    const moved = await change(market.client, own.data?.id, { url: second.url, parameters })
    assert.deepEqual(
      moved.data?.parameters.map(({ isSet, value }) => [isSet, value]),
      [
        [true, 3],
        [true, null],
      ],
    )
    const { data } = await other.POST('/api:1/modules/{module}/check', under(theirs.data?.id))
    assert.match(data?.failure ?? '', /X-Key of the module .* was given for http:/)
    const again = await change(other, theirs.data?.id, { parameters: { level: 1 } })
    assert.match(again.error?.message ?? '', /X-Key: it was given for/)
    await change(other, theirs.data?.id, { parameters: { 'X-Key': 'd' } })
    await other.POST('/api:1/modules/{module}/check', under(theirs.data?.id))
    const keys = second.requests.map((request) => getHeader(request, 'x-key'))
    assert.deepEqual([...new Set(keys)], ['c', 'd'])
  })

  it('stay secrets if the definition no longer calls them so', async (t) => {
    const fake = await fakeModule(t, secured())
    const listing = await market.publish({ info: info(secret('token')) }, fake.url)
    const { data } = await addModule(market.client, listing, { token: 'very secret' })
    const open = { ...(secret('token') as JsonObject), format: 'none' }
    const { error } = await market.client.PATCH('/api:1/listings/{listing}', {
      params: { path: { listing } },
      body: { definition: JSON.stringify(definition({ info: info(open) })), base: fake.url },
    })
    assert.equal(error, undefined)
    const shown = await market.client.GET('/api:1/modules/{module}', under(data?.id))
    assert.deepEqual(
      shown.data?.parameters.map(({ isSet, value }) => [isSet, value]),
      [[false, null]],
    )
  })
})

describe('the functions of a published module', () => {
  const context = suiteContext()

  it('are those that it lists now: its listing stays as it is', async (t) => {
    const market = await openMarket(context)
    const fake = await fakeModule(t, secured())
    const listing = await market.publish({}, fake.url)
    const shown = async () =>
      (await market.client.GET('/api:1/listings/{listing}', { params: { path: { listing } } })).data
    const before = await shown()
    const { data } = await market.use(listing, {})
    const { businessId, platform } = market.instance
    const names = async () => {
      await market.client.POST('/api:1/modules/{module}/refresh', under(data?.id))
      const found = await platform.pipelines.modules.functions(businessId, data?.id ?? '')
      return found.map(({ id, type }) => [id, type])
    }
    assert.deepEqual(await names(), [['f', 'transform']])
    fake.answer(module([insight('f', { type: 'rule' }), insight('g')]))
    assert.deepEqual(await names(), [
      ['f', 'rule'],
      ['g', 'transform'],
    ])
    assert.deepEqual(await shown(), before)
  })
})

test('a listing that was made with a module goes with it', async (t) => {
  const fake = await fakeModule(t, module([insight('f')]))
  const { database, pipelines, business } = await pipelinesFixture(t)
  const { id } = await pipelines.modules.add(business, { url: fake.url })
  const readRows = (table: string) =>
    database.rows(`select id from ${table} where business_id = $1`, [business])
  assert.equal((await readRows('marketplace_listing')).length, 1)
  await pipelines.modules.remove(business, id)
  assert.equal((await readRows('marketplace_listing')).length, 0)
  assert.equal((await readRows('pipelines_module')).length, 0)
})
