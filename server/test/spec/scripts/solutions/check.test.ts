import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { type RunCommand, runsCommands } from '../../../fixtures/commands/command-line.ts'
import { testFolder } from '../../../fixtures/engine.ts'
import { projectTree, type Tree } from '../../../fixtures/projects/trees.ts'
import {
  assertFault,
  assertStatus,
  type SolutionsFixture,
  solutionsFixture,
  toFiles,
} from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

type Finding = {
  readonly severity: string
  readonly kind: string
  readonly file: string
  readonly line: number | null
  readonly message: string
}

let fixture: SolutionsFixture
let millrace: RunCommand
let root = ''
const onInstance = sharedBySuites(async (suite) => {
  fixture = await solutionsFixture(suite)
  millrace = runsCommands(fixture.millrace)
  root = await testFolder(suite)
})

const ask = (tree: Tree, solution?: string) =>
  fixture.ask('POST', '/solution-check', {
    files: toFiles(tree),
    ...(solution !== undefined && { solution }),
  })
const check = async (tree: Tree, solution?: string): Promise<string[]> => {
  const answered = await ask(tree, solution)
  assertStatus(answered, 200)
  return answered.json.findings.map(
    ({ severity, kind, file, line, message }: Finding) =>
      `${severity} ${kind} ${file}:${line} ${message}`,
  )
}

describe('a folder of scripts is checked before it is pushed', () => {
  onInstance()

  it('names calls of what is absent, is no longer served, or has other arguments', async () => {
    const source = [
      '--#EVENT timer timer',
      'Keystore.get({key = "a"})',
      'Keystore.gett{key = "a"}',
      'Timeseries.write({query = "level value=1"})',
      'Faraway.call()',
      'murano.services.keystore.set({key = "a", value = 1, colour = "red"})',
      'murano.service_call("Keystore", "get", {})',
      'local Config = {solution = function() end}',
      'Config.nothing()',
      'Own.anything()',
      'string.format("%d", 1)',
      'Keystore.get(request)',
    ].join('\n')
    const tree = { 'services/timer.lua': source, 'modules/own.lua': 'Own = {}' }
    assert.deepEqual(await check(tree), [
      'error absent services/timer.lua:3 Keystore.gett: the service Keystore has no operation gett',
      'error superseded services/timer.lua:4 Timeseries.write is no longer served; ' +
        'use Tsdb (Tsdb.write, Tsdb.query)',
      'error absent services/timer.lua:5 Faraway.call: the solution has no service Faraway',
      'warning argument services/timer.lua:6 keystore.set: there is no argument colour: ' +
        'it is passed over',
      'error argument services/timer.lua:7 Keystore.get: the argument key is missing',
    ])
  })

  it('says what a push would refuse, with the lines of the files', async () => {
    const [first = '', ...more] = await check({ 'timer_timer.lua': 'local x = 1\nreturn = x' })
    assert.match(first, /^error problem timer_timer\.lua:2 /)
    assert.deepEqual(more, [])
  })

  it('names handlers of which no service raises the event', async () => {
    const found = await check({
      'timer_timer.lua': 'return 1',
      'config_init.lua': 'return 1',
      'timer_tock.lua': 'return 1',
      'pumps_event.lua': 'return 1',
      'scripts_later.lua': 'return 1',
    })
    assert.deepEqual(found, [
      'warning handler pumps_event.lua:1 the solution has no service pumps: ' +
        'the handler pumps_event runs only if a script or a person calls it',
      'warning handler timer_tock.lua:1 the service timer has no event tock: ' +
        'the handler timer_tock runs only if a script or a person calls it',
    ])
  })

  it('knows the connector that services/device2.yaml would make, and makes none', async () => {
    const before = (await fixture.ask('GET', '/connectors')).json.connectors.length
    const found = await check({
      'services/device2.yaml': 'resources:\n  level: {format: number}\n',
      'device2_event.lua': 'Device2.getIdentity({identity = event.identity})\nDevice2.reboot()',
    })
    assert.deepEqual(found, [
      'error absent device2_event.lua:2 Device2.reboot: ' +
        'the service Device2 has no operation reboot',
    ])
    assert.equal((await fixture.ask('GET', '/connectors')).json.connectors.length, before)
  })

  it('counts the services of a solution that is named', async () => {
    const tree = { 'user_a.lua': 'Pumps.getIdentity({identity = "a"})' }
    const service = { service: fixture.millrace.connector.id, script_key: 'pumps' }
    assertStatus(await fixture.pump('POST', '/serviceconfig', service), 201)
    assert.match((await check(tree)).join(), /the solution has no service Pumps/)
    assert.doesNotMatch((await check(tree, 'pump')).join(), /no service Pumps/)
    assertFault(await ask(tree, 'nothing'), 'not_found')
    const { token } = await fixture.otherOwner()
    const body = { files: [], solution: 'pump' }
    assertFault(await fixture.ask('POST', '/solution-check', body, token), 'not_found')
  })
})

describe('a check of a folder', () => {
  onInstance()

  it('lists the unknown settings of the projects of the field', async () => {
    const found = await check(await projectTree('connector'))
    assert.match(found.join('\n'), /warning setting services\/tsdb\.yaml:null tsdb has no setting/)
    assert.ok(!found.some((line) => line.startsWith('error problem')), found.join('\n'))
  })

  it('reads sources that are made to be hard to read', async () => {
    for (const source of [
      `return ${'('.repeat(20_000)}1${')'.repeat(20_000)}`,
      `return ${'{'.repeat(20_000)}`,
      'Keystore'.padEnd(60_000, '.get'),
      `--[==[${'['.repeat(50_000)}`,
      'Keystore["get"]({key = "\\u{7fffffff}"})',
      'local __proto__ = 1 constructor.toString() Keystore.__proto__() Keystore.constructor()',
      'ключ = 1',
      'local a <const> = 1',
    ]) {
      const found = await check({ 'user_a.lua': source })
      assert.ok(found.length > 0, source.slice(0, 40))
    }
    const inherited = 'Keystore.get({key = 1, __proto__ = 2, constructor = 3})'
    assert.match((await check({ 'user_b.lua': inherited })).join('\n'), /no argument constructor/)
  })

  it('reads a large script without holding the event loop', async () => {
    const line = 'if x==1 then x=x+f1(x) elseif y then z=1 end\n'
    const tree = { 'modules/large.lua': line.repeat(10_000), 'user_a.lua': 'Keystore.gett({})' }
    const before = process.threadCpuUsage()
    const found = await check(tree)
    const { user, system } = process.threadCpuUsage(before)
    assert.match(found.join('\n'), /user_a\.lua:1 Keystore\.gett/)
    assert.doesNotMatch(found.join('\n'), /large\.lua/)
    // To read it takes 800 ms; the event loop reads the request's JSON.
    assert.ok(user + system < 400_000, `${(user + system) / 1_000} ms of CPU`)
  })

  it('is a command, in text and in JSON, that ends with 1 on errors', async () => {
    const save = async (path: string, text: string) => {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
    await save('good/timer_timer.lua', 'Keystore.get({key = "a"})')
    await save('bad/timer_timer.lua', 'Keystore.gett({key = "a"})')
    const good = await millrace('solution', 'check', join(root, 'good'))
    assert.deepEqual([good.code, good.stdout], [0, 'errors 0, warnings 0\n'])
    const bad = await millrace('solution', 'check', join(root, 'bad'))
    assert.equal(bad.code, 1)
    assert.match(bad.stdout, /^error {3}absent {5}timer_timer\.lua:1: Keystore\.gett: /)
    const json = await millrace('solution', 'check', join(root, 'bad'), '--json')
    assert.equal(JSON.parse(json.stdout).findings[0].kind, 'absent')
    assert.equal((await millrace('solution', 'check', join(root, 'none'))).code, 2)
  })
})
