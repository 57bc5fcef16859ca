import { strict as assert } from 'node:assert'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { readFolder } from '@millrace/cli/folder'
import { runsWith } from '../../../fixtures/commands/command-line.ts'
import { atEnd } from '../../../fixtures/ends.ts'
import { openLua } from '../../../fixtures/lua.ts'

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-stubs-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  return folder
}

async function writeStubs(cwd: string): Promise<string> {
  const { code, stderr } = await runsWith({ cwd, env: {} })('solution', 'stubs')
  assert.equal(code, 0, stderr)
  return readFile(join(cwd, '.luals', 'millrace.lua'), 'utf8')
}

describe('stubs of the services for editors', () => {
  it('describe each operation with its arguments and its result', async (t) => {
    const stubs = await writeStubs(await makeFolder(t))
    assert.match(stubs, /---@class Keystore\.get\.Arguments\n---@field key string/)
    assert.match(stubs, /---@return .*\|ServiceError\nfunction Keystore\.get\(args\) end/)
    assert.match(stubs, /\nkeystore = Keystore\n/)
  })

  it('are Lua that the platform itself takes', async (t) => {
    const stubs = await writeStubs(await makeFolder(t))
    assert.equal(openLua({ source: `${stubs}\nreturn 1` }).value(), 1)
  })

  it('are left out when the folder is pushed', async (t) => {
    const folder = await makeFolder(t)
    await writeStubs(folder)
    await writeFile(join(folder, 'timer_tick.lua'), 'log.info("tick")\n')
    const files = await readFolder(folder)
    assert.deepEqual(
      files.map(({ path }) => path),
      ['timer_tick.lua'],
    )
  })

  it('keep the settings of the editor that the author has', async (t) => {
    const folder = await makeFolder(t)
    const settings = join(folder, '.luarc.json')
    await writeFile(settings, '{}')
    await writeStubs(folder)
    assert.equal(await readFile(settings, 'utf8'), '{}')
  })
})
