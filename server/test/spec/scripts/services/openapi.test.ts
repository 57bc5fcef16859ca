import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openapiLimits } from '../../../../src/scripts/services/openapi/index.ts'
import { type EndpointsFixture, endpointsFixture } from '../../../fixtures/endpoints.ts'
import { type HttpPeer, httpPeer, type ReceivedRequest } from '../../../fixtures/http-client.ts'
import { until } from '../../../fixtures/interface.ts'
import type { OwnPlatform } from '../../../fixtures/platform.ts'
import { assertFault, assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

let fixture: EndpointsFixture<OwnPlatform>
let cloud: HttpPeer
let tokens = 0
/** The answers of the cloud by path; else 200 with what it was sent. */
const answers = new Map<string, { status: number; type?: string; text: string }>()

const onCloud = sharedBySuites(async (suite) => {
  cloud = await httpPeer(suite, (response, received) => {
    const one = received as unknown as ReceivedRequest
    const path = one.url.split('?')[0] ?? ''
    if (path === '/token') {
      tokens += 1
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ access_token: `token-${tokens}`, expires_in: 3600 }))
      return
    }
    const { status = 200, type = 'application/json', text } = answers.get(path) ?? {}
    response.writeHead(status, { 'content-type': type })
    const said = { method: one.method, url: one.url, body: one.body.toString('utf8') }
    response.end(text ?? JSON.stringify(said))
  })
  fixture = await endpointsFixture(suite, { movesClock: true })
})

const makeDocument = (base: string) => `openapi: 3.0.3
info: { title: Weather, version: "1" }
servers:
  - url: ${base}v1
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    pair: { type: http, scheme: basic }
    app: { type: oauth2, flows: { clientCredentials: { tokenUrl: "${base}token", scopes: {} } } }
  parameters:
    days: { name: days, in: query, schema: { type: integer } }
security: [{ key: [] }]
paths:
  /cities/{city}/forecast:
    get:
      operationId: getForecast
      parameters:
        - { name: city, in: path, required: true, schema: { type: string } }
        - { $ref: "#/components/parameters/days" }
        - { name: tags, in: query, schema: { type: array } }
        - { name: X-Unit, in: header, schema: { type: string } }
  /alerts:
    post:
      operationId: addAlert
      security: [{ app: [alerts] }]
      requestBody: { required: true, content: { application/json: {} } }
      callbacks:
        alarm: { "{$request.body#/callbackUrl}": { post: {} } }
  /secret:
    get: { operationId: getSecret, security: [{ pair: [] }] }
  /open:
    get: { operationId: getOpen, security: [] }
  /nameless:
    get: {}
`

const push = (text: string, more: Record<string, string> = {}) =>
  fixture.push({ 'services/weather.yaml': text, ...more })

async function run(source: string): Promise<unknown> {
  assertStatus(await fixture.pump('PUT', '/script/user_call', { source }), 200)
  const ran = await fixture.handle('user_call')
  return ran.outcome === 'returned' ? ran.result : ran
}

const configuration = () => fixture.service('weather')
const change = async (body: object) =>
  fixture.pump('PATCH', `/serviceconfig/${(await configuration()).id}`, body)

const secrets = {
  key: 'the-key',
  pair: { username: 'ann', password: 'pass:word' },
  app: { client_id: 'me', client_secret: 'hidden' },
}

describe('a service that an OpenAPI file of the solution describes', () => {
  onCloud()

  it('is pushed as it is, and an operation without an id is noted', async () => {
    const pushed = await push(makeDocument(cloud.url))
    assertStatus(pushed, 200)
    assert.deepEqual(pushed.json.services.added, ['weather'])
    const notes = pushed.json.notes.map(({ message }: { message: string }) => message)
    assert.deepEqual(notes, ['GET /nameless has no operationId that scripts can call: it is kept'])
    assert.equal((await fixture.pull())['services/weather.yaml'], makeDocument(cloud.url))
  })

  it('is not called without the secrets that it demands', async () => {
    const answer = await run('return Weather.getForecast{city = "Bern"}')
    const error = 'the service has no credentials for key'
    assert.deepEqual(answer, { type: 'QueryError', error, status: 400 })
    assert.equal(cloud.requests.length, 0)
  })

  it('gets its secrets by the API, and never shows them', async () => {
    const changed = await change({ credentials: secrets })
    assertStatus(changed, 200)
    assert.deepEqual(changed.json.parameters.credentialNames, ['app', 'key', 'pair'])
    const shown = [changed.json, await configuration(), await fixture.pull()]
    for (const secret of ['the-key', 'pass:word', 'hidden']) {
      assert.ok(!JSON.stringify(shown).includes(secret), secret)
    }
    assertStatus(await push(makeDocument(cloud.url)), 200)
    assert.deepEqual((await configuration()).parameters.credentialNames, ['app', 'key', 'pair'])
    const read = await run('return Config.getParameters{service = "weather"}')
    assert.ok(!JSON.stringify(read).includes('the-key'))
  })

  it('is called by operationId, with parameters in their places and the key', async () => {
    const source =
      'return Weather.getForecast{city = "a/b ü", days = 3, tags = {"x", "y z"}, ["X-Unit"] = "C"}'
    const { url, method } = (await run(source)) as { url: string; method: string }
    assert.equal(method, 'GET')
    assert.equal(url, '/v1/cities/a%2Fb%20%C3%BC/forecast?days=3&tags=x&tags=y+z')
    const { headers } = cloud.last()
    assert.deepEqual([headers['x-key'], headers['x-unit']], ['the-key', 'C'])
  })

  it('authenticates by basic, and by none where the operation says so', async () => {
    await run('return Weather.getSecret()')
    const pair = Buffer.from('ann:pass:word').toString('base64')
    assert.equal(cloud.last().headers.authorization, `Basic ${pair}`)
    await run('return Weather.getOpen()')
    assert.equal(cloud.last().headers['x-key'], undefined)
    assert.equal(cloud.last().headers.authorization, undefined)
  })

  it('authenticates by OAuth, with one token for several calls', async () => {
    const before = tokens
    await run('Weather.addAlert{level = 3} return Weather.addAlert{body = {level = 4}}')
    assert.equal(tokens, before + 1)
    assert.equal(cloud.last().headers.authorization, `Bearer token-${tokens}`)
    const asked = cloud.requests.find(({ url }) => url === '/token')
    assert.equal(asked?.body.toString(), 'grant_type=client_credentials&scope=alerts')
    const pair = Buffer.from('me:hidden').toString('base64')
    assert.equal(asked?.headers.authorization, `Basic ${pair}`)
    answers.set('/v1/alerts', { status: 401, text: `{"message":"token-${tokens} is over"}` })
    const refused = (await run('return Weather.addAlert{level = 3}')) as Record<string, unknown>
    answers.delete('/v1/alerts')
    assert.equal(tokens, before + 2)
    assert.equal(refused.status, 401)
    assert.doesNotMatch(String(refused.error), new RegExp(`token-${tokens}`))
  })

  it('gives errors as other services do', async () => {
    answers.set('/v1/open', { status: 503, type: 'text/plain', text: 'the-key is busy' })
    assert.deepEqual(await run('return Weather.getOpen()'), {
      type: 'ServerError',
      error: '*** is busy',
      status: 503,
    })
    answers.set('/v1/open', { status: 200, text: '{"a":' })
    assert.deepEqual(await run('return Weather.getOpen().status'), 502)
    answers.set('/v1/open', { status: 204, text: '' })
    assert.deepEqual(await run('return Weather.getOpen()'), { status: 204 })
    answers.delete('/v1/open')
    const error = 'The service weather has no operation none.'
    assert.deepEqual(await run('return Weather.none()'), { type: 'QueryError', error, status: 404 })
    assert.equal(await run('return Weather.getForecast{}.error'), 'the argument city is missing')
  })

  it('is known to a check of the folder', async () => {
    const source = 'Weather.getForecast{days = 1}\nWeather.none()\nWeather.getOpen()'
    const files = [
      { path: 'services/weather.yaml', text: makeDocument(cloud.url) },
      { path: 'weather_alarm.lua', text: source },
    ]
    const { findings } = (await fixture.ask('POST', '/solution-check', { files })).json
    const errors = findings.filter(({ severity }: { severity: string }) => severity === 'error')
    assert.deepEqual(
      errors.map(({ line, message }: { line: number; message: string }) => `${line} ${message}`),
      [
        '1 Weather.getForecast: the argument city is missing',
        '2 Weather.none: the service Weather has no operation none',
      ],
    )
  })
})

describe('callbacks of a described service', () => {
  onCloud()

  const handler = 'Keystore.set{key = "alarm", value = json.stringify(event.body)}'

  it('reach the handler of the event, at the URL that the request has', async () => {
    assertStatus(await push(makeDocument(cloud.url), { 'weather_alarm.lua': handler }), 200)
    await run('return Weather.addAlert{level = 3}')
    const { callbackUrl, level } = JSON.parse(cloud.last().body.toString())
    assert.equal(level, 3)
    const { pathname, hostname } = new URL(callbackUrl)
    assert.match(hostname, /^pump\./)
    const sent = await fixture.get(pathname, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"city":"Bern"}',
    })
    assert.equal(sent.status, 204, sent.text)
    await until(
      () => run('return Keystore.get{key = "alarm"}.value'),
      (value) => value === '{"city":"Bern"}',
    )
  })

  it('are refused at a URL that was changed, or was taken back', async () => {
    const { path } = (await run('return Weather.getCallbackUrl{event = "alarm"}')) as {
      path: string
    }
    const ask = { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }
    assert.equal((await fixture.get(path, ask)).status, 204)
    for (const wrong of [`${path.slice(0, -4)}AAAA`, '/.callbacks/', '/.callbacks/e30']) {
      assert.equal((await fixture.get(wrong, ask)).status, 404, wrong)
    }
    assertStatus(await fixture.ask('POST', '/solution', { id: 'other', name: 'Other' }), 201)
    assert.equal((await fixture.get(path, { ...ask, host: 'other.localhost' })).status, 404)
    assert.equal((await fixture.get(path)).status, 405)
    assert.equal((await fixture.get(path, { ...ask, body: '{' })).status, 400)
    const none = (await run('return Weather.getCallbackUrl{event = "none"}')) as { status: number }
    assert.equal(none.status, 400)
    const { id } = await configuration()
    assertStatus(await fixture.pump('DELETE', `/serviceconfig/${id}`), 204)
    assertStatus(await push(makeDocument(cloud.url)), 200)
    assert.equal((await fixture.get(path, ask)).status, 404)
  })
})

describe('a file of a service that is made to do harm', () => {
  onCloud()

  const refused = async (text: string, message: RegExp) =>
    assertFault(await push(text), 'script_refused', message)

  it('is refused where all operations together have too many parts', async () => {
    const security = Array(1_000).fill({ key: [] })
    const components = { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'K' } } }
    const shared = (operations: number) => {
      const paths = Array.from({ length: operations }, (_, at) => [
        `/${at}`,
        { get: { operationId: `get${at}` } },
      ])
      const document = { openapi: '3.0.3', security, components, paths: Object.fromEntries(paths) }
      return JSON.stringify(document)
    }
    const most = openapiLimits.cloudPartsMax / security.length
    assertStatus(await push(shared(most)), 200)
    await refused(shared(most + 1), /more than 40000 parameters, fields and schemes/)
  })

  it('is refused where it refers outside, in a circle, or names a bad server', async () => {
    const text = makeDocument(cloud.url)
    const days = '"#/components/parameters/days"'
    await refused(text.replace(days, '"file:///etc/passwd"'), /only places in the document itself/)
    await refused(text.replace(days, '"#/__proto__/toString"'), /has nothing at/)
    const circle = text.replace(
      '{ name: days, in: query, schema: { type: integer } }',
      `{ $ref: ${days} }`,
    )
    await refused(circle, /in a circle/)
    for (const url of ['file:///etc', 'http://ann:pass@a.example', 'http://a/?x=1']) {
      await refused(text.replace(`${cloud.url}v1`, url), /base_url must be a URL/)
    }
    await refused(text.replace(`${cloud.url}token`, 'gopher://a'), /no tokenUrl/)
    await refused(text.replace('name: X-Key', 'name: "X\\r\\nY"'), /no place for the key/)
    await refused(text.replace('getOpen', 'getSecret'), /the operationId getSecret twice/)
    await refused('openapi: 4.0.0\n', /must have openapi/)
  })

  it('cannot be led to another path or host by an argument', async () => {
    assertStatus(await push(makeDocument('http://{region}.example.com/')), 200)
    assertStatus(await change({ credentials: { key: 'the-key' } }), 200)
    for (const region of ['evil.com/', 'a@b', 'a.b', 'a:1', '', '-a', 'a\\\\b']) {
      const source = `return Weather.getForecast{region = "${region}", city = "x"}`
      const { status } = (await run(source)) as { status: number }
      assert.equal(status, 400, region)
    }
    assertStatus(await push(makeDocument(cloud.url)), 200)
    assertStatus(await change({ credentials: { key: 'the-key' } }), 200)
    for (const city of ['..', '.', '']) {
      const source = `return Weather.getForecast{city = "${city}"}`
      assert.equal(((await run(source)) as { status: number }).status, 400, city)
    }
    const header = 'return Weather.getForecast{city = "a", ["X-Unit"] = "a\\r\\nb: c"}'
    assert.equal(((await run(header)) as { status: number }).status, 400)
  })

  it('gets no secret that was given for another host', async () => {
    const names = async () => (await configuration()).parameters.credentialNames
    assertStatus(await push(makeDocument('https://real.example/')), 200)
    assertStatus(await change({ credentials: secrets }), 200)
    assertStatus(await push(makeDocument('https://real.example/').replace('/v1', '/v2')), 200)
    assert.deepEqual(await names(), ['app', 'key', 'pair'], 'the same host')
    const elsewhere = makeDocument('https://real.example/').replace(
      'real.example/token',
      'b.example',
    )
    assertStatus(await push(elsewhere), 200)
    assert.deepEqual(await names(), ['key', 'pair'], 'another tokenUrl')
    assertStatus(await change({ parameters: { base_url: cloud.url } }), 200)
    assert.equal(await names(), undefined, 'another base_url')
    assertStatus(await change({ base_url: null, credentials: { key: 'the-key' } }), 200)
    assert.deepEqual(await names(), ['key'], 'given with the change')
    assertStatus(await push(makeDocument(cloud.url)), 200)
    assert.equal(await names(), undefined, 'another server')
  })

  it('reaches no address that the operator does not allow', async () => {
    assertStatus(await push(makeDocument('http://169.254.169.254/')), 200)
    const answer = (await run('return Weather.getOpen()')) as { status: number; error: string }
    assert.equal(answer.status, 502)
    assert.match(answer.error, /169\.254/)
  })

  it('has no secrets for schemes that it does not have', async () => {
    for (const credentials of [
      { none: 'x' },
      { key: 'a\r\nb' },
      { key: '' },
      { pair: 'x' },
      { pair: { username: 'a' } },
      { app: { client_id: 'a', client_secret: 'b', more: 'c' } },
      'text',
      [],
    ]) {
      assertFault(await change({ credentials }), 'invalid_argument')
    }
  })
})

describe('the rates of a described service', () => {
  onCloud()

  it('calls have a rate per minute, which the configuration sets', async () => {
    await push(`${makeDocument(cloud.url)}`, {
      'services/weather/weather.yaml': 'rate_per_minute: 2',
    })
    const source = `
      local seen = {}
      for at = 1, 3 do
        local answer = Weather.getOpen()
        seen[at] = answer.error or answer.method
      end
      return seen`
    const limit = 'The service has at most 2 requests a minute.'
    fixture.millrace.clock.advance(60_000)
    assert.deepEqual(await run(source), ['GET', 'GET', limit])
    fixture.millrace.clock.advance(60_000)
    assert.deepEqual(await run(source), ['GET', 'GET', limit])
    for (const rate of [0, 1.5, '2', openapiLimits.cloudRequestsPerMinuteMax + 1]) {
      assertFault(await change({ rate_per_minute: rate }), 'invalid_argument', /rate_per_minute/)
    }
    assertStatus(await change({ rate_per_minute: null }), 200)
    assert.deepEqual(await run(source), ['GET', 'GET', 'GET'])
  })

  it('callbacks have one, so that another cloud cannot fill the queue', async () => {
    await push(makeDocument(cloud.url), { 'services/weather/alarm.lua': 'return 1' })
    const url = (await run('return Weather.getCallbackUrl{event = "alarm"}')) as { path: string }
    const { cloudCallbacksPerMinute: most } = openapiLimits
    const post = async () => (await fixture.get(url.path, { method: 'POST', body: 'x' })).status
    const statuses = new Set<number>()
    for (let sent = 0; sent < most; sent += 50) {
      for (const status of await Promise.all(Array.from({ length: 50 }, post))) statuses.add(status)
    }
    assert.deepEqual([...statuses], [204])
    const refused = await fixture.get(url.path, { method: 'POST', body: 'x' })
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers['retry-after']) > 0)
  })
})
