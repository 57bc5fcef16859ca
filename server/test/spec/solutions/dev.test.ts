import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { components } from '@millrace/client'
import { solutionDev } from '../../../../cli/src/commands/solution/dev.ts'
import { createCallView } from '../../../../cli/src/solution/calls.ts'
import { markOf } from '../../../../cli/src/solution/source-place.ts'
import { coloursOf } from '../../../src/cli/terminal.ts'
import { isLongForm, waitMsMax } from '../../fixtures/bounds.ts'
import { type TestPlatform, testPlatform } from '../../fixtures/platform.ts'
import { type CliProcess, startCli } from '../../fixtures/processes/cli-process.ts'
import { suiteContext } from '../../fixtures/suite.ts'

const run = promisify(execFile)
const pollMs = 20

type SolutionLine = components['schemas']['SolutionLine']

describe('millrace solution dev', () => {
  const suite = suiteContext()
  let platform: TestPlatform['platform']
  let businessId: string
  let root: string
  let env: Record<string, string | undefined>

  before(async () => {
    const millrace = await testPlatform(suite)
    platform = millrace.platform
    businessId = millrace.businessId
    root = platform.config.dataDir
    env = { ...process.env, MILLRACE_DATA: root }
  })

  const save = async (dir: string, path: string, text: string) => {
    const file = join(root, dir, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }

  /** Begins on a folder, and waits until it was pushed once. */
  async function dev(
    t: TestContext,
    dir: string,
    files: Readonly<Record<string, string>>,
  ): Promise<CliProcess> {
    for (const [path, text] of Object.entries(files)) await save(dir, path, text)
    const command = startCli(t, ['solution', 'dev', dir], { cwd: root, env })
    await command.prints(/^unchanged \d+$/m)
    return command
  }

  async function call(solutionId: string, event: string, argument: string | null = null) {
    const { api } = platform.scripting
    const where = { businessId, solutionId, service: 'user', event, argument }
    const ended = await api.run({ ...where, trackingId: `id${event}` })
    await platform.activity.flush()
    return ended
  }

  /** What a solution's handler gives, as soon as that is `wanted`, else what it gave last. */
  async function pushed(solutionId: string, wanted: number): Promise<unknown> {
    const deadline = Date.now() + waitMsMax
    while (true) {
      const ended = await call(solutionId, 'go')
      const value = ended.kind === 'returned' ? ended.value : ended
      if (value === wanted || Date.now() > deadline) return value
      await pause(pollMs)
    }
  }

  it('pushes a folder, shows each call with its cost, and ends at Ctrl-C', async (t) => {
    const source = 'log.warn("at " .. event) Keystore.get{key = "a"} Keystore.get{key = "b"}'
    const command = await dev(t, 'Some-pumps', { 'user_level.lua': source })
    assert.match(command.printed(), /^the solution somepumps is new$/m)
    assert.match(command.printed(), /^added {5}handler user_level$/m)
    await call('somepumps', 'level', '7.5')
    await command.prints(
      /^[\d:.]+ {2}returned {2}user_level {2}call idlevel {2}[\d.]+ ms, [\d.]+ ms CPU, 2 service/m,
    )
    await command.prints(/^ calls\n {4}warn {2}at 7\.5\n/)
    assert.equal(await command.end('SIGINT'), 0)
    assert.ok(!command.printed().includes('\u001b'), 'no colour where no terminal is')
  })

  it('pushes again at a save', async (t) => {
    const command = await dev(t, 'saved', { 'user_go.lua': 'return 1' })
    await save('saved', 'user_go.lua', 'return 2')
    await command.prints(/^changed {3}handler user_go$/m)
    const ended = await call('saved', 'go')
    assert.equal(ended.kind === 'returned' && ended.value, 2)
    assert.equal(await command.end('SIGTERM'), 0)
  })

  describe('pushes each of several saves in a row', () => {
    const kinds: Readonly<Record<string, (file: string, text: string) => Promise<unknown>>> = {
      'in place': (file, text) => writeFile(file, text),
      'by a rename over the file': async (file, text) => {
        await writeFile(`${file}.tmp`, text)
        await rename(`${file}.tmp`, file)
      },
      'by a rename from a folder beside': async (file, text) => {
        await writeFile(join(root, 'saved.tmp'), text)
        await rename(join(root, 'saved.tmp'), file)
      },
      'by sed -i': (file, text) => run('sed', ['-i', `s/.*/${text}/`, file]),
      'with the file before as a backup': async (file, text) => {
        await rename(file, `${file}~`)
        await writeFile(file, text)
        await rm(`${file}~`)
      },
      'by a removal and a new file': async (file, text) => {
        await rm(file)
        await writeFile(file, text)
      },
      'by another folder in its place': async (file, text) => {
        await rm(dirname(file), { recursive: true })
        await mkdir(dirname(file))
        await writeFile(file, text)
      },
    }
    it('of each kind, again and again, and then in turns', async (t) => {
      const files = { 'modules/m.lua': 'return 0', 'user_go.lua': 'return require("m")' }
      const command = await dev(t, 'saves', files)
      const names = Object.keys(kinds)
      const inRow = isLongForm ? [0, 1, 2] : [0, 1]
      const row = [...names.flatMap((name) => inRow.map(() => name)), ...names.toReversed()]
      for (const [index, kind] of row.entries()) {
        await kinds[kind]?.(join(root, 'saves', 'modules', 'm.lua'), `return ${index + 1}`)
        assert.equal(await pushed('saves', index + 1), index + 1, `save ${index + 1}, ${kind}`)
      }
      assert.equal(await command.end('SIGINT'), 0)
    })

    it('of git, which puts another branch in the place of the files', async (t) => {
      const git = (...args: string[]) =>
        run('git', ['-c', 'user.name=a', '-c', 'user.email=a@a', ...args], {
          cwd: join(root, 'branches'),
        })
      await save('branches', 'user_go.lua', 'return 1')
      await save('branches', 'modules/old.lua', 'return 1')
      for (const args of ['init -q -b one', 'add .', 'commit -qm one', 'checkout -qb two']) {
        await git(...args.split(' '))
      }
      await save('branches', 'user_go.lua', 'return 2')
      await save('branches', 'modules/deep/new.lua', 'return 2')
      for (const args of ['rm -q modules/old.lua', 'add .', 'commit -qm two']) {
        await git(...args.split(' '))
      }
      const command = await dev(t, 'branches', {})
      assert.equal(await pushed('branches', 2), 2)
      for (const wanted of [1, 2, 1, 2]) {
        await git('checkout', '-q', wanted === 1 ? 'one' : 'two')
        assert.equal(await pushed('branches', wanted), wanted)
      }
      assert.equal(await command.end('SIGINT'), 0)
    })

    it('in a folder that is new, and one in that', async (t) => {
      const command = await dev(t, 'folders', { 'user_go.lua': 'return 1' })
      await save('folders', 'modules/a/b/c.lua', 'return 1')
      await command.prints(/^added +module a\.b\.c$/m)
      await save('folders', 'modules/a/b/c.lua', 'return 2')
      await command.prints(/^changed +module a\.b\.c$/m)
      await save('folders', 'modules/a/d.lua', 'return 2')
      await command.prints(/^added +module a\.d$/m)
      assert.equal(await command.end('SIGINT'), 0)
    })
  })

  it('shows an error with its line, what is at fault in it, and the way to it', async (t) => {
    const command = await dev(t, 'wrong', {
      'modules/levels.lua':
        'local levels = {}\nfunction levels.read(text)\n\treturn text.data.level\nend\n' +
        'return levels',
      'user_go.lua': 'local levels = require("levels")\n\nlevels.read{}\n',
    })
    await call('wrong', 'go')
    await command.prints(/^[\d:.]+ {2}failed {2}user_go {2}call idgo /m)
    const [shown] = await command.prints(/^ {4}modules[\s\S]*user_go\.lua:3$/m)
    assert.deepEqual(shown.split('\n'), [
      "    modules/levels.lua:3:14: attempt to index a nil value (field 'data')",
      '      3 | \treturn text.data.level',
      '        | \t            ^~~~',
      "      at modules/levels.lua:3 in field 'read'",
      '      at user_go.lua:3',
    ])
    assert.equal(await command.end('SIGINT'), 0)
  })

  it('shows a syntax error of a save, and leaves the version before live', async (t) => {
    const command = await dev(t, 'broken', { 'user_go.lua': 'return "before"' })
    await save('broken', 'user_go.lua', 'local a = 1\nreturn a +* 2\n')
    const [shown] = await command.prints(/^user_go[\s\S]*runs on$/m)
    assert.deepEqual(shown.split('\n'), [
      "user_go.lua:2:11: unexpected symbol near '*'",
      '  2 | return a +* 2',
      '    |           ^',
      'not pushed: what was there before runs on',
    ])
    const ended = await call('broken', 'go')
    assert.equal(ended.kind === 'returned' && ended.value, 'before')
    await command.prints(/returned {2}user_go/)
    assert.equal(await command.end('SIGINT'), 0)
  })

  it('names a file of services as its author does', async (t) => {
    const command = await dev(t, 'named', { 'user_go.lua': 'return 1' })
    await save('named', 'services/nothing.yaml', 'service: nothing\n')
    await command.prints(/^services\/nothing\.yaml:1: /m)
    await command.prints(/runs on$/m)
    assert.equal(await command.end('SIGINT'), 0)
    const args = ['solution', 'push', '--solution', 'named', '--dir', 'named']
    const push = startCli(t, args, { cwd: root, env })
    assert.equal(await push.end(), 1)
    assert.match(push.printed(), /services\/nothing\.yaml:1: /)
  })

  it('shows which limit stopped a call', async (t) => {
    const source = 'print("begins")\nwhile true do end'
    const command = await dev(t, 'limited', { 'user_spin.lua': source })
    await platform.scripting.solutions.patch(businessId, 'limited', { limits: { cpu_ms: 100 } })
    await call('limited', 'spin')
    await command.prints(/stopped by cpu {2}user_spin[^\n]*\n {4}info {2}begins\n/)
    await command.prints(/ {4}user_spin\.lua:2: limit cpu: [^\n]*\n {6}2 \| while true/)
    assert.equal(await command.end('SIGINT'), 0)
  })

  it('has an example in its help that works', async (t) => {
    const [prepare = '', words = ''] = solutionDev.example.split(' && npx millrace ')
    await run('bash', ['-ec', prepare], { cwd: root })
    const command = startCli(t, words.split(' '), { cwd: root, env })
    await command.prints(/^added {5}handler user_tick$/m)
    await call('hello', 'tick')
    await command.prints(/returned {2}user_tick [^\n]*\n {4}info {2}tick$/m)
    assert.equal(await command.end('SIGINT'), 0)
  })

  it('requires a folder, and an existing solution if one is named', async (t) => {
    const none = startCli(t, ['solution', 'dev', 'nowhere'], { cwd: root, env })
    assert.equal(await none.end(), 2)
    assert.match(none.printed(), /nowhere is no folder that can be read/)
    await save('there', 'user_go.lua', 'return 1')
    const args = ['solution', 'dev', 'there', '--solution', 'absent']
    const absent = startCli(t, args, { cwd: root, env })
    assert.equal(await absent.end(), 2)
    assert.match(absent.printed(), /there is no solution absent/)
  })
})

describe('a log, call by call', () => {
  const line = (
    type: 'log' | 'call',
    text: string,
    more: Partial<SolutionLine> = {},
  ): SolutionLine => {
    const level = 'info'
    const of = { service: 'user', handler: 'handle_user_go', tracking_id: 'one' }
    return Object.assign({ id: '0.n.1', timestamp: 0, type, level, text } as const, of, more)
  }
  const usage = { cpu_ms: 1, service_calls: 0, wall_ms: 12.3 }

  it('shows what a long call has printed, and then only what is new', () => {
    let nowMs = 0
    const printed: string[] = []
    const view = createCallView({
      ...{
        print: (text: string) => void printed.push(text),
        colours: coloursOf({ isTTY: false }, {}),
      },
      ...{ sources: () => new Map(), elapsedMs: () => nowMs },
    })
    view.take([line('log', 'a'), line('log', 'other', { tracking_id: 'two' })])
    view.take([line('call', '', { tracking_id: 'two', usage })])
    nowMs = 1_999
    view.look()
    assert.deepEqual(printed.splice(0), [
      '00:00:00.000  returned  user_go  call two  12 ms, 1.0 ms CPU, 0 service calls',
      '    info  other',
    ])
    nowMs = 2_000
    view.look()
    assert.deepEqual(printed.splice(0), ['00:00:00.000  running  user_go  call one', '    info  a'])
    view.take([line('log', 'b'), line('call', '', { usage })])
    assert.deepEqual(printed.splice(0), [
      '00:00:00.000  returned  user_go  call one  12 ms, 1.0 ms CPU, 0 service calls',
      '    info  b',
    ])
  })
})

describe('what is marked in a line of source', () => {
  for (const [line, message, under, column] of [
    ['  local x = level.high', "a nil value (local 'level')", '            ^~~~~', 13],
    ['a.b = c.b', "a nil value (field 'b')", '  ^     ^', undefined],
    ['if level > levels.high then', "(local 'levels')", '           ^~~~~~', 12],
    ['  go()', 'attempt to compare number with nil', '  ^', undefined],
    ['return {', "'}' expected near <eof>", '        ^', undefined],
    ['  expect(x):equals(1)', 'expected 1, was 2', '  ^~~~~~', 3],
    ['\tt.insert(1)', "bad argument #1 to 'insert' (table expected)", '\t  ^~~~~~', 4],
  ] as const) {
    it(`is what the message names, in ${line.trim()}`, () => {
      assert.deepEqual(markOf(line, message), { under, column })
    })
  }
})

describe('what colours are for', () => {
  const red = (isTTY: boolean, environment: Record<string, string>) =>
    coloursOf({ isTTY }, environment).red('x')

  it('is a terminal, and never one with NO_COLOR', () => {
    assert.equal(red(true, {}), '\u001b[31mx\u001b[0m')
    assert.equal(red(true, { NO_COLOR: '' }), '\u001b[31mx\u001b[0m')
    for (const plain of [
      red(false, {}),
      red(true, { NO_COLOR: '1' }),
      red(true, { TERM: 'dumb' }),
    ]) {
      assert.equal(plain, 'x')
    }
  })
})
