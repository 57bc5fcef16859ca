import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { isLongForm } from '../../fixtures/bounds.ts'
import { type DevFixture, devFixture } from '../../fixtures/processes/dev-command.ts'
import { suiteContext } from '../../fixtures/suite.ts'

const run = promisify(execFile)

describe('millrace solution dev pushes each of several saves in a row', () => {
  const suite = suiteContext()
  let fixture: DevFixture
  before(async () => {
    fixture = await devFixture(suite)
  })

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
