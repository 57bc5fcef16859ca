import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkModule, serve } from '../src/index.ts'
import { served } from './support/client.ts'
import { definition, type FakeAnswers, fakeModule, goodInsight } from './support/fake-module.ts'
import { sampleModule } from './support/sample-module.ts'

async function failuresOf(url: string): Promise<Map<string, string>> {
  const { checks } = await checkModule(url)
  return new Map(checks.flatMap(({ name, ok, reason }) => (ok ? [] : [[name, reason ?? '']])))
}

test('a module of the SDK passes every check', async (t) => {
  const { url } = await served(t, sampleModule(), { basePath: '/sample' })
  const { checks } = await checkModule(url)
  deepEqual(
    checks.filter(({ ok }) => !ok),
    [],
  )
  ok(checks.length > 15)
})

test('a module without the SDK that does the least passes every check', async (t) => {
  deepEqual(await failuresOf(await fakeModule(t)), new Map())
})

test('an action is described, and not run', async (t) => {
  const { url, troubles } = await served(t, sampleModule())
  const { checks } = await checkModule(url)
  deepEqual(troubles, [])
  ok(checks.some(({ name }) => name.startsWith('insight/broken')))
})

test('a module that requires credentials is checked with the headers that are given', async (t) => {
  const credentials = { type: 'basic', username: 'u', password: 'p' } as const
  const { url } = await served(t, sampleModule(), { credentials })
  const headers = { authorization: `Basic ${btoa('u:p')}` }
  const { checks } = await checkModule(url, { headers })
  equal(
    checks.every(({ ok }) => ok),
    true,
  )
  equal((await failuresOf(url)).get('info answers an InsightInfoResults'), 'answered 401, not 200')
})

const list = (insight: FakeAnswers[string][1]) =>
  [200, { total: 1, count: 1, insights: [insight] }] as const
const value = { ts: 1, value: 1, origin: 'connector.device.data_in.001', generated: 'f' }

const bad: readonly (readonly [string, FakeAnswers, check: string, reason: RegExp])[] = [
  ['no definition', { 'GET /interface': [404, {}] }, 'GET /interface', /answered 404/],
  [
    'OpenAPI 3',
    { 'GET /interface': [200, { ...definition, swagger: '3.0' }] },
    'the definition is OpenAPI 2.0',
    /swagger/,
  ],
  [
    'a tag without a description',
    { 'GET /interface': [200, { ...definition, tags: [{ name: 'insight' }] }] },
    'tags contains insight',
    /no tag/,
  ],
  [
    'http beside https',
    { 'GET /interface': [200, { ...definition, schemes: ['https', 'http'] }] },
    'schemes is https only',
    /"http"/,
  ],
  [
    'no process operation',
    { 'GET /interface': [200, { ...definition, paths: {} }] },
    'the operations info',
    /no operation info, insights, process/,
  ],
  ['an info in HTML', { 'GET /info': [200, '<p>'] }, 'info answers', /text\/html/],
  ['an info without its field', { 'GET /info': [200, {}] }, 'info answers', /group_id_required/],
  [
    'a list without a total',
    { 'POST /insights': [200, { count: 0, insights: [] }] },
    'insights answers',
    /total is missing/,
  ],
  [
    'outlets as an object',
    { 'POST /insights': list({ ...goodInsight, outlets: { name: 'O' } }) },
    'insights answers',
    /outlets is an object/,
  ],
  [
    'six inlets',
    { 'POST /insights': list({ ...goodInsight, inlets: Array(6).fill({ name: 'I' }) }) },
    'insights answers',
    /more than 5/,
  ],
  [
    'a list that knows no offset',
    { 'POST /insights offset': list(goodInsight) },
    'insights keeps to limit and offset',
    /gave \["f"\], not \[\]/,
  ],
  [
    'an insight that differs from its list',
    { 'GET /insight/f': [200, { ...goodInsight, name: 'G' }] },
    'insight/f answers',
    /differs/,
  ],
  ['a process that answers {}', { 'POST /anything/you/like': [200, {}] }, 'process of f', /object/],
  [
    'a process with more outlets than declared',
    { 'POST /anything/you/like': [200, [[], [value]]] },
    'process of f answers',
    /2 outlets answered, 1 declared/,
  ],
  [
    'a process that loses the fields of its source',
    { 'POST /anything/you/like': [200, [[value]]] },
    'process of f copies',
    /is lost/,
  ],
  [
    'an unknown function that succeeds',
    { 'POST /anything/you/like unknown': [200, [[]]] },
    'process refuses an unknown function',
    /answered 200, not a failure/,
  ],
  [
    'a failure in other words',
    { unknown: [500, { error: 'no' }] },
    'insight refuses an unknown function',
    /not \{message, status, name\}/,
  ],
  [
    'no lifecycle although it is wanted',
    { 'GET /info': [200, { group_id_required: false, wants_lifecycle_events: true }] },
    'lifecycle is served',
    /answered 404/,
  ],
]

for (const [what, answers, check, reason] of bad) {
  test(`a module is found out: ${what}`, async (t) => {
    const failures = await failuresOf(await fakeModule(t, answers))
    const found = [...failures].find(([name]) => name.startsWith(check))
    match(found?.[1] ?? `no failure of ${check}`, reason)
  })
}

test('a module that cannot be reached fails its checks, with the reason', async () => {
  const gone = await serve(sampleModule())
  await gone.close()
  const failures = await failuresOf(gone.url)
  match(failures.get('info answers an InsightInfoResults') ?? '', /fetch failed/)
})

async function run(words: readonly string[]): Promise<{ code: number | null; printed: string }> {
  const cli = join(import.meta.dirname, '../src/cli.ts')
  const child = spawn(process.execPath, [cli, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = Promise.withResolvers<number | null>()
  child.on('close', ended.resolve)
  const printed = await Promise.all([child.stdout.toArray(), child.stderr.toArray()])
  return { code: await ended.promise, printed: Buffer.concat(printed.flat()).toString() }
}

test('the command prints a line a check, and its exit code is the result', async (t) => {
  const good = await run(['check', await fakeModule(t)])
  match(good.printed, /^ok {6}GET \/interface/)
  match(good.printed, / checks, 0 failed\n$/)
  const poor = await run(['check', await fakeModule(t, { 'GET /info': [200, {}] })])
  match(poor.printed, /^FAILED {2}info answers/m)
  const wrong = await run(['check', 'not a url'])
  match(wrong.printed, /^usage:/)
  deepEqual([good.code, poor.code, wrong.code], [0, 1, 2])
})
