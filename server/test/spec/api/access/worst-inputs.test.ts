import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { graphqlLimits } from '../../../../src/api/graphql/index.ts'
import { type Contract, contracts, isStream } from '../../../../src/api/management/index.ts'
import { readCsvRows } from '../../../../src/devices/provisioning/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { scriptingLimits } from '../../../../src/scripts/scripting/index.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { makeRequest } from './requests.ts'

const { jsonFieldsMax, jsonValuesMax } = limits
const { graphqlErrorsMax, graphqlTypesAskedMax } = graphqlLimits

/** Bodies that take long to read for their bytes: each is refused before it is parsed. */
const worst = {
  names: `{${Array.from({ length: jsonFieldsMax + 1 }, (_, at) => `"${at}":1`).join()}}`,
  numbers: `[${'1,'.repeat(jsonValuesMax)}1]`,
  'empty objects': `[${'{},'.repeat(jsonValuesMax)}{}]`,
  'texts in a field': `{"a":[${'"",'.repeat(jsonValuesMax)}""]}`,
}

const numbered = (times: number, write: (at: number) => string) =>
  Array.from({ length: times }, (_, at) => write(at)).join(' ')
const unknownFields = `{ ${numbered(900, (at) => `asset${at}`)} }`
const unknownInputs = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`f${at}`, 1]))
const mostTypes = numbered(graphqlTypesAskedMax, (at) => `t${at}: __type(name: "Asset") { name }`)

/** Documents that take long to refuse or to answer: the code, and the most errors. */
const documents: Readonly<Record<string, readonly [body: object, code: string, errors: number]>> = {
  'many unknown fields': [{ query: unknownFields }, 'invalid_argument', graphqlErrorsMax + 1],
  'unknown fields of an argument': [
    { query: `{ assets(filters: {${numbered(1_000, (at) => `f${at}: 1`)}}) { id } }` },
    'invalid_argument',
    graphqlErrorsMax + 1,
  ],
  'unknown fields of a variable': [
    {
      query: 'query($given: AssetFilters) { assets(filters: $given) { id } }',
      variables: { given: unknownInputs },
    },
    'invalid_argument',
    graphqlErrorsMax + 1,
  ],
  'aliases of the schema': [{ query: '{ a: __schema { types { name } } }' }, 'too_many_aliases', 1],
  'aliases within it': [
    { query: '{ __schema { types { fields { a: name b: name } } } }' },
    'too_many_aliases',
    1,
  ],
  'aliases in a fragment of it': [
    { query: '{ __schema { types { ...F } } } fragment F on __Type { a: name }' },
    'too_many_aliases',
    1,
  ],
  'many types': [{ query: `{ ${mostTypes} t: __type(name: "Asset") { name } }` }, 'too_complex', 1],
}

let instance: TestPlatform
const onPlatform = sharedBySuites(async (context) => {
  instance = await testPlatform(context)
})

function chooseCaller({ permission }: Contract): string {
  const { operator, token, basic } = instance
  if (permission === 'operator') return operator
  return permission === 'account' ? basic : `Automation ${token}`
}

describe('the worst bodies of JSON', () => {
  onPlatform()

  for (const [what, body] of Object.entries(worst)) {
    it(`${what}: every operation with a body refuses too many`, async () => {
      const bodies = contracts.filter((contract) => {
        const given = contract.details().body
        return given !== undefined && !isStream(given)
      })
      assert.ok(bodies.length > 70, `${bodies.length} operations`)
      for (const contract of bodies) {
        const { method, path } = makeRequest(contract, { connector: instance.connector.id })
        const response = await fetch(`${instance.httpUrl}${path}`, {
          method,
          headers: { authorization: chooseCaller(contract), 'content-type': 'application/json' },
          body,
        })
        const { code } = JSON.parse(await response.text())
        assert.deepEqual([response.status, code], [413, 'too_large'], contract.id)
      }
    })
  }

  it('GraphQL refuses them among the variables', async () => {
    for (const [what, json] of Object.entries(worst)) {
      const response = await fetch(`${instance.httpUrl}/api/graphql`, {
        method: 'POST',
        headers: { authorization: instance.basic, 'content-type': 'application/json' },
        body: `{"query":"{ assetCount }","variables":{"a":${json}}}`,
      })
      assert.equal(response.status, 413, what)
    }
  })
})

type Answer = {
  readonly data?: object
  readonly errors?: readonly {
    readonly locations: readonly object[]
    readonly extensions: { readonly code: string }
  }[]
}

async function ask(body: object): Promise<Answer> {
  const response = await fetch(`${instance.httpUrl}/api/graphql`, {
    method: 'POST',
    headers: { authorization: instance.basic, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Answer
}

/** Counts how often a text of so many characters or more is searched for all matches. */
function countSearches(t: TestContext, chars: number): () => number {
  const { matchAll } = String.prototype
  let searches = 0
  t.mock.method(String.prototype, 'matchAll', function (this: string, pattern: RegExp) {
    if (this.length >= chars) searches += 1
    return matchAll.call(this, pattern)
  })
  return () => searches
}

describe('the worst documents of GraphQL', () => {
  onPlatform()

  for (const [what, [body, code, most]] of Object.entries(documents)) {
    it(`${what} are refused by a few errors`, async () => {
      const { data, errors = [] } = await ask(body)
      assert.equal(data, undefined)
      assert.equal(errors[0]?.extensions.code, code)
      assert.ok(errors.length <= most, `${errors.length} errors`)
    })
  }

  it('the lines of a document are not counted for each of its errors', async (t) => {
    const lines = 100_000
    const searches = countSearches(t, lines)
    const { errors } = await ask({ query: `${'\n'.repeat(lines)}${unknownFields}` })
    assert.deepEqual(errors?.[0]?.locations, [{ line: lines + 1, column: 3 }])
    assert.deepEqual(errors?.[1]?.locations, [{ line: lines + 1, column: 10 }])
    assert.equal(searches(), 0)
  })

  it('as many types as are allowed are answered, and the schema', async () => {
    const { data = {}, errors } = await ask({
      query: `{ ${mostTypes} __schema { types { name } } }`,
    })
    assert.equal(errors, undefined)
    assert.equal(Object.keys(data).length, graphqlTypesAskedMax + 1)
  })
})

describe('the worst files', () => {
  it('a row of millions of cells is refused where it has too many', async () => {
    let pieces = 0
    function* file() {
      yield Buffer.from('ID\n')
      for (; pieces < 30; pieces += 1) yield Buffer.alloc(65_536, ',')
    }
    const read = async () => {
      for await (const _ of readCsvRows(Readable.from(file(), { objectMode: false })));
    }
    await assert.rejects(read, { code: 'csv_invalid', reason: /^line 2: a row has more than 1000/ })
    assert.ok(pieces <= 3, `${pieces} pieces of 64 KB`)
  })
})

describe('the worst folders of scripts', () => {
  onPlatform()

  it('thousands of headers of one handler are compared once each', async (t) => {
    const headers = scriptingLimits.scriptFileLinesMax - 1
    const text = '--#EVENT device2 event\n'.repeat(headers)
    const { endsWith } = String.prototype
    let compared = 0
    t.mock.method(String.prototype, 'endsWith', function (this: string, ...given: [string]) {
      compared += 1
      return endsWith.apply(this, given)
    })
    const response = await fetch(`${instance.httpUrl}/api:1/solution-check`, {
      method: 'POST',
      headers: {
        authorization: `Automation ${instance.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ files: [{ path: 'events/a.lua', text }] }),
    })
    const { findings } = (await response.json()) as { findings: readonly object[] }
    assert.ok(findings.length >= headers - 1, `${findings.length} findings`)
    assert.ok(compared < 10 * headers, `${compared} comparisons`)
  })
})
