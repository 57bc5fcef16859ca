import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { contracts, describeApi } from '../../../src/management/index.ts'
import { type ApiDocument, compareApis } from '../../fixtures/wire/openapi-changes.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Parts = {
  readonly request?: object
  readonly answer?: object
  readonly parameters?: object[]
  readonly bodyRequired?: boolean
  readonly status?: string
}

const text = { type: 'string' }
const object = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
})

/** A document with one operation. */
function planted({
  request = object({ name: text, note: text, kind: { enum: ['a', 'b'] } }, ['name']),
  answer = object({ id: text, list: { type: 'array', items: { $ref: '#/x/Item' } } }, ['id']),
  parameters = [{ name: 'limit', in: 'query', required: false, schema: { type: 'integer' } }],
  bodyRequired = false,
  status = '200',
}: Parts = {}): ApiDocument {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } })
  const requestBody = { required: bodyRequired, content: json(request).content }
  const responses = { [status]: json(answer) }
  const operation = { operationId: 'doIt', parameters, requestBody, responses }
  const schemas = { Item: object({ state: { enum: ['on', 'off'] } }) }
  return { paths: { '/it': { post: operation } }, components: { schemas } }
}

const limit = (required: boolean, type = 'integer') => ({
  name: 'limit',
  in: 'query',
  required,
  schema: { type },
})
const newName = { name: 'x', in: 'query', required: true, schema: text }
const list = { type: 'array', items: object({ state: { enum: ['on'] } }) }

const breaking: readonly (readonly [string, ApiDocument])[] = [
  ['POST /it is removed', { paths: {} }],
  ['POST /it: status 200 is removed', planted({ status: '201' })],
  ['POST /it: query parameter limit is removed', planted({ parameters: [] })],
  ['POST /it: query parameter limit is required now', planted({ parameters: [limit(true)] })],
  [
    'POST /it: query parameter limit is no longer integer',
    planted({ parameters: [limit(false, 'string')] }),
  ],
  ['POST /it: query parameter x is required now', planted({ parameters: [limit(false), newName] })],
  ['POST /it: a body is required now', planted({ bodyRequired: true })],
  [
    'POST /it: request.note is required now',
    planted({
      request: object({ name: text, note: text, kind: { enum: ['a', 'b'] } }, ['name', 'note']),
    }),
  ],
  [
    'POST /it: request.kind has no value "b" any more',
    planted({ request: object({ name: text, note: text, kind: { enum: ['a'] } }, ['name']) }),
  ],
  [
    'POST /it: request.note is removed',
    planted({ request: object({ name: text, kind: { enum: ['a', 'b'] } }, ['name']) }),
  ],
  [
    'POST /it: answer 200.list[].state has no value "off" any more',
    planted({ answer: object({ id: text, list }, ['id']) }),
  ],
  [
    'POST /it: answer 200.id is removed',
    planted({ answer: object({ list: { type: 'array', items: { $ref: '#/x/Item' } } }) }),
  ],
  [
    'POST /it: answer 200.id may be integer now',
    planted({
      answer: object({ id: { type: 'integer' }, list: { items: { $ref: '#/x/Item' } } }, ['id']),
    }),
  ],
]

describe('two documents of an API', () => {
  for (const [sentence, document] of breaking) {
    it(`differ so that clients break: ${sentence}`, () => {
      const { operations, breaks } = compareApis(planted(), document)
      assert.deepEqual(breaks, [sentence])
      assert.deepEqual(operations, ['doIt'])
    })
  }

  it('differ without a break if what is new may be left out', () => {
    const more = object({ name: text, note: text, kind: { enum: ['a', 'b', 'c'] }, new: text }, [])
    const parameters = [limit(false), { name: 'y', in: 'query', required: false, schema: text }]
    const { operations, breaks } = compareApis(planted(), planted({ request: more, parameters }))
    assert.deepEqual(breaks, [])
    assert.deepEqual(operations, ['doIt'])
  })

  it('differ without a break if a new field with fields that it needs may be left out', () => {
    const fields = { name: text, note: text, kind: { enum: ['a', 'b'] } }
    const files = { type: 'array', items: object({ path: text }, ['path']) }
    const request = object({ ...fields, files }, ['name'])
    assert.deepEqual(compareApis(planted(), planted({ request })).breaks, [])
  })

  it('do not differ by wording', () => {
    const other = planted({
      parameters: [Object.assign(limit(false), { description: 'The most.' })],
    })
    assert.deepEqual(compareApis(planted(), other), { operations: [], breaks: [] })
  })
})

describe('the API since its last release', () => {
  const released = JSON.parse(read('docs/reference/openapi-released.json')) as ApiDocument
  const changes = compareApis(released, describeApi(contracts) as unknown as ApiDocument)

  it('breaks no client', () => {
    assert.deepEqual(changes.breaks, [])
  })

  it('names each changed operation in the changelog', () => {
    const [, unreleased = ''] = read('CHANGELOG.md').split(/^## /m)
    const unnamed = changes.operations.filter((id) => !new RegExp(`\\b${id}\\b`).test(unreleased))
    assert.match(unreleased, /\(unreleased\)/)
    assert.deepEqual(unnamed, [], 'each changed operation has a line in CHANGELOG.md')
  })
})
