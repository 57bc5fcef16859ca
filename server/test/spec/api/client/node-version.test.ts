import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { testFolder } from '../../../fixtures/ends.ts'
import { millrace, root } from '../../../fixtures/processes/page.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const run = promisify(execFile)

/** For a user without an entry, such as one of a container. */
const homeless = `import os from 'node:os'
import { syncBuiltinESMExports } from 'node:module'
os.homedir = () => { throw new Error('there is no home') }
syncBuiltinESMExports()`

describe('the Node that runs millrace', () => {
  const suite = suiteContext()
  let folder = ''
  before(async () => {
    folder = await testFolder(suite)
  })

  it('is the same in the manifests of the repository, the command line and the client', () => {
    const wanted = ['.', 'cli', 'client'].map((name) => {
      const manifest = readFileSync(join(root, name, 'package.json'), 'utf8')
      return (JSON.parse(manifest) as { engines: { node: string } }).engines.node
    })
    assert.deepEqual(wanted, ['>=20.12', '>=20.12', '>=20.12'])
  })

  /** Runs a program that takes its Node for another one. */
  const runAs = async (version: string, program: string) => {
    const preload = join(folder, `${version}.mjs`)
    const versions = `{ ...process.versions, node: '${version}' }`
    await writeFile(preload, `Object.defineProperty(process, 'versions', { value: ${versions} })`)
    return run(process.execPath, ['--import', preload, program, '--version'])
  }

  it('need not know a home for a command of the server', async () => {
    const preload = join(folder, 'homeless.mjs')
    await writeFile(preload, homeless)
    const args = ['--import', preload, millrace, 'config']
    assert.match((await run(process.execPath, args)).stdout, /^MILLRACE_DATA=/m)
  })

  for (const program of [millrace, join(root, 'dev', 'millrace.mjs')]) {
    it(`is refused in a sentence if it is too old, by ${program.slice(root.length)}`, async () => {
      for (const old of ['20.11.1', '18.19.0']) {
        await assert.rejects(runAs(old, program), {
          code: 1,
          stdout: '',
          stderr: `millrace: it needs Node 20.12 or later, and this is ${old}\n`,
        })
      }
      for (const good of ['20.12.0', '24.0.0']) {
        assert.match((await runAs(good, program)).stdout, /^\d+\.\d+\.\d+\n$/)
      }
    })
  }
})
