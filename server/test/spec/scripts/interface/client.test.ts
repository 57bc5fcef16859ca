import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { testFolder } from '../../../fixtures/engine.ts'
import { type InterfaceFixture, interfaceFixture } from '../../../fixtures/interface.ts'
import { assertFault, assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..', '..', '..', '..')
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

/** Texts that try to leave the comment or the string in which they are written. */
const hostile = '*/ evil(); /* \n]] evil() --[[\r--]]\u2028evil()\n@ts-expect-error\n@class evil'
const oddNames = ['a"b', "c'd", '--]]', 'e\nf', '*/', '\\', 'constructor', '`g`', 'é\u2028', 'new']

const text = { type: 'string' }
const definition = {
  default_script_key: 'pumps',
  name: `Pump station ${hostile}`,
  description: hostile,
  operations: [
    {
      name: 'echo',
      script: 'return event',
      description: `Says the same. ${hostile}`,
      parameters: {
        type: 'object',
        required: ['mode', 'count'],
        properties: {
          mode: { enum: ['on', 'off', hostile], description: hostile },
          count: { type: 'integer', default: 3 },
          place: { type: 'array', items: [{ type: 'number' }, text], minItems: 1 },
          tags: { type: 'array', items: text },
          nothing: { type: 'null' },
          deep: { type: 'object', required: ['x'], properties: { x: { type: 'boolean' } } },
          map: { type: 'object', additionalProperties: { type: 'number' } },
          mixed: {
            type: 'object',
            properties: { a: text },
            patternProperties: { '^n': { type: 'number' } },
            additionalProperties: { type: 'null' },
          },
          anything: {},
        },
      },
      response: {
        type: 'object',
        required: ['mode'],
        properties: { mode: text, count: { type: 'integer', default: 3 }, tags: {} },
      },
    },
    {
      name: 'odd',
      script: 'return event',
      parameters: {
        type: 'object',
        properties: Object.fromEntries(oddNames.map((name) => [name, text])),
      },
      response: { type: 'object', required: oddNames.slice(0, 2) },
    },
    { name: 'nothing', script: 'return nil', response: { type: 'null' } },
    { name: 'fails', script: 'return {type = "QueryError", error = "no pump", status = 404}' },
    { name: 'breaks', script: 'error("secret of the script")' },
    { name: 'lies', script: 'return 5', response: text },
    { name: 'binary', script: 'return "\\255\\254"' },
    { name: 'text', script: 'return "a"', response: text },
    { name: 'caller', script: 'return context.caller_id or "nobody"' },
    ...['then', 'new', 'end', 'constructor', 'toString', 'fetch', 'Echo'].map((name) => {
      return { name, script: `return "${name}"`, response: text }
    }),
  ],
  events: [{ name: 'alarm', parameters: { type: 'object', properties: { level: text } } }],
}

let fixture: InterfaceFixture
let folder = ''
const onPump = sharedBySuites(async (suite) => {
  fixture = await interfaceFixture(suite)
  await fixture.expose('pump', definition)
  folder = await testFolder(suite)
})

const client = (solution: string, query: string, token?: string) =>
  fixture.ask('GET', `/solution/${solution}/definition/client?${query}`, undefined, token)

async function readText(query: string): Promise<string> {
  const answer = await client('pump', query)
  assertStatus(answer, 200)
  return answer.json.text
}

const typescript = () => readText('language=typescript')

/** The errors that our own tsc reports of modules in a folder; nothing if there are none. */
async function typeErrors(files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, source] of Object.entries(files)) await writeFile(join(folder, name), source)
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  const compilerOptions = { typeRoots: [join(root, 'node_modules', '@types')] }
  const base = join(root, 'tsconfig.base.json')
  const config = { extends: base, include: ['*.ts'], compilerOptions }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  return run(process.execPath, [tsc, '-p', folder]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
}

describe('clients of an exposed solution', () => {
  onPump()

  it('TypeScript: type-checks under our strict tsc, and calls an instance', async () => {
    const use = `
      import { createPumpsClient, PumpsError } from './pumps.ts'
      export async function use(url: string, token: string): Promise<unknown[]> {
        const pumps = createPumpsClient({ url, token })
        const said = await pumps.echo({
          mode: 'on', place: [1, 'a', {}], tags: ['x'], nothing: null, deep: { x: true },
          map: { any: 1 }, mixed: { a: 't', n1: 4 }, anything: 'at all',
        })
        const mode: string = said.mode
        const count: number = said.count
        const odd = await pumps.odd({ 'a"b': '1', "c'd": '2', '--]]': '3', '*/': '4', new: '5' })
        const nothing: null | undefined = await pumps.nothing()
        const words: string[] = [await pumps.then_(), await pumps.new(), await pumps.end(),
          await pumps.constructor(), await pumps.toString(), await pumps.fetch(),
          await pumps.Echo()]
        const failed = await pumps.fails().catch((error: unknown) => error)
        if (!(failed instanceof PumpsError)) throw new Error('no error')
        return [mode, count, odd, nothing, words, failed.type, failed.status, failed.message]
      }`
    assert.equal(await typeErrors({ 'pumps.ts': await typescript(), 'use.ts': use }), '')
    const { use: called } = await import(pathToFileURL(join(folder, 'use.ts')).href)
    assert.deepEqual(await called(fixture.millrace.httpUrl, fixture.millrace.token), [
      ...['on', 3, { 'a"b': '1', "c'd": '2', '--]]': '3', '*/': '4', new: '5' }, undefined],
      ['then', 'new', 'end', 'constructor', 'toString', 'fetch', 'Echo'],
      ...['QueryError', 404, 'no pump'],
    ])
  })

  it('TypeScript: what breaks a schema does not type-check', async () => {
    const wrong = [
      ['pumps.echo({})', /mode/],
      ["pumps.echo({ mode: 'neither' })", /neither/],
      ["pumps.echo({ mode: 'on', count: 'x' })", /'string' is not assignable to type 'number'/],
      ["pumps.echo({ mode: 'on', place: [] })", /Source has 0 element/],
      ["pumps.echo({ mode: 'on', tags: [1] })", /number/],
      ["pumps.echo({ mode: 'on', nothing: 1 })", /null/],
      ["pumps.echo({ mode: 'on', deep: {} })", /'x' is missing/],
      ["pumps.echo({ mode: 'on', map: { a: 'x' } })", /number/],
      ["pumps.echo({ mode: 'on', mixed: { n1: true } })", /Type 'true' is not assignable/],
      ["pumps.echo({ mode: 'on', unexpected: 1 })", /unexpected/],
      ["pumps.odd({ 'a\"b': 1 })", /string/],
      ['pumps.walk()', /walk/],
    ] as const
    const lines = wrong.map(([call]) => `void ${call}`)
    const head =
      "import { createPumpsClient } from './pumps.ts'; " +
      "const pumps = createPumpsClient({ url: '', token: '' })"
    const use = [head, ...lines, 'export {}'].join('\n')
    const reported = await typeErrors({ 'pumps.ts': await typescript(), 'use.ts': use })
    for (const [index, [call, message]] of wrong.entries()) {
      const found = reported.match(new RegExp(`use\\.ts\\(${index + 2},.*(?:\n {2}.*)*`))
      assert.match(found?.[0] ?? '', message, call)
    }
    assert.doesNotMatch(reported, /pumps\.ts\(/)
  })

  it('only a business that may use the solution gets a client', async () => {
    const { businessId, token } = await fixture.otherOwner()
    assertFault(await client('pump', 'language=typescript', token), 'not_found')
    await fixture.expose('pump', { ...definition, whitelist: [businessId] })
    assertStatus(await client('pump', 'language=typescript', token), 200)
    await fixture.expose('pump', definition)
    assertFault(await client('nobody', 'language=lua'), 'not_found')
    await fixture.solution('plain')
    assertFault(await client('plain', 'language=lua'), 'not_found')
    const operator = await fixture.makeToken('Operator')
    assertFault(await client('pump', 'language=lua', operator), 'forbidden', /Setup/)
  })

  it('is found by its script key, and only in a language that there is', async () => {
    assert.equal((await client('pumps', 'language=typescript')).json.text, await typescript())
    for (const query of ['', 'language=', 'language=perl', 'language=lua&colour=1']) {
      assertFault(await client('pump', query), 'invalid_argument')
    }
    const key = await client('pump', 'language=typescript&key=station')
    assertFault(key, 'invalid_argument', /^key is for the language lua$/)
  })
})

describe('clients of an exposed solution in Lua, and their texts', () => {
  onPump()

  it('no text of the definition leaves its comment or its string', async () => {
    const lua = await readText('language=lua')
    for (const written of [await typescript(), lua]) {
      assert.match(written, /evil/)
      assert.doesNotMatch(written, /[^\x20-\x7e\n]/)
    }
    for (const line of (await typescript()).split('\n')) {
      if (/evil|@/.test(line)) assert.match(line, /^ *(?:\*(?!\/)| readonly mode: ")/, line)
    }
    for (const line of lua.split('\n')) {
      if (/evil/.test(line)) assert.match(line, /^--- (?!@)|^---@field mode "on"\|"off"\|"/, line)
    }
    await fixture.put('pump', 'client', `function evil() error("evil") end ${lua}`)
    assert.equal(await fixture.run('pump', 'return 1'), 1)
  })

  it('Lua: a module that wraps the operations, for the scripts of a subscriber', async () => {
    await fixture.subscriber('lua', 'pump', { script_key: 'station' })
    const files = [
      {
        path: 'modules/clients/station.lua',
        text: await readText('language=lua&key=station'),
      },
    ]
    assertStatus(await fixture.ask('POST', '/solution/lua/push', { files }), 200)
    const called = await fixture.run(
      'lua',
      `local station = require("clients.station")
      return {station.echo{mode = "off", tags = {"x"}}, station["end"](), station.new(),
        station.fails().status, station.echo{mode = "neither"}.status}`,
    )
    assert.deepEqual(called, [{ mode: 'off', count: 3, tags: ['x'] }, 'end', 'new', 404, 400])
    const [{ text: lua = '' } = {}] = files
    assert.match(lua, /^---@class station\.echo\.parameters$/m)
    assert.match(lua, /^---@field count\? integer$/m)
    assert.match(lua, /^---@field deep\? \{ x: boolean \}$/m)
    assert.match(lua, /^---@field \["--\]\]"\]\? string$/m)
    assert.match(lua, /^---@class station\.alarm\.event$/m)
    assert.match(lua, /^---@return station\.echo\.response\|station\.error$/m)
    assert.match(lua, /^ {2}return Station\.echo\(arguments\)$/m)
  })

  it('Lua: a key that is no script key is refused', async () => {
    for (const key of ['a', '1a', 'a b', 'a.b', 'x"]', 'a\nb', 'a'.repeat(201)]) {
      const answer = await client('pump', `language=lua&key=${encodeURIComponent(key)}`)
      assertFault(answer, 'invalid_argument', /^key /)
    }
  })
})

const call = (operation: string, body?: unknown, token?: string, query = '') =>
  fixture.ask('POST', `/solution/pump/interface/${operation}${query}`, body, token)
describe('POST /solution/<id>/interface/<operation>', () => {
  onPump()

  it('answers what the handler returned, with the defaults of both schemas', async () => {
    assert.deepEqual(await call('echo', { mode: 'on' }), {
      status: 200,
      json: { mode: 'on', count: 3 },
    })
    assert.deepEqual(await call('text', {}), { status: 200, json: 'a' })
    assert.deepEqual(await call('nothing'), { status: 204, json: undefined })
    const byKey = await fixture.ask('POST', '/solution/pumps/interface/text', {})
    assert.deepEqual(byKey, { status: 200, json: 'a' })
  })

  it('a failure is the error object that scripts get, with its status', async () => {
    const rows: [string, unknown, number, RegExp][] = [
      ['fails', {}, 404, /^no pump$/],
      ['breaks', {}, 500, /secret of the script/],
      ['lies', {}, 502, /^What lies answered breaks its schema: response must be of type string/],
      ['binary', {}, 502, /UTF-8/],
      ['echo', { mode: 'neither' }, 400, /^parameters\.mode must be one of/],
      ['echo', [1], 400, /^parameters must be of type object/],
      ['echo', undefined, 400, /^parameters\.mode must be given/],
      ['walk', {}, 404, /^The service has no such operation/],
      ['alarm', {}, 404, /^The service has no such operation/],
    ]
    for (const [operation, body, status, error] of rows) {
      const { json, ...answer } = await call(operation, body)
      assert.equal(answer.status, status, JSON.stringify(json))
      assert.deepEqual(Object.keys(json).sort(), ['error', 'status', 'type'])
      assert.equal(json.type, status < 500 ? 'QueryError' : 'ServerError')
      assert.equal(json.status, status)
      assert.match(json.error, error)
    }
  })

  it('a status that is none of HTTP’s errors goes out as 500', async () => {
    const rows = [
      ...[200, 99, 399, 600, 404.5].map((status) => [status, 500] as const),
      ...[400, 599].map((status) => [status, status] as const),
    ]
    const operations = rows.map(([status], at) => {
      const script = `return {type = "QueryError", error = "e", status = ${status}}`
      return { name: `row${at}`, script }
    })
    await fixture.exposed('statuses', { operations })
    for (const [at, [given, wanted]] of rows.entries()) {
      const { status, json } = await fixture.ask('POST', `/solution/statuses/interface/row${at}`)
      assert.equal(status, wanted, `${given}`)
      assert.equal(json.error, 'e')
    }
  })

  it('parameters of a subscription are defaults; nobody calls as another business', async () => {
    const who = await fixture.otherOwner()
    await fixture.expose('pump', { ...definition, whitelist: [who.businessId] })
    await fixture.subscriber('desk', 'pump', { parameters: { mode: 'off' } })
    assert.equal((await call('echo', {}, undefined, '?subscriber=desk')).json.mode, 'off')
    const stolen = await call('echo', {}, who.token, '?subscriber=desk')
    assertStatus(stolen, 404)
    assert.equal(stolen.json.error, 'The subscriber is not found.')
    assertStatus(await call('text', {}, undefined, '?subscriber=nobody'), 404)
    assertFault(await call('text', {}, undefined, '?colour=1'), 'invalid_argument')
  })

  it('a body that is too large, or no JSON, reaches no script', async () => {
    const large = JSON.stringify('x'.repeat(limits.managementBodyBytesMax))
    assertFault(await call('text', large), 'too_large')
    assertFault(await call('text', '{'), 'malformed_request')
    assertFault(await call('text', '{"__proto__": 1}'), 'malformed_request')
  })
})

describe('who may call POST /solution/<id>/interface/<operation>', () => {
  onPump()

  it('another business: only one of the whitelist, and without details of scripts', async () => {
    const { businessId, token } = await fixture.otherOwner()
    assert.deepEqual(await call('text', {}, token), {
      status: 404,
      json: { type: 'QueryError', error: 'The service is not found.', status: 404 },
    })
    await fixture.expose('pump', { ...definition, whitelist: [businessId] })
    assertStatus(await call('text', {}, token), 200)
    assert.equal((await call('breaks', {}, token)).json.error, 'The handler of breaks failed.')
    await fixture.expose('pump', definition)
    assertStatus(await call('text', {}, token), 404)
  })

  it('only who sees the whole business: scripts act for all of it', async () => {
    const { accounts, groups } = fixture.millrace.platform
    const { id } = await groups.create(wholeView(fixture.businessId), { name: 'Hall' })
    const given = { name: 'hall', role: 'Administrator', groups: [id] }
    const { token } = await accounts.createToken(fixture.businessId, given)
    assertFault(await call('text', {}, token), 'forbidden', /view of the whole business/)
    assertStatus(await call('text', {}), 200)
  })

  it('the quota of a subscription holds for its business outside, too', async () => {
    const who = await fixture.otherOwner()
    const call2 = (query = '') => call('caller', {}, who.token, query)
    await fixture.expose('pump', { ...definition, whitelist: [who.businessId] })
    assert.equal((await call2()).json, 'nobody')
    const id = await fixture.subscriber('office', 'pump', {}, who)
    const quota = { calls_daily: 2 }
    assertStatus(await fixture.pump('PATCH', '/subscribers/office', { quota }), 200)
    assert.equal((await call2()).json, 'office')
    assert.equal((await call2(`?subscriber=${id}`)).json, 'office')
    const refused = await call2('?subscriber=office')
    assertStatus(refused, 429)
    assert.match(refused.json.error, /^The quota calls_daily of 2 calls is used up/)
    assert.equal((await call('caller', {})).json, 'nobody')

    await fixture.subscriber('office2', 'pump', {}, who)
    const unclear = await call2()
    assertStatus(unclear, 400)
    assert.match(
      unclear.json.error,
      /^subscriber must name the calling subscription, one of 2 subscriptions/,
    )
    // Both are of one business, which has one quota.
    assertStatus(await call2('?subscriber=office2'), 429)
  })
})
