import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { runsCommands } from '../../../fixtures/commands/command-line.ts'
import { type TestPlatform, testPlatform, unique } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const key = 'k'.repeat(32)
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

type Settings = {
  readonly schema: { readonly properties: Record<string, Record<string, unknown>> } | null
  readonly values: Record<string, unknown>
  readonly secrets_set: readonly string[]
  readonly has_triggers: boolean
}

type Answered = {
  readonly id?: string
  readonly change_notes?: readonly string[]
  readonly status?: number
  readonly message?: string
}

describe('settings of the services of a solution', () => {
  const suite = suiteContext()
  let instance: TestPlatform
  const [pumps, readers] = [unique('pumps'), unique('readers')] as const
  const noted = unique('noted')

  before(async () => {
    instance = await testPlatform(suite)
    const { businessId, platform } = instance
    const { solutions, configurations } = platform.scripting
    for (const id of [pumps, readers, noted]) await solutions.create(businessId, { id, name: id })
    const parameters = [{ name: 'days', type: 'integer', description: 'How long.' }]
    const body = { parameters, events: [] }
    await configurations.add(businessId, pumps, { service: 'interface', body })
  })

  const add = async (service: string, body: object = {}) => {
    const { scripting } = instance.platform
    const wanted = { service, body: body as Record<string, unknown> }
    return (await scripting.configurations.add(instance.businessId, readers, wanted)).id
  }
  const send = (solution: string, path: string, method: string, body?: object) =>
    fetch(`${instance.httpUrl}/api:1/solution/${solution}/serviceconfig${path}`, {
      method,
      headers: { authorization: instance.basic, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const call = async (id: string, method = 'GET', parameters?: object) => {
    const path = method === 'GET' ? `/${id}/settings` : `/${id}`
    const body = parameters === undefined ? undefined : { parameters }
    const answer = await send(readers, path, method, body)
    const text = await answer.text()
    return {
      status: answer.status,
      text,
      json: JSON.parse(text) as Settings & { message?: string },
    }
  }
  const ask = async (...asked: Parameters<typeof send>) =>
    (await (await send(...asked)).json()) as Answered

  it('have a schema with titles and limits, and name the secrets that are set', async () => {
    const id = await add('webservice', { api_keys: { 'line-1': key }, rate_limit: 60 })
    const { text, json } = await call(id)
    const { rate_limit: rate = {}, api_keys: keys = {} } = json.schema?.properties ?? {}
    assert.match(JSON.stringify(rate), /"title":"Rate limit".*"minimum":0,"maximum":\d+/)
    assert.match(JSON.stringify(keys), /"writeOnly":true/)
    assert.deepEqual(json.secrets_set, ['/api_keys/line-1'])
    assert.deepEqual([json.values.rate_limit, json.has_triggers], [60, false])
    assert.equal(text.includes(key), false)
    assert.doesNotMatch(text, /"rule"|"~/, 'keywords of our own')
  })

  it('of the HTTP client and of notifications hide what is secret', async () => {
    const http = await call(await add('http', { credentials: 'token=s3cret' }))
    assert.deepEqual(http.json.secrets_set, ['/credentials'])
    assert.match(JSON.stringify(http.json.schema?.properties.sslOptions), /"writeOnly":true/)
    const sms = { provider: 'webhook', Url: 'https://a.example', Secret: secret }
    const id = await add('notification', { AuthToken: 's3cret', Providers: { sms } })
    const shown = await call(id)
    assert.deepEqual(shown.json.secrets_set, ['/AuthToken', '/Providers/sms/Secret'])
    assert.doesNotMatch(http.text + shown.text, /s3cret|whsec_[A-Za-z0-9]/)
    const refused = await call(id, 'PATCH', { Providers: { sms: { ...sms, Url: 'ftp://a' } } })
    assert.match(refused.json.message ?? '', /^Providers\.sms\.Url must be a URL/)
    const change = { AuthToken: null, Providers: { sms: null } }
    assert.equal((await call(id, 'PATCH', change)).status, 200)
    assert.deepEqual((await call(id)).json.secrets_set, [])
  })

  const paths = { '/a': { get: { operationId: 'getA' } } }
  const doubtful = [
    ['http', { credentials: 'token=s3cret' }, /^credentials without hosts are sent wherever /],
    [
      'webservice',
      { security: ['basic'], security_schemes: [{ type: 'http', scheme: 'basic' }] },
      /^security demands a credential of endpoints without --#SECURITY/,
    ],
    ['openapi', { definition: { openapi: '3.1.0', paths } }, /^the file names no server/],
  ] as const
  for (const [service, parameters, note] of doubtful) {
    it(`of ${service} that may not be meant are noted by each change`, async () => {
      const added = await ask(noted, '', 'POST', { service, parameters })
      const place = `/${added.id}`
      const changed = await ask(noted, place, 'PUT', { parameters })
      for (const { change_notes: notes } of [added, changed]) {
        assert.equal(notes?.length, 1)
        assert.match(notes?.[0] ?? '', note)
      }
      const words = ['--solution', noted, '--key', service, '--config', JSON.stringify(parameters)]
      const { stderr } = await runsCommands(instance)('solution', 'service', 'set', ...words)
      assert.match(stderr, note)
      assert.equal((await ask(noted, place, 'GET')).change_notes, undefined)
      const { status, message } = await ask(noted, place, 'PATCH', changed)
      assert.equal(status, undefined, message)
    })
  }

  it('are those that an exposed solution declares, and none of a service without any', async () => {
    const subscribed = await call(await add(pumps, { parameters: { days: 3 } }))
    const days = { type: 'integer', description: 'How long.' }
    assert.deepEqual(subscribed.json.schema?.properties, { days })
    assert.deepEqual([subscribed.json.values, subscribed.json.has_triggers], [{ days: 3 }, true])
    const none = await call(await add('keystore'))
    assert.deepEqual(none.json.schema?.properties, {})
    assert.equal((await call('11111111-1111-4111-8111-111111111111')).status, 404)
  })
})
