import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { solutionDev } from '../../../../../cli/src/commands/solution/dev.ts'
import { isLongForm } from '../../../fixtures/bounds.ts'
import { startCommand } from '../../../fixtures/commands/command-line.ts'
import { devFixture } from '../../../fixtures/processes/dev-command.ts'
import { sharedFixture } from '../../../fixtures/suite.ts'

const run = promisify(execFile)

const [fixture, onInstance] = sharedFixture((suite) => devFixture(suite))

describe('millrace solution dev', () => {
  onInstance()

  it('pushes a folder, shows each call with its cost, and ends at Ctrl-C', async (t) => {
    const source = 'log.warn("at " .. event) Keystore.get{key = "a"} Keystore.get{key = "b"}'
    const command = await fixture.dev(t, 'Some-pumps', { 'user_level.lua': source })
    assert.match(command.printed(), /^the solution somepumps is new$/m)
    assert.match(command.printed(), /^added {5}handler user_level$/m)
    await fixture.call('somepumps', 'level', '7.5')
    await command.prints(
      /^[\d:.]+ {2}returned {2}user_level {2}call idlevel {2}[\d.]+ ms, [\d.]+ ms CPU, 2 service/m,
    )
    await command.prints(/^ calls\n {4}warn {2}at 7\.5\n/)
    assert.equal(await command.end('SIGINT'), 0)
    assert.ok(!command.printed().includes('\u001b'), 'no colour where no terminal is')
  })

  it('pushes again at a save', async (t) => {
    const command = await fixture.dev(t, 'saved', { 'user_go.lua': 'return 1' })
    await fixture.save('saved', 'user_go.lua', 'return 2')
    await command.prints(/^changed {3}handler user_go$/m)
    const ended = await fixture.call('saved', 'go')
    assert.equal(ended.kind === 'returned' && ended.value, 2)
    assert.equal(await command.end('SIGTERM'), 0)
  })

  it('has an example in its help that works', async (t) => {
    const [prepare = '', words = ''] = solutionDev.example.split(' && npx millrace ')
    await run('bash', ['-ec', prepare], { cwd: fixture.root })
    const command = startCommand(t, words.split(' '), fixture.options)
    await command.prints(/^added {5}handler user_tick$/m)
    await fixture.call('hello', 'tick')
    await command.prints(/returned {2}user_tick [^\n]*\n {4}info {2}tick$/m)
    assert.equal(await command.end('SIGINT'), 0)
  })

  it('requires a folder, and an existing solution if one is named', async (t) => {
    const none = startCommand(t, ['solution', 'dev', 'nowhere'], fixture.options)
    assert.equal(await none.end(), 2)
    assert.match(none.printed(), /nowhere is no folder that can be read/)
    await fixture.save('there', 'user_go.lua', 'return 1')
    const args = ['solution', 'dev', 'there', '--solution', 'absent']
    const absent = startCommand(t, args, fixture.options)
    assert.equal(await absent.end(), 2)
    assert.match(absent.printed(), /there is no solution absent/)
  })
})

describe('millrace solution dev, of a mistake', () => {
  onInstance()

  it('shows an error with its line, what is at fault in it, and the way to it', async (t) => {
    const command = await fixture.dev(t, 'wrong', {
      'modules/levels.lua':
        'local levels = {}\nfunction levels.read(text)\n\treturn text.data.level\nend\n' +
        'return levels',
      'user_go.lua': 'local levels = require("levels")\n\nlevels.read{}\n',
    })
    await fixture.call('wrong', 'go')
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
    const command = await fixture.dev(t, 'broken', { 'user_go.lua': 'return "before"' })
    await fixture.save('broken', 'user_go.lua', 'local a = 1\nreturn a +* 2\n')
    const [shown] = await command.prints(/^user_go[\s\S]*runs on$/m)
    assert.deepEqual(shown.split('\n'), [
      "user_go.lua:2:11: unexpected symbol near '*'",
      '  2 | return a +* 2',
      '    |           ^',
      'not pushed: what was there before runs on',
    ])
    const ended = await fixture.call('broken', 'go')
    assert.equal(ended.kind === 'returned' && ended.value, 'before')
    await command.prints(/returned {2}user_go/)
    assert.equal(await command.end('SIGINT'), 0)
  })

  it('names a file of services as its author does', async (t) => {
    const command = await fixture.dev(t, 'named', { 'user_go.lua': 'return 1' })
    await fixture.save('named', 'services/nothing.yaml', 'service: nothing\n')
    await command.prints(/^services\/nothing\.yaml:1: /m)
    await command.prints(/runs on$/m)
    assert.equal(await command.end('SIGINT'), 0)
    const args = ['solution', 'push', '--solution', 'named', '--dir', 'named']
    const push = startCommand(t, args, fixture.options)
    assert.equal(await push.end(), 1)
    assert.match(push.printed(), /services\/nothing\.yaml:1: /)
  })

  it('shows which limit stopped a call', async (t) => {
    const source = 'print("begins")\nwhile true do end'
    const command = await fixture.dev(t, 'limited', { 'user_spin.lua': source })
    const { platform, businessId } = fixture
    await platform.scripting.solutions.patch(businessId, 'limited', { limits: { cpuMsMax: 100 } })
    await fixture.call('limited', 'spin')
    await command.prints(/stopped by cpu {2}user_spin[^\n]*\n {4}info {2}begins\n/)
    await command.prints(/ {4}user_spin\.lua:2: limit cpu: [^\n]*\n {6}2 \| while true/)
    assert.equal(await command.end('SIGINT'), 0)
  })
})

describe('millrace solution dev pushes each of several saves in a row', () => {
  onInstance()

  const kinds: Readonly<Record<string, (file: string, text: string) => Promise<unknown>>> = {
    'in place': (file, text) => writeFile(file, text),
    'by a rename over the file': async (file, text) => {
      await writeFile(`${file}.tmp`, text)
      await rename(`${file}.tmp`, file)
    },
    'by a rename from a folder beside': async (file, text) => {
      await writeFile(join(fixture.root, 'saved.tmp'), text)
      await rename(join(fixture.root, 'saved.tmp'), file)
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
    const command = await fixture.dev(t, 'saves', files)
    const names = Object.keys(kinds)
    const inRow = isLongForm ? [0, 1, 2] : [0, 1]
    const row = [...names.flatMap((name) => inRow.map(() => name)), ...names.toReversed()]
    for (const [index, kind] of row.entries()) {
      await kinds[kind]?.(join(fixture.root, 'saves', 'modules', 'm.lua'), `return ${index + 1}`)
      assert.equal(
        await fixture.pushed('saves', index + 1),
        index + 1,
        `save ${index + 1}, ${kind}`,
      )
    }
    assert.equal(await command.end('SIGINT'), 0)
  })

  it('of git, which puts another branch in the place of the files', async (t) => {
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=a', '-c', 'user.email=a@a', ...args], {
        cwd: join(fixture.root, 'branches'),
      })
    await fixture.save('branches', 'user_go.lua', 'return 1')
    await fixture.save('branches', 'modules/old.lua', 'return 1')
    for (const args of ['init -q -b one', 'add .', 'commit -qm one', 'checkout -qb two']) {
      await git(...args.split(' '))
    }
    await fixture.save('branches', 'user_go.lua', 'return 2')
    await fixture.save('branches', 'modules/deep/new.lua', 'return 2')
    for (const args of ['rm -q modules/old.lua', 'add .', 'commit -qm two']) {
      await git(...args.split(' '))
    }
    const command = await fixture.dev(t, 'branches', {})
    assert.equal(await fixture.pushed('branches', 2), 2)
    for (const wanted of [1, 2, 1, 2]) {
      await git('checkout', '-q', wanted === 1 ? 'one' : 'two')
      assert.equal(await fixture.pushed('branches', wanted), wanted)
    }
    assert.equal(await command.end('SIGINT'), 0)
  })

  it('in a folder that is new, and one in that', async (t) => {
    const command = await fixture.dev(t, 'folders', { 'user_go.lua': 'return 1' })
    await fixture.save('folders', 'modules/a/b/c.lua', 'return 1')
    await command.prints(/^added +module a\.b\.c$/m)
    await fixture.save('folders', 'modules/a/b/c.lua', 'return 2')
    await command.prints(/^changed +module a\.b\.c$/m)
    await fixture.save('folders', 'modules/a/d.lua', 'return 2')
    await command.prints(/^added +module a\.d$/m)
    assert.equal(await command.end('SIGINT'), 0)
  })
})
