import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type RunningCommand, startCommand } from '../../../../fixtures/commands/command-line.ts'
import { testFolder } from '../../../../fixtures/engine.ts'
import { testPlatform } from '../../../../fixtures/platform.ts'
import { root as repository } from '../../../../fixtures/processes/page.ts'
import { pump, tests } from '../../../../fixtures/processes/tested-solution.ts'
import { sharedBySuites } from '../../../../fixtures/suite.ts'

/** A test as `--json` prints it. */
type Printed = {
  readonly name: string | null
  readonly outcome: string
  readonly service_calls: number
  readonly error?: {
    readonly where: string | null
    readonly message: string
    readonly source: readonly string[]
    readonly trace: readonly string[]
  }
  readonly printed: readonly { readonly level: string; readonly text: string }[]
}

let root: string
let env: Record<string, string | undefined>
/** The same, with a server for temporary databases, which takes less time than an engine. */
let onServer: Record<string, string | undefined>
let printed: ReadonlyMap<string, Printed>
let code: number | null

const save = async (dir: string, files: Readonly<Record<string, string>>) => {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, dir, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}
const start = (t: Pick<TestContext, 'after'>, ...args: string[]): RunningCommand =>
  startCommand(t, ['solution', 'test', ...args], { cwd: root, env: onServer })
const of = (name: string): Printed => printed.get(name) ?? assert.fail(`no ${name} was printed`)

const onFolder = sharedBySuites(async (suite) => {
  root = await testFolder(suite)
  await mkdir(join(root, 'tmp'), { mode: 0o711 })
  // The settings of the user's own instance, but DATABASE_URL, are not read.
  const others = { MILLRACE_HTTP: 'none', NO_COLOR: undefined }
  env = { ...alone(root), ...others, TMPDIR: join(root, 'tmp') }
  await save('pump', { ...pump, 'all_test.lua': tests })
  onServer = { ...env, DATABASE_URL: await (await testPlatform(suite)).databaseUrl() }
  const command = startCommand(suite, ['solution', 'test', 'pump', '--json'], { cwd: root, env })
  code = await command.end()
  const { tests: all } = JSON.parse(command.printed())
  printed = new Map(all.map((one: Printed) => [one.name ?? '', one]))
})

describe('millrace solution test', () => {
  onFolder()

  for (const name of tests.match(/test_[a-z_]+(?=\(\)\n)/g) ?? []) {
    if (/wrong|endless/.test(name)) continue
    it(`in a test in Lua, ${name.slice('test_'.length).replaceAll('_', ' ')}`, () => {
      const { outcome, error } = of(name)
      assert.equal(outcome, 'passed', JSON.stringify(error))
    })
  }

  it('ends with 1, and reports of each test what it cost', () => {
    assert.equal(code, 1)
    assert.equal(of('test_nothing_is_left_of_the_test_before').service_calls, 2)
  })

  it('shows the line in which something else was expected, and what', () => {
    const { outcome, error } = of('test_wrong_value')
    assert.equal(outcome, 'failed')
    const line = 1 + tests.split('\n').indexOf('  expect({1, {a = "b"}}):equals({1, {a = "c"}})')
    assert.deepEqual(error, {
      where: `all_test.lua:${line}:3`,
      message: 'expected {1, {a = "c"}}, was {1, {a = "b"}}',
      source: [
        `  ${line} |   expect({1, {a = "b"}}):equals({1, {a = "c"}})`,
        `  ${String(line).replaceAll(/./g, ' ')} |   ^~~~~~`,
      ],
      trace: [`all_test.lua:${line}`],
    })
  })

  it('shows where in the scripts a handler failed, the way there, and what it printed', () => {
    const { error, printed } = of('test_wrong_handler')
    const line = 2 + tests.split('\n').indexOf('  print("before")')
    assert.equal(error?.where, 'modules/levels.lua:3:16')
    assert.deepEqual(error?.trace, [
      "modules/levels.lua:3 in field 'read'",
      'device2_event.lua:1',
      `all_test.lua:${line}`,
    ])
    assert.deepEqual(printed, [{ level: 'info', text: 'before' }])
  })

  it('stops what does not end by the limits of scripts, and goes on', () => {
    const endless = of('test_endless')
    assert.equal(endless.outcome, 'stopped')
    assert.match(endless.error?.message ?? '', /^limit cpu: /)
    const handler = of('test_endless_handler')
    assert.equal(handler.outcome, 'stopped')
    assert.match(handler.error?.message ?? '', /^limit cpu: .*, in user_spin$/)
    assert.match(handler.error?.where ?? '', /^all_test\.lua:\d+/)
  })

  it('reports what a test requires that is not there', () => {
    assert.match(of('test_no_handler').error?.message ?? '', /no function handle_user_nothing/)
    assert.match(of('test_no_service').error?.message ?? '', /has no service Nobody/)
    const outside = of('test_outside_of_the_folder').error?.message ?? ''
    assert.match(outside, /is not in the folder/)
  })

  it('leaves nothing behind', async () => {
    assert.deepEqual(await readdir(join(root, 'tmp')), [])
    assert.deepEqual((await readdir(root)).sort(), ['pump', 'tmp'])
  })
})

describe('millrace solution test, of other folders', () => {
  onFolder()

  it('reports file by file, also what prevents a file of tests from being run', async (t) => {
    await save('files', {
      'user_go.lua': 'return 1',
      'a_test.lua': 'function test_one() expect(event("user", "go")):equals(1) end\n',
      'b_test.lua': 'function test_two()\n  local x = = 2\nend\n',
      'c_test.lua': 'function test_three() end\nfunction test_three() end\n',
      'd_test.lua': 'local function test_four() end\n',
      'e_test.lua': 'function test_five() end\nerror("while it is loaded")\n',
    })
    const command = start(t, 'files')
    assert.equal(await command.end(), 1)
    const printed = command.printed()
    assert.match(printed, /^a_test\.lua\n {2}ok {7}test_one {2}\d+ ms\n\nb_test\.lua\n/)
    assert.match(printed, /b_test\.lua:2: unexpected symbol near '='\n {6}2 \| {3}local x = = 2\n/)
    assert.match(printed, /c_test\.lua:2: test_three is there already, in line 1\n/)
    assert.match(printed, /d_test\.lua:1: the file has no function test_<name>\(\)\n/)
    assert.match(printed, /failed {3}test_five[^\n]*\n {4}e_test\.lua:2: while it is loaded\n/)
    assert.match(printed, /\n1 passed, 4 failed, in [\d.]+ s\n$/)
    assert.ok(!printed.includes('\u001b'))
  })

  it('reports once what is wrong with the folder, by the names of its files', async (t) => {
    await save('odd', {
      'user_go.lua': 'return (1',
      'services/http.yaml': 'credentials: ]\n',
      'a_test.lua': 'function test_one() end\nfunction test_two() end\n',
    })
    const command = start(t, 'odd')
    assert.equal(await command.end(), 1)
    assert.match(command.printed(), /user_go\.lua:1: '\)' expected near <eof>\n/)
    assert.match(command.printed(), /services\/http\.yaml:1: /)
    assert.match(command.printed(), /\n0 passed, 1 failed/)
  })

  it('runs the tests alone whose name holds a text, with other solutions beside', async (t) => {
    await save('client', {
      'services/pumps.yaml': 'service: pumps\n',
      'pumps_alarm.lua': 'return alarm.device .. " " .. Pumps.getLevel{device = "p"}.level',
      'a_test.lua': `
        function test_other() error("not this one") end
      `.replaceAll(/^ +/gm, ''),
      'b_test.lua': `
        function test_alarm_of_a_pump()
        expect(event("pumps", "alarm", {device = "p"})):equals("p 3")
        end
        function test_alarms_do_not_run() error("not this one") end
      `.replaceAll(/^ +/gm, ''),
    })
    await save('server', {
      'interface_getLevel.lua': 'return {level = 3}',
      'services/interface.yaml':
        'default_script_key: pumps\nname: Pumps\noperations:\n  - {name: getLevel}\n' +
        'events:\n  - {name: alarm, parameters: {title: alarm, type: object}}\n',
    })
    const command = start(t, 'client', '--filter', 'alarm_of', '--with', 'pumps=server')
    const ended = await command.end()
    assert.equal(ended, 0, command.printed())
    assert.match(command.printed(), /ok {7}test_alarm_of_a_pump/)
    assert.match(command.printed(), /\n1 passed, 0 failed/)
  })

  it('calls out where that is allowed, to what is open of private addresses', async (t) => {
    const server = createServer((_, response) => void response.end('heard'))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.after(() => server.close())
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/`
    await save('out', {
      'a_test.lua':
        `function test_out() expect(Http.get{url = "${url}"}.body):equals("heard") end\n` +
        'function test_shut() expect(Http.get{url = "http://127.0.0.1:1/"}):is_error() end\n',
    })
    const open = { ...onServer, MILLRACE_OUTBOUND_ALLOW: `127.0.0.1:${port}` }
    const args = ['solution', 'test', 'out', '--allow-outbound', '--temporary']
    const command = startCommand(t, args, { cwd: root, env: open })
    const ended = await command.end()
    assert.equal(ended, 0, command.printed())
  })

  it('ends at Ctrl-C, and leaves nothing behind then either', async (t) => {
    await save('slow', {
      'a_test.lua':
        'function test_one() print(1) end\n' +
        'function test_slow() wait_for(function() end, 1000) end\n',
    })
    const command = startCommand(t, ['solution', 'test', 'slow'], { cwd: root, env })
    await command.prints(/test_one/)
    assert.equal(await command.end('SIGINT'), 130)
    assert.deepEqual(await readdir(join(root, 'tmp')), [])
  })

  it('refuses words that cannot be meant, before it starts anything', async (t) => {
    await save('bare', { 'user_go.lua': 'return 1' })
    for (const [words, said] of [
      [['nowhere'], /nowhere is no folder that can be read/],
      [['bare'], /bare has no file \*_test\.lua/],
      [['pump', '--with', 'x'], /--with is id=folder/],
      [['pump', '--filter', 'zzz'], /no test's name holds "zzz"/],
    ] as const) {
      const command = start(t, ...words)
      assert.equal(await command.end(), 2)
      assert.match(command.printed(), said)
    }
  })

  it('names --temporary if the instance cannot be reached, and it works then', async (t) => {
    const away = { ...onServer, MILLRACE_URL: 'http://127.0.0.1:1' }
    const refused = startCommand(t, ['solution', 'test', 'files'], { cwd: root, env: away })
    assert.equal(await refused.end(), 1)
    assert.match(refused.printed(), /cannot be reached.*--temporary/s)
    const here = ['solution', 'test', 'files', '--temporary', '--filter', 'test_one']
    const command = startCommand(t, here, { cwd: root, env: away })
    assert.equal(await command.end(), 0, command.printed())
  })
})

describe('the tests of the example solutions', () => {
  onFolder()
  for (const [name, ...more] of [
    ['solution-pump'],
    ['solution-app'],
    ['solution-office', '--with', `pumps=${join(repository, 'examples', 'solution-pump')}`],
    ['solution-alerts'],
  ] as const) {
    it(`pass, those of ${name}`, async (t) => {
      const dir = join(repository, 'examples', name)
      const command = start(t, dir, ...more)
      const ended = await command.end()
      assert.equal(ended, 0, command.printed())
      assert.match(command.printed(), /\n[1-9]\d* passed, 0 failed/)
    })
  }
})

/** The environment of a user who knows of no instance and no server. */
function alone(folder: string): Record<string, string | undefined> {
  const none = join(folder, 'nothing-is-here')
  const unset = { MILLRACE_URL: undefined, MILLRACE_PROFILE: undefined, DATABASE_URL: undefined }
  return { ...process.env, ...unset, MILLRACE_DATA: none, XDG_CONFIG_HOME: none }
}
