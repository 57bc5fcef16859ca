import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type HttpPeer, httpPeer, type ReceivedRequest } from '../../../fixtures/http-client.ts'
import {
  assertFault,
  assertStatus,
  type SolutionsFixture,
  solutionsFixture,
} from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

let fixture: SolutionsFixture
let cloud: HttpPeer

const onCloud = sharedBySuites(async (suite) => {
  cloud = await httpPeer(suite, (response, received) => {
    const { url, headers, body } = received as unknown as ReceivedRequest
    response.writeHead(200, { 'content-type': 'application/json' })
    const { authorization, 'x-key': key } = headers
    response.end(JSON.stringify({ url, authorization, key, body: body.toString('utf8') }))
  })
  fixture = await solutionsFixture(suite)
})

/** A file as connectors of other clouds have it. */
const file = `swagger: "2.0"
info: { title: Weather, version: "1" }
x-vendor-init: start
x-vendor-config-parameters:
  - { name: appid, type: string, x-vendor-restricted: true }
  - { name: units, type: string }
  - { name: AccountSid, type: string }
securityDefinitions: { Bearer: { type: bearer } }
paths:
  /{solution}/weather:
    get:
      operationId: getWeather
      parameters:
        - { name: solution, in: path, required: true, type: string, x-vendor-from: solution_id }
        - { name: business, in: query, type: string, x-vendor-from: business_id }
        - { name: q, in: query, required: true, type: string }
        - { name: appid, in: query, required: true, type: string }
        - { name: units, in: query, type: string }
  /{AccountSid}/messages:
    post:
      operationId: postMessage
      security: [{ Bearer: [] }]
      parameters:
        - { name: AccountSid, in: path, required: true, type: string }
        - { name: Body, in: formData, required: true, type: string }
  /start:
    post: { operationId: start }
`

async function run(source: string) {
  const code = `return ${source}`
  assertStatus(await fixture.pump('PUT', '/script/user_call', { source: code }), 200)
  return (await fixture.handle('user_call')).result
}

const configuration = () => fixture.service('weather')
const change = async (body: object) =>
  fixture.pump('PATCH', `/serviceconfig/${(await configuration()).id}`, body)

describe('a file of a service of the field', () => {
  onCloud()

  it('may have no host; its calls fail until there is a base URL', async () => {
    const pushed = await fixture.push({ 'services/weather.yaml': file })
    assertStatus(pushed, 200)
    const notes = pushed.json.notes.map(({ message }: { message: string }) => message)
    assert.deepEqual(notes, [
      'the file names no server: calls fail without base_url',
      'the operation that init names is called by scripts alone',
    ])
    assert.match((await run('Weather.getWeather{q = "x", appid = "k"}')).error, /base_url|appid/)
    assertStatus(await change({ base_url: cloud.url }), 200)
  })

  it('has settings that each call gets, and fields that the platform fills', async () => {
    assert.match((await run('Weather.getWeather{q = "x"}')).error, /appid is missing/)
    const given = '{appid = "the-key", units = "metric", AccountSid = "AC1"}'
    const set = `Config.setParameters{service = "weather", parameters = ${given}}`
    assert.deepEqual(await run(set), { status: 204 })
    const { businessId } = fixture
    const answer = await run('Weather.getWeather{q = "Bern", solution = "other"}')
    const query = `business=${businessId}&q=Bern&appid=[hidden]&units=metric`
    assert.equal(answer.url.replace(/appid=[^&]*/, 'appid=[hidden]'), `/pump/weather?${query}`)
    const own = await run('Weather.getWeather{q = "Bern", units = "si"}')
    assert.match(own.url, /units=si$/)
    const refused = await run('Weather.getWeather{q = "Bern", appid = "own"}')
    assert.match(refused.error, /appid is a setting of the service/)
  })

  it('shows no restricted setting, and loses it when the host changes', async () => {
    const { parameters } = await configuration()
    assert.deepEqual([parameters.appid, parameters.units], [undefined, 'metric'])
    assert.deepEqual(parameters.settingNames, ['appid'])
    assertFault(await change({ odd: '1' }), 'invalid_argument', /no setting odd/)
    assertFault(await change({ units: [1] }), 'invalid_argument', /units must be a text/)
    assertStatus(await change({ base_url: 'http://other.example' }), 200)
    assertStatus(await change({ base_url: cloud.url }), 200)
    assert.match((await run('Weather.getWeather{q = "Bern"}')).error, /appid is missing/)
  })

  it('has a bearer token, and settings in a path beside a form', async () => {
    assertStatus(await change({ credentials: { Bearer: 'a-token' } }), 200)
    const { url, body } = await run('Weather.postMessage{Body = "hi"}')
    assert.deepEqual([url, body], ['/AC1/messages', 'Body=hi'])
    assert.equal((await configuration()).parameters.credentialNames[0], 'Bearer')
    const { headers } = cloud.requests.at(-1) ?? {}
    assert.equal(headers?.authorization, 'Bearer a-token')
  })
})
