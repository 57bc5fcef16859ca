import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Check, checkModule, conformanceCases, conformanceRules } from '../src/conformance.ts'
import { serve } from '../src/index.ts'
import { served } from './support/client.ts'
import { fakeModule } from './support/fake-module.ts'
import { sampleModule } from './support/sample-module.ts'

async function listFailures(url: string): Promise<Map<string, string>> {
  const { checks } = await checkModule(url)
  return new Map(checks.flatMap(({ name, ok, reason }) => (ok ? [] : [[name, reason ?? '']])))
}

/** Every row of the tables and of the endpoints in Part A of the specification. */
const rows: Readonly<Record<string, string>> = {
  Definition: 'tags schemes consumes produces host basePath',
  ConfigParameter: 'name description type format required',
  InsightInfoResults: 'group_id_required name description wants_lifecycle_events translations',
  InsightsFilterParams: 'group_id limit offset',
  InsightListResults: 'total count insights',
  InsightInfo:
    'id name description translations type constants constants_multiple_maximum inlets outlets',
  SignalTypeInputInfo: 'name primitive_type data_type data_unit tag description translations',
  SignalTypeOutputInfo:
    'name primitive_type data_type data_unit description suggested_name translations',
  ConstantInfo:
    'name type description default enum enum_presented maximum minimum multiple translations',
  LifecycleEvent: 'event id args',
  SignalData: 'ts value origin generated gts tags ttl',
  ProcessRequest: 'id data args',
  ErrorResponse: 'message status name',
}
const endpoints = [
  'GET /info',
  'POST /insights',
  'GET /insight/{function_id}',
  'POST /lifecycle',
  'POST /process',
  'GET /interface',
]

test('every row of Part A is a check', () => {
  const names = new Set(conformanceRules.map(({ name }) => name))
  equal(names.size, conformanceRules.length, 'no name stands twice')
  const fields = Object.entries(rows).flatMap(([table, keys]) =>
    keys.split(' ').map((key) => `${table}.${key}`),
  )
  deepEqual(
    [...fields, ...endpoints, 'info.x-vendor-config-parameters'].filter((name) => !names.has(name)),
    [],
  )
})

test('the reference module passes every check, and each check looks at something', async (t) => {
  const { checks } = await checkModule(await fakeModule(t))
  deepEqual(
    checks.filter(({ ok, count }) => !ok || count === 0).map(({ name }) => name),
    ['transport is HTTPS'],
  )
})

test('each check has a case that breaks it', () => {
  const broken = new Set(conformanceCases.map(({ breaks }) => breaks))
  const whole = conformanceRules.filter(({ name }) => !broken.has(name))
  deepEqual(
    whole.map(({ name }) => name),
    ['transport is HTTPS'],
  )
})

for (const { breaks, title, change } of conformanceCases) {
  test(`${breaks} finds ${title}`, async (t) => {
    const failures = await listFailures(await fakeModule(t, change))
    ok(failures.has(breaks), [...failures.keys()].join(', '))
  })
}

test('a module that does the least passes every check', async (t) => {
  const change = {
    info: { name: undefined, wants_lifecycle_events: undefined, translations: undefined },
    function: { type: undefined, constants: undefined, translations: undefined },
    outlet: Object.fromEntries(
      ['name', 'data_type', 'data_unit', 'suggested_name'].map((key) => [key, undefined]),
    ),
    signal: { gts: undefined },
  }
  deepEqual(await listFailures(await fakeModule(t, change)), new Map())
})

test('a module of the SDK passes every check', async (t) => {
  const { url } = await served(t, sampleModule(), { basePath: '/sample' })
  deepEqual(await listFailures(url), new Map())
})

test('an action is described, and not run', async (t) => {
  const { url, troubles } = await served(t, sampleModule())
  await checkModule(url)
  ok(troubles.every((trouble) => !(trouble instanceof Error)))
})

test('a module that is called over HTTP on another machine is found out', async () => {
  const { checks } = await checkModule('http://module.invalid', { msMax: 1 })
  const found = checks.find(({ name }) => name === 'transport is HTTPS') as Check
  deepEqual([found.ok, found.reason], [false, 'http://module.invalid is not https'])
})

test('a module that requires credentials is checked with the headers that are given', async (t) => {
  const credentials = { type: 'basic', username: 'u', password: 'p' } as const
  const { url } = await served(t, sampleModule(), { credentials })
  const headers = { authorization: `Basic ${btoa('u:p')}` }
  const { checks } = await checkModule(url, { headers })
  ok(checks.every((check) => check.ok))
  equal((await listFailures(url)).get('GET /info'), 'answered 401, not 200')
})

test('a module that cannot be reached fails its checks, with the reason', async () => {
  const gone = await serve(sampleModule())
  await gone.close()
  match((await listFailures(gone.url)).get('GET /info') ?? '', /fetch failed/)
})

async function run(...words: string[]): Promise<{ code: number | null; printed: string }> {
  const cli = join(import.meta.dirname, '../src/cli.ts')
  const child = spawn(process.execPath, [cli, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = Promise.withResolvers<number | null>()
  child.on('close', ended.resolve)
  const printed = await Promise.all([child.stdout.toArray(), child.stderr.toArray()])
  return { code: await ended.promise, printed: Buffer.concat(printed.flat()).toString() }
}

test('the command prints a line a check, and its exit code is the result', async (t) => {
  const good = await run('check', await fakeModule(t))
  match(good.printed, /^ok {6}GET \/interface/m)
  match(good.printed, /^- {7}transport is HTTPS: nothing to check$/m)
  match(good.printed, /\n\d+ checks, 0 failed\n$/)
  const poor = await run('check', await fakeModule(t, { info: { name: null } }))
  match(poor.printed, /^FAILED {2}InsightInfoResults\.name: info: name is null, not a string$/m)
  match(poor.printed, /, 1 failed\n$/)
  const wrong = await run('check', 'not a url')
  match(wrong.printed, /not a URL/)
  deepEqual([good.code, poor.code, wrong.code], [0, 1, 2])
})

test('the command prints JSON with --json', async (t) => {
  const url = await fakeModule(t, { info: { name: null } })
  const { code, printed } = await run('check', url, '--json')
  const { checks, ...rest } = JSON.parse(printed)
  deepEqual([code, rest], [1, { url, failed: 1 }])
  equal(checks.length, conformanceRules.length)
  const [failed] = checks.filter((check: Check) => !check.ok)
  equal(failed.name, 'InsightInfoResults.name')
})
