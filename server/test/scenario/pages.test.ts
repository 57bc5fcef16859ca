import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { isLongForm } from '../fixtures/bounds.ts'
import { demoSettings, type StartedDemo, startDemo } from '../fixtures/demo.ts'
import { pages, pastePage, readersFolder, root } from '../fixtures/processes/page.ts'
import { suiteContext } from '../fixtures/suite.ts'
import { parseCsv } from '../fixtures/wire/csv.ts'

type Ran = { readonly stdout: string; readonly stderr: string; readonly folder: string }

type Page = {
  readonly goesOn?: true
  /** A line of the test's own at the end. */
  readonly last?: string
  /** True if npx itself runs its commands in each form. */
  readonly npx?: true
  check(ran: Ran, demo: StartedDemo['demo']): Promise<void> | void
}

const checks: Readonly<Record<string, Page>> = {
  'bring-a-project.md': {
    check({ stdout }) {
      assert.match(stdout, /^error +superseded services\/timer\.lua:3: Timeseries\.write is no/m)
      assert.match(stdout, /^error +absent +services\/timer\.lua:4: Faraway\.report: the solution/m)
      assert.match(stdout, /^warning setting +services\/tsdb\.yaml: tsdb has no setting/m)
      assert.match(stdout, /^exit code 1$/m)
      assert.match(stdout, /^note +murano\.yaml: options\.merge is kept and changes nothing$/m)
      assert.match(stdout, /^result {2}null$/m)
      assert.match(stdout, /^4 passed, 0 failed/m)
      assert.match(stdout, /^errors 0, warnings 0$/m)
    },
  },
  'content.md': {
    check({ stdout }) {
      assert.match(stdout, /firmware-1\.4\.0\.bin\r\n/)
      assert.match(stdout, /application\/x-firmware,3000000,\d{10},1\.4\.0/)
    },
  },
  'developing-solutions.md': { check: checkDeveloping },
  'devices.md': {
    check({ stdout }) {
      const codes = stdout.split('\n').filter((line) => /^[a-z_]*\d{3}$/.test(line))
      assert.deepEqual(codes, ['204', '204', '204', '204', '204', 'unknown_credential401'])
      assert.match(stdout, /"type":"refusal".*"message":"The request carries no credential\."/)
      assert.match(stdout, /"type":"write".*"message":"Wrote level=3\."/)
    },
  },
  'endpoints.md': { check: checkEndpoints },
  'example-solutions.md': { check: checkExamples },
  'insight-modules.md': {
    npx: true,
    check({ stdout }) {
      assert.match(stdout, /^scaling\/module\.js$/m)
      assert.match(stdout, /pass 2\n/)
      assert.match(stdout, /^\d{2} checks, 0 failed$/m)
      assert.match(stdout, /"name":"Scale result","lastValue":\{"value":-?\d/)
      assert.match(stdout, /the module \S+ is removed$/m)
    },
  },
  'interface-clients.md': {
    check({ stdout, stderr }) {
      assert.match(stdout, /^filling\n409 The tank is too small\.$/m)
      assert.match(stdout, /^added {5}module clients\.tanks$/m)
      assert.match(stdout, /^operation fill: parameters\.by is required now {2}garden$/m)
      assert.match(stdout, /^it would break a subscriber$/m)
      assert.match(stderr, /breaks subscribers: .*parameters\.by is required now \(garden\)/)
      assert.match(stdout, /^rejected\n(?:.*\n)*changed {3}service interface$/m)
    },
  },
  'mqtt.md': {
    last: 'echo "identity $ID"',
    async check({ stdout }, demo) {
      assert.match(stdout, /^[0-9a-f]{40}$/m)
      assert.match(stdout, /^\$resource\/config_io\/\d{16}$/m)
      assert.match(stdout, /^\$resource\/data_out\/\d{16}$/m)
      const [, identity] = /^identity (.*)$/m.exec(stdout) ?? []
      const headers = { Authorization: `Automation ${demo.token}` }
      const path = `service/demo/device2/identity/${identity}/state`
      const answer = await fetch(`${demo.api}/${path}`, { headers })
      const state = (await answer.json()) as Readonly<Record<string, { reported?: unknown }>>
      assert.equal(state.firmware?.reported, '1.0.3')
      assert.equal(state.data_in?.reported, '{"001":21.5}')
      assert.equal(state.data_out?.reported, '{"004":true}')
    },
  },
  'notifications.md': { check: checkNotifications },
  'device-lifecycle.md': {
    check({ stdout }) {
      const pump = 'pump-\\d+'
      assert.match(stdout, new RegExp(`^${pump} is locked; .*\nlocked 403\n`))
      assert.match(stdout, new RegExp(`\n${pump} is unlocked\nIf .* add --reprovision\n 204\n`))
      assert.match(stdout, /\n1 ordered to activate again\nunknown_credential 401\n 204\n/)
      const rotated = ` may get a new credential with its old one until \\S+\n 204\n 204\n`
      assert.match(stdout, new RegExp(`\n${pump}${rotated}unknown_credential 401\n`))
      assert.match(stdout, /\ndata_out +\S+ {2}- {2}is to be \{"004":true\}\ndata_out=\S+ 200\n/)
      assert.match(stdout, /\nsite=lab\nfloor=2\nsite=lab\n/)
      assert.match(stdout, new RegExp(`\n${pump} is removed\nunknown_credential 401\n$`))
    },
  },
  'solutions.md': {
    check({ stdout }) {
      assert.match(stdout, /^added {5}handler device2_event$/m)
      assert.match(stdout, /^added {5}service interface$/m)
      assert.match(stdout, /^added {5}module pumps\.levels$/m)
      assert.match(stdout, / info {3}handle_device2_event {2}pump-\d+ is at 7\.5$/m)
      const alarm = / warn {3}handle_pumps_alarm {2}pump-\d+ was at 9\.5, and is at 9\.5$/m
      assert.match(stdout, alarm)
      assert.match(stdout, / 1 try {2}device2_event {2}500 device2_event\.lua:8: .*compare/m)
      assert.match(stdout, /^changed {3}module pumps\.levels$/m)
      assert.match(stdout, /^1 will be handled again$/m)
      assert.match(stdout, / info {3}handle_device2_event {2}pump-\d+ is at 9\.25$/m)
    },
  },
  'whitelisting.md': { goesOn: true, check: checkWhitelisting },
}

/** So many pages have npx itself in the long form: npm costs more than the commands do. */
const npxPages = 3

/** Pages without a test here, and why. */
const others: Readonly<Record<string, string>> = {
  'console.md': 'the pages of the console are tested in a browser: console/*.test.ts',
  'graph.md': 'graph-page.test.ts fills an instance for it',
  'device-api.md': 'its blocks are requests, and no commands',
}

describe('the pages of docs/using, pasted by a reader beside `npm start`', () => {
  const suite = suiteContext()
  const seed = Number(process.env.MILLRACE_TEST_SEED ?? randomInt(1_000_000))
  let folder: string
  let reader: Readonly<Record<string, string>>
  let demo: StartedDemo

  before(async () => {
    folder = await readersFolder(suite)
    const { DATABASE_URL = '', ...settings } = await demoSettings(suite)
    const MILLRACE_DATA = join(folder, '.millrace')
    // The page on insight modules starts the platform so.
    const allowed = { MILLRACE_OUTBOUND_ALLOW: '127.0.0.1:9402' }
    const all = { ...settings, ...allowed, DATABASE_URL, MILLRACE_DATA, MILLRACE_LOG: 'silent' }
    demo = await startDemo(suite, all)
    reader = { DATABASE_URL, MILLRACE_LOG: 'silent' }
  })

  it('are all here', async () => {
    const known = [...Object.keys(checks), ...Object.keys(others)].sort()
    assert.deepEqual((await readdir(pages)).filter((name) => name.endsWith('.md')).sort(), known)
  })

  for (const [at, name] of shuffled(Object.keys(checks), seed).entries()) {
    it(`${name}: its commands work, copied as they stand (seed ${seed})`, async () => {
      const { check, ...options } = checks[name] ?? assert.fail(name)
      const before = await readdir(root)
      const npx = options.npx ?? (isLongForm && at < npxPages)
      const ran = await pastePage(name, { folder, settings: reader, ...options, npx })
      try {
        await check({ ...ran, folder }, demo.demo)
      } catch (error) {
        throw new Error(`it printed:\n${ran.stdout}\n${ran.stderr}`, { cause: error })
      }
      assert.deepEqual(await readdir(root), before, 'the checkout is as it was')
    })
  }

  it('leave an instance that stops in order', async () => {
    assert.equal(await demo.stop(), 0)
  })
})

/** In an order that the seed gives (Fisher and Yates, with a linear congruential generator). */
function shuffled(names: readonly string[], seed: number): string[] {
  const order = [...names]
  let state = seed >>> 0
  for (let last = order.length - 1; last > 0; last -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = Math.floor((state / 2 ** 32) * (last + 1))
    const [here = '', there = ''] = [order[last], order[other]]
    order[last] = there
    order[other] = here
  }
  return order
}

async function checkDeveloping({ stdout }: Ran): Promise<void> {
  assert.match(stdout, /^result {2}"Welcome, Countess Ada"$/m)
  assert.match(stdout, /^the solution entrance is new$/m)
  assert.match(
    stdout,
    /^[\d:.]+ {2}returned {2}user_enters .* 1 service call\n {4}info {2}guest 1$/m,
  )
  assert.match(stdout, /^[\d:.]+ {2}failed {2}user_enters .*\n {4}info {2}guest 2\n/m)
  assert.match(stdout, /^not pushed: what was there before runs on$/m)
  // The error on the page is the error that is shown.
  const page = await readFile(join(root, 'docs', 'using', 'developing-solutions.md'), 'utf8')
  const [shown = ''] = /^ {8}modules\/names\.lua:3[\s\S]*?(?=\n\n)/m.exec(page) ?? []
  assert.ok(stdout.includes(shown.replaceAll(/^ {4}/gm, '')), `${shown} is shown`)
  assert.match(stdout, /^ {2}failed {3}test_who_has_no_title_is_called_by_name /m)
  assert.match(stdout, /^2 passed, 1 failed, in /m)
  assert.match(stdout, /^1 passed, 0 failed, in /m)
  assert.match(stdout, /^ {2}ok {7}test_an_open_entrance_without_a_count_is_logged /m)
  assert.match(stdout, /^4 passed, 0 failed, in /m)
  assert.match(stdout, /^added {5}static file index\.html$/m)
  assert.match(stdout, /^result {2}"Hello!"$/m)
  assert.match(stdout, /^<h1>Lobby<\/h1>$/m)
}

function checkEndpoints({ stdout }: Ran): void {
  assert.match(stdout, /^added {5}endpoint GET \/hello\/\{name\}$/m)
  assert.match(stdout, /"hello":"world"/)
  assert.match(stdout, /HTTP\/1\.1 201 Created\r\n/)
  assert.match(stdout, /^Location: \/notes\r$/m)
  assert.equal(stdout.match(/<h1>oil the pump<\/h1>/g)?.length, 2)
  assert.match(stdout, /^Content-Security-Policy: sandbox\r$/m)
  assert.match(stdout, /"code":"unknown_credential"/)
  assert.match(stdout, /token:[a-z0-9]+/)
  assert.match(stdout, /^Access-Control-Allow-Origin: https:\/\/app\.example\.com\r$/m)
  assert.match(stdout, /^\{"sent":1\}\{"joined":"hall"\}$/m)
  assert.match(stdout, /^\{"text":"oil the pump"\}$/m)
  assert.match(stdout, /^\d{2} checks, 0 failed$/m)
  assert.match(
    stdout,
    /\n([a-z][a-z0-9]{15})\nbuiltin .*\n(?:.*\n)*\1 {2}http:\S+\/solution\/thermal +Thermal\n$/,
  )
}

function checkExamples({ stdout }: Ran): void {
  assert.match(stdout, /^\{"stations":\[/)
  assert.match(stdout, /^added {5}service device2$/m)
  // A script's table has no order.
  const called = stdout.split('\n').find((line) => line.includes('"identity":"seattle-1"'))
  assert.match(called ?? '', /"readings":\{[^}]*"temperature":-?\d/)
  assert.match(stdout, /^added {5}endpoint PUT \/stations\/\{id\}\/name$/m)
  assert.match(stdout, /^\{"stations":\[\{[^\n]*"id":"seattle-3"/m)
  assert.match(stdout, /"columns":\["time","temperature"\]/)
  assert.match(stdout, /^\{[^\n]*"temperature":\{[^}]*"count":\d/m)
  assert.match(stdout, / info {3}handle_timer_timer {2}\d+ temperatures, at most \d/)
  assert.match(stdout, /"code":"unknown_credential"[^\n]*401\n200\n\{[^\n]*"name":"Roof"/)
  assert.match(stdout, /"linkFunction":\{"id":"[a-z0-9-]+"\}/)
  assert.match(stdout, /"name":"Fahrenheit fahrenheit","lastValue":\{"value":-?\d/)
}

function checkNotifications({ stdout }: Ran, demo: StartedDemo['demo']): void {
  assert.equal(demo.solutions.alerts, 'weatheralerts')
  assert.match(stdout, /"body":"It is [\d.]+ °C there\."/)
  assert.match(stdout, /"title":"seattle-\d is critical"/)
  assert.match(stdout, /"binding_type":"apn"/)
  assert.match(stdout, /"dry_run":true/)
  assert.match(stdout, /"total":2/)
  assert.match(stdout, /"encoding":"UCS-2"/)
  const sink = /^\S+Z {2}sms {2}\+15551234567 {2}(NT[0-9a-f]{32})\n {2}(\{.*too hot.*\})$/m.exec(
    stdout,
  )
  assert.ok(sink, stdout)
  const sms = { To: '+15551234567', From: '+15550009999', Body: 'It is too hot: 95 °C' }
  assert.deepEqual(JSON.parse(sink[2] ?? ''), sms)
  assert.match(stdout, /"apns-priority":"10".* \{"pump":7,"aps":\{"alert":\{"title":"Pump 7",/)
  assert.match(stdout, new RegExp(`^${sink[1]}  \\S+  2 sent  Pump 7: It is too hot`, 'm'))
  assert.match(stdout, /^BS[0-9a-f]{32} {2}sms {2}\+15551234567 {2}sent$/m)
  assert.match(stdout, /^ {2}\S+Z {2}answer {2}shown in the local sink$/m)
  assert.match(
    stdout,
    /^apn {2}sink\nfcm {2}sink\ngcm {2}sink\nsms {2}sink\nvendor-messenger {2}sink$/m,
  )
  assert.match(stdout, /^ann is reached by apn\nbob is reached by sms\ncid is reached by sms$/m)
  assert.match(stdout, /^sent NT[0-9a-f]{32}$/m)
  assert.match(stdout, /"To":"\+15557654321",.*"Body":"All is well"/)
  assert.match(
    stdout,
    /^line 2: BindingType must be one of [^\n]*\n2 bindings: 1 added,.* 1 failed$/m,
  )
}

async function checkWhitelisting({ stdout: printed, folder }: Ran): Promise<void> {
  const answer = parseCsv(await readFile(join(folder, 'answer.csv'), 'utf8'))
  assert.deepEqual(
    answer.map((row) => row[2]),
    ['status', 'unchanged', 'unchanged', 'unchanged', 'failed'],
  )
  assert.match(printed, /^4 rows: 3 added, 0 changed, 0 unchanged, 1 failed; dry run/m)
  assert.match(
    printed,
    /^4 rows: 3 added, .*, 1 failed\nThe results of all rows are in answer\.csv\.$/m,
  )
  assert.match(printed, /\{"total":4,"added":0,"changed":0,"unchanged":3,"failed":1\}/)
  assert.match(printed, /"windows":\[\{"identity":"pump-0001"/)
  assert.match(printed, /\{"extended":2,/)
  assert.match(printed, /1 extended, until 20/)
  assert.match(printed, /^pump-0002 {2}whitelisted .*group=north$/m)
  assert.match(printed, /^pump-0003 is removed$/m)
}
