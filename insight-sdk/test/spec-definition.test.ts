import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { type Credentials, defineFunction, defineModule, type ServeOptions } from '../src/index.ts'
import { served } from './support/client.ts'
import { sampleModule } from './support/sample-module.ts'

const basic: Credentials = { type: 'basic', username: 'user', password: 'pass:word' }
const inHeader: Credentials = { type: 'apiKey', in: 'header', name: 'X-Key', key: 'k1' }
const inQuery: Credentials = { type: 'apiKey', in: 'query', name: 'key', key: 'k 1' }

// biome-ignore lint/suspicious/noExplicitAny: a definition as it is sent, before any type
type Definition = any

async function definition(t: Parameters<typeof served>[0], options?: ServeOptions) {
  const client = await served(t, sampleModule(), options)
  return { ...client, definition: (await client.get('/interface')).json as Definition }
}

test('tags: contains an entry named insight with a description', async (t) => {
  const { tags } = (await definition(t)).definition
  deepEqual(tags, [{ name: 'insight', description: 'All that the *protocol* has' }])
})

test('schemes: https only', async (t) => {
  deepEqual((await definition(t)).definition.schemes, ['https'])
})

test('consumes / produces: application/json only', async (t) => {
  const { consumes, produces } = (await definition(t)).definition
  deepEqual([consumes, produces], [['application/json'], ['application/json']])
})

test('host / basePath: set to where the module is served', async (t) => {
  const { url, definition: root } = await definition(t)
  deepEqual([root.host, root.basePath], [new URL(url).host, '/'])
  const placed = await definition(t, { basePath: 'a/b/', publicHost: 'insight.example' })
  deepEqual([placed.definition.host, placed.definition.basePath], ['insight.example', '/a/b'])
  equal((await placed.get('/info')).status, 200)
  equal((await fetch(new URL('/interface', placed.url))).status, 200)
  equal((await fetch(new URL('/info', placed.url))).status, 404)
})

test('info.x-vendor-config-parameters: name, description, type, format, required', async (t) => {
  deepEqual((await definition(t)).definition.info['x-vendor-config-parameters'], [
    {
      name: 'region',
      description: 'Where it runs',
      type: 'string',
      format: 'text',
      required: false,
    },
  ])
})

test('info.x-vendor-config-parameters: optional, absent without any parameter', async (t) => {
  const f = defineFunction({ id: 'f', name: 'F', description: '', process: () => undefined })
  const plain = defineModule({ name: 'M', description: '', functions: [f] })
  const { get } = await served(t, plain)
  const { info } = (await get('/interface')).json as Definition
  deepEqual(
    Object.keys(info).filter((key) => key.startsWith('x-')),
    [],
  )
})

test('info.version is the version of the definition', async (t) => {
  const { swagger, info } = (await definition(t)).definition
  deepEqual([swagger, info.version, info.title], ['2.0', '2.1.0', 'Sample'])
})

for (const [method, path, operationId, body, success] of [
  ['get', '/info', 'info', undefined, '#/definitions/InsightInfoResults'],
  [
    'post',
    '/insights',
    'insights',
    '#/definitions/InsightsFilterParams',
    '#/definitions/InsightListResults',
  ],
  ['get', '/insight/{function_id}', 'insight', undefined, '#/definitions/InsightInfo'],
  ['post', '/lifecycle', 'lifecycle', '#/definitions/LifecycleEvent', undefined],
  ['post', '/process', 'process', '#/definitions/ProcessRequest', undefined],
] as const) {
  test(`${method} ${path} is ${operationId}; other answers: ErrorResponse`, async (t) => {
    const operation = (await definition(t)).definition.paths[path][method]
    equal(operation.operationId, operationId)
    deepEqual(operation.tags, ['insight'])
    const inBody = operation.parameters.find((it: { in: string }) => it.in === 'body')
    deepEqual([inBody?.schema.$ref, inBody?.required], [body, body && true])
    equal(operation.responses[200].schema.$ref, success)
    equal(operation.responses.default.schema.$ref, '#/definitions/ErrorResponse')
  })
}

test('every reference leads to a definition, and every definition is referred to', async (t) => {
  const { definition: whole } = await definition(t)
  const references = JSON.stringify(whole).matchAll(/"\$ref":"#\/definitions\/(\w+)"/g)
  const referred = new Set([...references].map(([, name]) => name))
  deepEqual([...referred].sort(), Object.keys(whole.definitions).sort())
})

for (const [credentials, security, parameters] of [
  [basic, { type: 'basic' }, ['region', 'username', 'password']],
  [inHeader, { type: 'apiKey', in: 'header', name: 'X-Key' }, ['region', 'X-Key']],
  [inQuery, { type: 'apiKey', in: 'query', name: 'key' }, ['region', 'key']],
] as const) {
  const kind = security.type === 'apiKey' ? `apiKey in the ${security.in}` : 'basic'
  test(`securityDefinitions: ${kind}, its values are parameters`, async (t) => {
    const { securityDefinitions, info } = (await definition(t, { credentials })).definition
    deepEqual(securityDefinitions, { [security.type]: security })
    const asked: { name: string; format?: string }[] = info['x-vendor-config-parameters']
    deepEqual(
      asked.map(({ name }) => name),
      parameters,
    )
    equal(asked.at(-1)?.format, 'password')
  })
}

const encoded = (text: string) => ({ authorization: `Basic ${btoa(text)}` })
for (const [what, credentials, path, headers, status] of [
  ['the right user and password', basic, '/info', encoded('user:pass:word'), 200],
  ['a wrong password', basic, '/info', encoded('user:pass'), 401],
  ['no credentials', basic, '/info', {}, 401],
  ['the right key', inHeader, '/info', { 'x-key': 'k1' }, 200],
  ['a wrong key', inHeader, '/info', { 'x-key': 'k2' }, 401],
  ['the key in the query', inQuery, '/info?key=k%201', {}, 200],
  ['no key in the query', inQuery, '/info', {}, 401],
  ['no credentials for the definition itself', basic, '/interface', {}, 200],
] as const) {
  test(`a module that requires ${credentials.type} answers ${status} to ${what}`, async (t) => {
    const { get } = await served(t, sampleModule(), { credentials })
    const answer = await get(path, headers)
    equal(answer.status, status)
    if (status === 401) equal(answer.json.name, 'Unauthorized')
  })
}
