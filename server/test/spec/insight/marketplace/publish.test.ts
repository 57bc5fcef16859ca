import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { createClient, type MillraceClient } from '@millrace/client'
import type { JsonObject } from '../../../../src/foundation/kernel/index.ts'
import { fakeModule } from '../../../fixtures/pipelines.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { definition, without } from '../../../fixtures/wire/market.ts'

const one = (listing: string) => ({ params: { path: { listing } } })

const text = (change?: JsonObject) => JSON.stringify(definition(change))

/** A client of a business of its own on the instance. */
async function otherClient(instance: TestPlatform): Promise<MillraceClient> {
  const { token } = await instance.otherBusiness()
  return createClient({ url: instance.httpUrl, credential: { apiToken: token } })
}

describe('an insight module that is published', () => {
  const context = suiteContext()
  let instance: TestPlatform
  let client: MillraceClient

  before(async () => {
    instance = await testPlatform(context)
    client = createClient({ url: instance.httpUrl, credential: { apiToken: instance.token } })
  })

  const post = (body: object) => client.POST('/api:1/listings', { body })

  it('is read at a URL of any path, with any wrong host if a base is given', async (t) => {
    const wrong = definition({ host: '&domain&', basePath: '/latest' })
    const fake = await fakeModule(t, { 'GET /docs/api-docs?v=2': wrong })
    const definitionUrl = `${fake.url}/docs/api-docs?v=2`
    const refused = await post({ definitionUrl })
    assert.deepEqual(
      refused.error?.problems?.map(({ pointer }) => pointer),
      ['/host'],
    )
    const { data } = await post({ definitionUrl, base: `${fake.url}/v2` })
    assert.deepEqual([data?.base, data?.definitionUrl], [`${fake.url}/v2`, definitionUrl])
    assert.equal(data?.givenBase, `${fake.url}/v2`)
  })

  it('is published by whom and when', async () => {
    const { data } = await post({ definition: text(), name: 'Mine' })
    assert.equal(data?.name, 'Mine')
    assert.match(data?.publishedBy ?? '', /^token:/)
    assert.ok(Math.abs((data?.publishedAt ?? 0) / 1_000 - instance.clock.nowMs()) < 600_000)
  })

  it('names https; http is for loopback alone', async () => {
    for (const base of ['http://insight.example.com', 'http://10.0.0.7:80/', 'ftp://127.0.0.1']) {
      const { error } = await post({ definition: text(), base })
      assert.equal(error?.code, 'invalid_argument', base)
    }
    const fetched = await post({ definitionUrl: 'http://insight.example.com/swagger.yaml' })
    assert.match(fetched.error?.message ?? '', /http: on loopback only/)
    for (const body of [
      { definitionUrl: 'http://127.0.0.2:9/swagger.yaml' },
      { definition: text(), base: 'http://127.0.0.2:9' },
      { definition: text({ host: '10.0.0.7:8443' }) },
      { definition: text(), base: 'http://[::1]:9' },
    ]) {
      assert.equal((await post(body)).error?.code, 'address_refused', JSON.stringify(body))
    }
  })

  it('may be at an address, or not: the instance says which', async () => {
    const ask = async (url: string) =>
      (await client.GET('/api:1/module-address', { params: { query: { url } } })).data
    for (const url of ['http://127.0.0.1:9401/x', 'http://localhost:1', 'https://m.example']) {
      assert.deepEqual(await ask(url), { allowed: true, reason: null })
    }
    const refused: readonly [url: string, reason: RegExp][] = [
      ['http://127.0.0.2:9401', /MILLRACE_OUTBOUND_ALLOW=127\.0\.0\.2:9401/],
      ['https://192.168.1.7', /does not allow calls to 192\.168\.1\.7/],
      ['https://192.168.1.7', /MILLRACE_OUTBOUND_ALLOW=192\.168\.1\.7:443/],
      ['http://m.example', /http: on loopback only/],
      ['m.example', /have the form https/],
    ]
    for (const [url, reason] of refused) {
      const found = await ask(url)
      assert.equal(found?.allowed, false)
      assert.match(found?.reason ?? '', reason)
    }
  })

  it('is neither of two definitions nor of none', async () => {
    for (const body of [{}, { definition: text(), definitionUrl: 'https://a.example/x' }]) {
      assert.equal((await post(body)).error?.code, 'invalid_argument')
    }
  })

  it('is refused if its URL answers with a failure', async (t) => {
    const fake = await fakeModule(t)
    const { error } = await post({ definitionUrl: `${fake.url}/x` })
    assert.deepEqual([error?.code, error?.status], ['module_failed', 502])
    assert.match(error?.message ?? '', /404/)
  })

  it('may break rules for its business alone', async () => {
    const odd = JSON.stringify(without('tags'))
    const { data } = await post({ definition: odd, tolerant: true })
    assert.deepEqual(
      data?.problems.map(({ pointer }) => pointer),
      ['/tags'],
    )
    const shared = await post({ definition: odd, tolerant: true, visibility: 'public' })
    assert.equal(shared.error?.code, 'definition_refused')
    const later = { ...one(data?.id ?? ''), body: { visibility: 'public' as const } }
    const changed = await client.PATCH('/api:1/listings/{listing}', later)
    assert.deepEqual(
      changed.error?.problems?.map(({ pointer }) => pointer),
      ['/tags'],
    )
  })
})

describe('the listing of a published module', () => {
  const context = suiteContext()
  let client: MillraceClient
  let other: MillraceClient

  before(async () => {
    const instance = await testPlatform(context)
    client = createClient({ url: instance.httpUrl, credential: { apiToken: instance.token } })
    other = await otherClient(instance)
  })

  const post = (body: object) => client.POST('/api:1/listings', { body })

  it('is private to its business, or public to all', async () => {
    const { data } = await post({ definition: text(), name: 'Shared' })
    const id = data?.id ?? ''
    const seen = async () => (await other.GET('/api:1/listings')).data?.listings.map((l) => l.id)
    assert.ok(!(await seen())?.includes(id))
    assert.equal((await other.GET('/api:1/listings/{listing}', one(id))).error?.code, 'not_found')
    await client.PATCH('/api:1/listings/{listing}', {
      ...one(id),
      body: { visibility: 'public' },
    })
    assert.ok((await seen())?.includes(id))
    const found = (await other.GET('/api:1/listings/{listing}', one(id))).data
    assert.deepEqual([found?.own, found?.publishedBy, found?.definition], [false, null, text()])
    const change = await other.PATCH('/api:1/listings/{listing}', { ...one(id), body: {} })
    assert.equal(change.error?.code, 'not_found', 'only its owner changes it')
    assert.equal(
      (await other.DELETE('/api:1/listings/{listing}', one(id))).error?.code,
      'not_found',
    )
    assert.equal((await client.DELETE('/api:1/listings/{listing}', one(id))).response.status, 204)
    assert.equal((await client.GET('/api:1/listings/{listing}', one(id))).error?.code, 'not_found')
  })

  it('moves to another host, and back to the one of its file', async () => {
    const { data } = await post({ definition: text() })
    const id = data?.id ?? ''
    const change = async (body: object) =>
      (await client.PATCH('/api:1/listings/{listing}', { ...one(id), body })).data
    assert.equal((await change({ base: 'https://new.example' }))?.base, 'https://new.example/')
    const next = await change({ definition: text({ host: '&domain&' }) })
    assert.equal(next?.base, 'https://new.example/', 'the base beside the file counts')
    const renamed = await change({ definition: text({ host: 'third.example' }), base: null })
    assert.deepEqual([renamed?.base, renamed?.givenBase], ['https://third.example/v1', null])
    assert.equal((await change({ name: 'Third' }))?.base, 'https://third.example/v1')
  })

  it('is listed by page', async () => {
    for (const name of ['p1', 'p2', 'p3']) await post({ definition: text(), name })
    const page = async (query: object) =>
      (await client.GET('/api:1/listings', { params: { query } })).data?.listings ?? []
    const all = await page({})
    assert.deepEqual(await page({ limit: 2, offset: 1 }), all.slice(1, 3))
  })
})
