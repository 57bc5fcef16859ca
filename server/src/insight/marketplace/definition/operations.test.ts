import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeEndpoints } from '../endpoints.ts'
import type { Listing, Use } from '../types.ts'
import { readTolerantly } from './read.ts'

const base = 'https://insights.example'

/** The addresses at which a business calls a module that is added by its base. */
function listAddresses(at: string, definition: string | undefined, businessId: string) {
  const listing = readTolerantly(at, definition, ['x-vendor-']) as Listing
  const endpoints = makeEndpoints({ businessId, listing } as Use, {})
  return Object.fromEntries(
    Object.entries(endpoints).map(([name, { method, url }]) => [name, { method, url }]),
  )
}

function file(paths: object, more: object = {}): string {
  return JSON.stringify({ swagger: '2.0', host: 'elsewhere.example', ...more, paths })
}

test('without a file the paths of the spec', () => {
  for (const answer of [undefined, '<html></html>', '{}', '[]', '{"paths":7}', 'hello: world']) {
    assert.deepEqual(listAddresses(`${base}/m/`, answer, 'b'), {
      info: { method: 'GET', url: `${base}/m/info` },
      insights: { method: 'POST', url: `${base}/m/insights` },
      insight: { method: 'GET', url: `${base}/m/insight/{function_id}` },
      lifecycle: { method: 'POST', url: `${base}/m/lifecycle` },
      process: { method: 'POST', url: `${base}/m/process` },
    })
  }
})

test('operations are found by their ids, at any path; the host of the file is not followed', () => {
  const text = file(
    {
      '/about': { get: { operationId: 'info' } },
      '/all': { post: { operationId: 'listInsights' } },
      '/one/{function_id}': { get: { operationId: 'insight' } },
      '/run/{solution_id}/now': { post: { operationId: 'process' }, parameters: [] },
      '/process': { post: { operationId: 'lifecycle' } },
    },
    { basePath: '/v1/' },
  )
  assert.deepEqual(listAddresses(base, text, 'a b'), {
    info: { method: 'GET', url: `${base}/v1/about` },
    insights: { method: 'POST', url: `${base}/v1/all` },
    insight: { method: 'GET', url: `${base}/v1/one/{function_id}` },
    lifecycle: { method: 'POST', url: `${base}/v1/process` },
    process: { method: 'POST', url: `${base}/v1/run/a%20b/now` },
  })
})

test('where ids differ the last path segment decides; what may be missing may be missing', () => {
  const text = file({
    '/x/info': { get: { operationId: 'getInfo' } },
    '/x/insights': { post: {} },
    '/x/process': { post: { operationId: 'doProcess' } },
  })
  assert.deepEqual(listAddresses(base, text, 'b'), {
    info: { method: 'GET', url: `${base}/x/info` },
    insights: { method: 'POST', url: `${base}/x/insights` },
    process: { method: 'POST', url: `${base}/x/process` },
  })
})

test('a basePath that the base has already is not added twice', () => {
  const text = file({ '/info': { get: { operationId: 'info' } } }, { basePath: '/v1' })
  assert.equal(listAddresses(`${base}/v1`, text, 'b').info?.url, `${base}/v1/info`)
  assert.equal(listAddresses(`${base}/proxy/`, text, 'b').info?.url, `${base}/proxy/v1/info`)
})

test('a YAML file is read as well', () => {
  const text = [
    'swagger: "2.0"',
    'basePath: /api # where it is',
    'info:',
    '  description: |',
    '    Text: with a colon',
    'paths:',
    '  /about:',
    '    get:',
    '      tags:',
    '        - insight',
    '      operationId: info',
    "  '/run/{solution_id}':",
    '    post:',
    "      operationId: 'process'",
    '      responses:',
    '        200:',
    '          description: fine',
    'definitions:',
    '  X:',
    '    type: object',
  ].join('\r\n')
  const endpoints = listAddresses(base, text, 's')
  assert.equal(endpoints.info?.url, `${base}/api/about`)
  assert.equal(endpoints.process?.url, `${base}/api/run/s`)
  assert.equal(endpoints.insights?.url, `${base}/api/insights`)
  assert.equal(endpoints.lifecycle, undefined)
})

test('parameters of the configuration are read in info and at the top of the file', () => {
  const list = (name: string) => [{ name, description: 'x', type: 'string', format: 'password' }]
  const text = file(
    {},
    { info: { 'x-vendor-config-parameters': list('a') }, 'x-other-config-parameters': list('b') },
  )
  const { parameters } = readTolerantly(base, text, ['x-vendor-', 'x-other-'])
  const common = { description: 'x', type: 'string', secret: true, required: false }
  assert.deepEqual(parameters, [
    { ...common, name: 'a' },
    { ...common, name: 'b' },
  ])
})

const restricted = { 'x-vendor-restricted': true }

test('a restricted parameter is hidden, also if credentials would need it', () => {
  const list = [
    { name: 'key', description: 'x', type: 'string', format: 'password', ...restricted },
  ]
  const securityDefinitions = { header: { type: 'apiKey', in: 'header', name: 'key' } }
  const info = { 'x-vendor-config-parameters': list }
  const { parameters } = readTolerantly(base, file({}, { info, securityDefinitions }), [
    'x-vendor-',
  ])
  assert.deepEqual(parameters, [])
})

test('what is restricted elsewhere is hidden from scripts, and called and filled as before', () => {
  const parameter = { in: 'path', name: 'account', 'x-vendor-from': 'solution_id', ...restricted }
  const schema = { type: 'object', properties: { id: { type: 'string', ...restricted } } }
  const body = { in: 'body', name: 'body', schema, ...restricted }
  const text = file({
    '/info': { get: { operationId: 'info', ...restricted } },
    '/insights': { post: { operationId: 'listInsights' }, ...restricted },
    '/{account}/process': { post: { operationId: 'process', parameters: [parameter, body] } },
  })
  assert.deepEqual(listAddresses(base, text, 'b'), {
    info: { method: 'GET', url: `${base}/info` },
    insights: { method: 'POST', url: `${base}/insights` },
    process: { method: 'POST', url: `${base}/b/process` },
  })
})
