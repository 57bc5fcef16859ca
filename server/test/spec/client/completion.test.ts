import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { root } from '../../fixtures/processes/page.ts'
import { suiteContext } from '../../fixtures/suite.ts'

const run = promisify(execFile)
const main = join(root, 'cli', 'src', 'main.ts')

describe('the scripts of millrace completion', () => {
  const suite = suiteContext()
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-completion-'))
    suite.after(() => rm(folder, { recursive: true, force: true }))
    const script = `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`
    await writeFile(join(folder, 'millrace'), script, { mode: 0o755 })
  })
  /** Completes the last word in bash, with the printed script. */
  const complete = async (...words: string[]) => {
    const quoted = words.map((word) => `'${word}'`).join(' ')
    const script = `source <(millrace completion bash)
      COMP_WORDS=(millrace ${quoted}); COMP_CWORD=${words.length}; _millrace
      printf '%s\\n' "\${COMPREPLY[@]}"; complete -p millrace`
    const PATH = [folder, process.env.PATH].join(delimiter)
    const { stdout } = await run('bash', ['-c', script], { env: { ...process.env, PATH } })
    const lines = stdout.trimEnd().split('\n')
    assert.equal(lines.pop(), 'complete -o default -F _millrace millrace')
    return lines.filter((line) => line !== '')
  }

  it('completes the words of commands', async () => {
    assert.deepEqual(await complete('con'), ['config', 'connector', 'content'])
    const verbs = await complete('connector', '')
    assert.deepEqual([verbs.includes('delete'), verbs.includes('connector')], [true, false])
    assert.deepEqual(await complete('connector', 'del'), ['delete'])
  })

  it('completes the options of a command that were not given yet', async () => {
    assert.deepEqual(await complete('connector', 'delete', '--c'), ['--cascade', '--connector'])
    const left = await complete('connector', 'delete', '--cascade', '--c')
    assert.deepEqual(left, ['--connector'])
    assert.ok((await complete('connector', 'delete', '')).includes('--json'))
  })

  it('leaves values to the shell, but those of a list', async () => {
    assert.deepEqual(await complete('connector', 'delete', '--connector', ''), [])
    const shells = await complete('completion', '')
    assert.deepEqual(shells.slice(-3), ['bash', 'fish', 'zsh'])
    assert.deepEqual(await complete('nothing', ''), [])
  })

  it('prints a script for each shell, and refuses others', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { stdout } = await run(process.execPath, [main, 'completion', shell])
      assert.ok(stdout.includes(' completion words -- '), shell)
    }
    await assert.rejects(run(process.execPath, [main, 'completion', 'csh']), {
      code: 2,
      stderr: /Allowed choices are bash, zsh, fish/,
    })
  })
})
