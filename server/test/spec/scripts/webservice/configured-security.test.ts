import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { endpointsFixture } from '../../../fixtures/endpoints.ts'
import { assertFault, assertStatus } from '../../../fixtures/solutions.ts'
import { sharedFixture } from '../../../fixtures/suite.ts'
import { openSocket, readRefusal } from '../../../fixtures/wire/sockets.ts'

const [fixture, onInstance] = sharedFixture((suite) => endpointsFixture(suite))

const lua = `--#ENDPOINT GET /plain
return {seen = request.headers["x-own-key"] or request.parameters.key or "nothing"}
--#ENDPOINT GET /open
--#SECURITY none
return "open"
--#ENDPOINT GET /basic
--#TAGS people
--#SECURITY basic
return "basic"
--#ENDPOINT POST /pets
--#TAGS schema
return "made"
--#ENDPOINT DELETE /pets/{id}
--#TAGS schema
return "gone"
--#ENDPOINT WEBSOCKET /talk
return "x"
`

const serve = (settings: object, more: Readonly<Record<string, string>> = {}) =>
  fixture.push({ 'web.lua': lua, 'services/webservice.json': JSON.stringify(settings), ...more })

const all = { documented_endpoints: ['*'] }
const keyOfHeader = { type: 'apiKey', name: 'X-Own-Key', in: 'header' }
const bearer = { Authorization: 'Bearer t' }

describe('security of the configuration', () => {
  onInstance()

  const status = async (path: string, headers = {}) => (await fixture.get(path, { headers })).status

  it('holds for each endpoint and websocket that does not say its own', async () => {
    const pushed = await serve({ security: ['apiKey'], security_schemes: [keyOfHeader] })
    assertStatus(pushed, 200)
    const notes = pushed.json.notes.map(({ message }: { message: string }) => message)
    assert.ok(notes.some((note: string) => /^security demands a credential of endp/.test(note)))
    assert.equal(await status('/plain'), 401)
    assert.equal(await status('/open'), 200)
    assert.equal(await status('/basic', { 'X-Own-Key': 'k' }), 401)
    assert.equal(await status('/basic', { Authorization: 'Basic YTpi' }), 200)
    const own = await fixture.get('/plain', { headers: { 'X-Own-Key': 'k' } })
    assert.deepEqual([own.status, own.json], [200, { seen: 'k' }])
    assert.equal((await readRefusal(openSocket(fixture, '/talk'))).status, 401)
  })

  const rows: [settings: object, headers: object, path: string, wanted: number][] = [
    [{ security: [] }, {}, '/plain', 200],
    [{ security: [{ bearer: [] }] }, {}, '/plain', 401],
    [{ security: [{ bearer: [] }] }, bearer, '/plain', 200],
    [{ security: ['bearer platform'] }, bearer, '/plain', 401],
    [{ security: ['apiKey', 'bearer'] }, bearer, '/plain', 200],
    [{ security: ['oauth2'] }, bearer, '/plain', 200],
    [{ security: ['own'] }, { ...bearer, 'X-API-Key': 'k' }, '/plain', 401],
    [{ security: [{ apiKey: [], bearer: [] }] }, bearer, '/plain', 401],
    [
      { security: ['key'], security_schemes: [{ type: 'apiKey', name: 'key', in: 'query' }] },
      {},
      '/plain?key=k',
      200,
    ],
  ]
  for (const [settings, headers, path, wanted] of rows) {
    const by = JSON.stringify(headers)
    it(`${JSON.stringify(settings)} answers ${path} with ${by} by ${wanted}`, async () => {
      assertStatus(await serve(settings), 200)
      assert.equal(await status(path, headers), wanted)
      assert.equal(await status('/open'), 200)
    })
  }

  it('a name that means no credential is refused where a person sets it', async () => {
    const body = { service: 'webservice', parameters: { security: ['own'] } }
    assertFault(await fixture.pump('POST', '/serviceconfig', body), 'invalid_argument', /"own"/)
  })
})

const schema = `paths:
  /pets:
    post:
      parameters:
        - { name: pet, in: body, required: true, schema: { $ref: '#/definitions/Pet' } }
        - { name: tags, in: query, type: array, items: { type: string }, collectionFormat: csv }
      responses:
        '200': { description: made, schema: { $ref: '#/definitions/Pet' } }
        default: {}
  /pets/{id}:
    delete:
      parameters: [{ name: id, in: path, type: integer }]
definitions:
  Pet: { type: object, required: [name], properties: { name: { type: string } } }
`

describe('the OpenAPI document of a solution of the field', () => {
  onInstance()

  const document = async () => (await fixture.get('/openapi.json')).json

  it('shows the endpoints of the tags, those without a tag as default', async () => {
    const shown = async (...documented_endpoints: string[]) => {
      assertStatus(await serve({ documented_endpoints }), 200)
      return Object.keys((await document()).paths).sort()
    }
    assert.deepEqual(await shown('people', 'default'), ['/basic', '/open', '/plain'])
    assert.deepEqual(await shown('schema', '/open', 'GET /plain'), [
      '/open',
      '/pets',
      '/pets/{id}',
      '/plain',
    ])
    assert.deepEqual(await shown('other'), [])
  })

  it('has the demands and schemes in the form of OpenAPI, also of odd settings', async () => {
    const schemes = [{ type: 'bearer' }, keyOfHeader, { type: 'own' }]
    const api_info = { title: 7, version: 1.5, contact: { name: 'Ann' }, other: true }
    await serve({ ...all, security: ['apiKey', 'own'], security_schemes: schemes, api_info })
    const { info, security, components, paths } = await document()
    assert.deepEqual(info, { title: '7', version: '1.5', contact: { name: 'Ann' } })
    assert.deepEqual(security, [{ apiKey: [] }])
    assert.deepEqual(components.securitySchemes, {
      basic: { type: 'http', scheme: 'basic' },
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: keyOfHeader,
    })
    const demands = ['/plain', '/open', '/basic'].map((path) => paths[path].get.security)
    assert.deepEqual(demands, [undefined, [], [{ basic: [] }]])
  })

  it('has what endpoints/schema.yml says of them, which a pull gives back', async () => {
    const pushed = await serve(all, { 'endpoints/schema.yml': schema })
    assertStatus(pushed, 200)
    const { paths, components } = await document()
    assert.equal((await fixture.pull())['endpoints/schema.yml'], schema)
    const of = { schema: { $ref: '#/components/schemas/Pet' } }
    const { requestBody, parameters, responses, tags } = paths['/pets'].post
    assert.deepEqual(requestBody, { required: true, content: { 'application/json': of } })
    assert.deepEqual(
      parameters.map(({ name, explode }: Record<string, unknown>) => [name, explode]),
      [['tags', false]],
    )
    assert.deepEqual(responses.default, { description: '' })
    assert.deepEqual(responses['200'].content, { 'application/json': of })
    assert.deepEqual(tags, ['schema'])
    assert.deepEqual(paths['/pets/{id}'].delete.parameters, [
      { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
    ])
    assert.equal(components.schemas.Pet.type, 'object')
    const broken = await serve(all, { 'endpoints/schema.yml': 'a: [' })
    assertStatus(broken, 200)
  })
})
