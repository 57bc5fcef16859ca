import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { createClient, type MillraceClient } from '@millrace/client'
import { type JsonObject, limits } from '../../../../src/foundation/kernel/index.ts'
import { marketplaceLimits } from '../../../../src/insight/marketplace/index.ts'
import { fakeModule } from '../../../fixtures/pipelines.ts'
import { testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { definition, without } from '../../../fixtures/wire/market.ts'

type Problem = { readonly pointer: string; readonly detail: string }

const parameter = { name: 'token', description: 'Key', type: 'string', required: true }
const parameters = (list: unknown) =>
  definition({ info: { version: '1', 'x-vendor-config-parameters': list } } as JsonObject)
const at = (index: number, field: string) => `/info/x-vendor-config-parameters/${index}/${field}`

/** Each row of the definition table, broken; with the places that are named. */
const broken: readonly [what: string, document: JsonObject, pointers: readonly string[]][] = [
  ['no tags', without('tags'), ['/tags']],
  ['no tag insight', definition({ tags: [{ name: 'Insight', description: 'x' }] }), ['/tags']],
  ['no description', definition({ tags: [{ name: 'insight' }] }), ['/tags/0/description']],
  [
    'an empty one',
    definition({ tags: ['x', { name: 'insight', description: ' ' }] }),
    ['/tags/1/description'],
  ],
  ['no schemes', without('schemes'), ['/schemes']],
  ['http beside https', definition({ schemes: ['https', 'http'] }), ['/schemes']],
  ['http', definition({ schemes: ['http'] }), ['/schemes']],
  ['no consumes', without('consumes'), ['/consumes']],
  ['consumes forms', definition({ consumes: ['application/json', 'text/plain'] }), ['/consumes']],
  ['produces no list', definition({ produces: 'application/json' }), ['/produces']],
  ['no host', without('host'), ['/host']],
  ['a host that is a URL', definition({ host: 'https://insight.example.com' }), ['/host']],
  ['a placeholder for a host', definition({ host: '&domain&' }), ['/host']],
  ['a base path without /', definition({ basePath: 'v1' }), ['/basePath']],
  ['another version', definition({ swagger: '3.0.0' }), ['/swagger']],
  ['a number for the version', definition({ swagger: 2 }), ['/swagger']],
  ['no version of its own', definition({ info: { title: 'x' } }), ['/info/version']],
  ['no operations', without('paths'), ['/paths', '/paths', '/paths']],
  ['parameters that are no list', parameters({}), ['/info/x-vendor-config-parameters']],
  ['a parameter without a name', parameters([{ ...parameter, name: 7 }]), [at(0, 'name')]],
  ['no description of it', parameters([{ name: 'a', type: 'string' }]), [at(0, 'description')]],
  ['no type', parameters([parameter, { name: 'b', description: 'b' }]), [at(1, 'type')]],
  ['a format that is no text', parameters([{ ...parameter, format: true }]), [at(0, 'format')]],
  ['required as a text', parameters([{ ...parameter, required: 'yes' }]), [at(0, 'required')]],
  ['a name twice', parameters([parameter, parameter]), [at(1, 'name')]],
  ['an init that is nowhere', definition({ 'x-vendor-init': 'begin' }), ['/x-vendor-init']],
  ['a gc that is nowhere', definition({ 'x-exosite-gc': 'end' }), ['/x-exosite-gc']],
  [
    'oauth2',
    definition({ securityDefinitions: { a: { type: 'oauth2' } } }),
    ['/securityDefinitions/a/type'],
  ],
  [
    'a key in the body',
    definition({ securityDefinitions: { 'a/b': { type: 'apiKey', in: 'body' } } }),
    ['/securityDefinitions/a~1b/in'],
  ],
  [
    'an operation with forms',
    definition({
      paths: { ...(definition().paths as JsonObject), '/x': { get: { consumes: ['text/plain'] } } },
    }),
    ['/paths/~1x/get/consumes'],
  ],
]

const references: readonly [what: string, $ref: unknown, detail: RegExp][] = [
  ['a file', '/etc/passwd', /does not begin with #/],
  ['a file by URL', 'file:///etc/passwd#/a', /does not begin with #/],
  ['the network', 'http://127.0.0.1:1/definitions.json#/a', /does not begin with #/],
  ['nothing', '#/definitions/Missing', /there is nothing/],
  ['a number', 7, /does not begin with #/],
]

describe('the definition of a published insight module', () => {
  const context = suiteContext()
  let client: MillraceClient

  before(async () => {
    const { httpUrl, token } = await testPlatform(context)
    client = createClient({ url: httpUrl, credential: { apiToken: token } })
  })

  async function publish(text: string) {
    const { data, error } = await client.POST('/api:1/listings', { body: { definition: text } })
    return { listing: data, code: error?.code, problems: (error?.problems ?? []) as Problem[] }
  }

  it('keeps the rules: it is published, as JSON and as YAML', async () => {
    const { listing } = await publish(JSON.stringify(definition()))
    assert.equal(listing?.name, 'Forecasts')
    assert.equal(listing?.base, 'https://insight.example.com/v1')
    assert.deepEqual([listing?.version, listing?.problems], ['1.2.3', []])
    const marked = await publish(`\ufeff${JSON.stringify(definition())}`)
    assert.deepEqual([marked.code, marked.listing?.name], [undefined, 'Forecasts'])
    const yaml = await publish(yamlText)
    assert.equal(yaml.listing?.base, 'https://insight.example.com/latest', yaml.code)
    const found = await client.GET('/api:1/listings/{listing}', {
      params: { path: { listing: yaml.listing?.id ?? '' } },
    })
    assert.equal(found.data?.definition, yamlText, 'as it was given')
  })

  for (const [prefix, version] of [
    ['x-vendor-', 'the words of the specification'],
    ['x-exosite-', 'those of the field'],
  ] as const) {
    it(`declares its parameters in info, in ${version}`, async () => {
      const list = [
        { ...parameter, format: 'password' },
        { ...parameter, name: 'b', type: 'number' },
      ]
      const file = definition({
        info: { version: '1', [`${prefix}config-parameters`]: list },
      } as JsonObject)
      const { listing, code } = await publish(JSON.stringify(file))
      assert.equal(code, undefined)
      const fields = listing?.parameters.map((one) => [
        one.name,
        one.description,
        one.type,
        one.secret,
      ])
      assert.deepEqual(fields, [
        ['token', 'Key', 'string', true],
        ['b', 'Key', 'number', false],
      ])
    })
  }

  it('has no parameter without a list of them, and is at / without a basePath', async () => {
    const { listing } = await publish(JSON.stringify(without('basePath')))
    assert.deepEqual([listing?.base, listing?.parameters], ['https://insight.example.com/', []])
  })

  for (const [what, document, pointers] of broken) {
    it(`breaks a rule: ${what}`, async () => {
      const { code, problems } = await publish(JSON.stringify(document))
      assert.equal(code, 'definition_refused')
      assert.deepEqual(
        problems.map(({ pointer }) => pointer),
        pointers,
      )
    })
  }

  it('breaks many rules, which are all named', async () => {
    const { problems } = await publish('{"swagger":"1.2","schemes":["http"]}')
    const pointers = new Set(problems.map(({ pointer }) => pointer))
    const fields = ['swagger', 'tags', 'schemes', 'consumes', 'produces', 'host', 'paths']
    assert.deepEqual(
      [...pointers].sort(),
      [...fields.map((field) => `/${field}`), '/info/version'].sort(),
    )
  })

  for (const [what, $ref, detail] of references) {
    it(`is refused with a reference to ${what}, which is not read`, async () => {
      const { code, problems } = await publish(
        JSON.stringify({ ...definition(), definitions: { A: { $ref } } }),
      )
      assert.equal(code, 'definition_refused')
      assert.deepEqual([problems.length, problems[0]?.pointer], [1, '/definitions/A/$ref'])
      assert.match(problems[0]?.detail ?? '', detail)
    })
  }

  it('is refused with a reference to a listener, which gets no request', async (t) => {
    const listener = await fakeModule(t)
    const $ref = `${listener.url}/definitions.json#/a`
    const file = { ...definition(), definitions: { A: { $ref } }, $ref: `${listener.url}/b` }
    const { code } = await publish(JSON.stringify(file))
    assert.equal(code, 'definition_refused')
    assert.deepEqual(listener.requests, [])
  })

  it('is refused with references in a circle', async () => {
    const to = (name: string) => ({ properties: { x: { $ref: `#/definitions/${name}` } } })
    const definitions = { A: to('B'), B: to('C'), C: to('B'), D: to('D'), E: to('A') }
    const { problems } = await publish(JSON.stringify({ ...definition(), definitions }))
    const places = problems.map(({ pointer, detail }) => `${pointer} ${detail}`)
    assert.deepEqual(places, [
      '/definitions/C/properties/x/$ref it contains itself',
      '/definitions/D/properties/x/$ref it contains itself',
    ])
    const property = { definitions: { A: { properties: { $ref: { type: 'string' } } } } }
    assert.ok((await publish(JSON.stringify({ ...definition(), ...property }))).listing)
  })
})

const yamlText = `---
  # indented as a whole
  "swagger": "2.0"
  info: {title: Yaml, version: '3'}
  host: insight.example.com
  basePath: /latest
  schemes: [https]
  consumes:
    - application/json
  produces:
    - application/json
  tags:
    - name: insight
      description: |
        Functions: with a colon
  paths:
    /info:
      get:
        operationId: info
        responses:
          200: {description: fine}
    '/insights': {post: {operationId: listInsights}}
    /process: {post: {operationId: process}}
`

describe('a definition that is not fit to be read', () => {
  const context = suiteContext()
  let client: MillraceClient

  before(async () => {
    const { httpUrl, token } = await testPlatform(context)
    client = createClient({ url: httpUrl, credential: { apiToken: token } })
  })

  const { definitionAliasesMax } = limits
  const { definitionBytesMax, definitionReferencesMax } = marketplaceLimits
  const laughs = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    .map((n) => `a${n}: &a${n} [${`*a${n - 1},`.repeat(9)}]`)
    .join('\n')
  const cases: readonly [what: string, text: () => string, detail: RegExp][] = [
    ['one byte too large', () => 'x'.repeat(definitionBytesMax + 1), /more than \d+ bytes/],
    ['too large in bytes', () => 'é'.repeat(definitionBytesMax / 2 + 1), /more than \d+ bytes/],
    ['aliases', () => `a: &a 1\nb: [${'*a, '.repeat(definitionAliasesMax + 1)}]`, /aliases/],
    ['aliases of aliases', () => `a0: &a0 [x]\n${laughs}`, /too many, or circular/],
    ['an alias in itself', () => 'a: &a {b: *a}', /too many, or circular/],
    ['deep JSON', () => `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, /nested deeper/],
    ['deep YAML', () => '['.repeat(10_000), /cannot be read/],
    ['deep YAML maps', () => 'a: '.concat('{a: '.repeat(5_000)), /nesting/],
    ['broken JSON', () => '{"swagger": "2.0"', /cannot be read/],
    ['broken YAML', () => 'a: [1\nb: 2', /cannot be read: .* in line 2/],
    ['a key twice', () => 'a: 1\na: 2', /duplicated/],
    ['two documents', () => 'a: 1\n---\nb: 2', /single document/],
    ['a tag of a language', () => 'a: !!js/function "x"', /unknown tag/],
    ['a page', () => '<html></html>', /holds no object/],
    ['nothing', () => '', /holds no object/],
    ['a list', () => '[1]', /holds no object/],
  ]
  for (const [what, text, detail] of cases) {
    it(`is refused: ${what}`, async () => {
      const body = { definition: text() }
      const { error } = await client.POST('/api:1/listings', { body })
      assert.equal(error?.code, 'definition_refused')
      const problems = error?.problems ?? []
      assert.deepEqual([problems.length, problems[0]?.pointer], [1, ''])
      assert.match(problems[0]?.detail ?? '', detail)
    })
  }

  it('is refused: more references than it may have', async () => {
    const makeReferences = (count: number) =>
      Array.from({ length: count }, () => ({ $ref: '#/info' }))
    const many = (count: number) =>
      JSON.stringify({
        ...definition(),
        definitions: { A: { makeReferences: makeReferences(count) } },
      })
    const post = (text: string) => client.POST('/api:1/listings', { body: { definition: text } })
    assert.ok((await post(many(definitionReferencesMax))).data)
    const { error } = await post(many(definitionReferencesMax + 1))
    assert.match(error?.problems?.[0]?.detail ?? '', /more than \d+ references/)
  })

  it('is refused: one of 10 MB, before it is read', async () => {
    const body = { definition: 'x'.repeat(10 * 1024 * 1024) }
    const { error } = await client.POST('/api:1/listings', { body })
    assert.equal(error?.code, 'too_large')
  })

  it('is refused: one of 10 MB at a URL, of which no more is read than it may have', async (t) => {
    const fake = await fakeModule(t, {
      'GET /large': (response) => {
        response.on('error', () => {})
        response.end('x'.repeat(10 * 1024 * 1024))
      },
    })
    const body = { definitionUrl: `${fake.url}/large` }
    const { error } = await client.POST('/api:1/listings', { body })
    assert.equal(error?.code, 'definition_refused')
    assert.match(error?.message ?? '', /it is too large/)
    const added = await client.POST('/api:1/modules', { body: { url: `${fake.url}/large` } })
    assert.match(added.error?.message ?? '', /larger than \d+ bytes/)
  })
})
