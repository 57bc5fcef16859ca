import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { runsWith } from '../../../fixtures/commands/command-line.ts'
import {
  type Complete,
  inBash,
  inFish,
  inZsh,
  missing,
  type ShellFolder,
  shellFolder,
} from '../../../fixtures/processes/shells.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const shells: readonly [
  name: string,
  open: (folder: ShellFolder) => Complete | Promise<Complete>,
][] = [
  ['bash', inBash],
  ['zsh', (folder) => inZsh(folder, 'sourced')],
  ['fish', inFish],
]

for (const [shell, open] of shells) {
  describe(`millrace completion ${shell}`, { skip: missing(shell) }, () => {
    const suite = suiteContext()
    let complete: Complete
    before(async () => {
      complete = await open(await shellFolder(suite))
    })

    it('completes the words of commands', async () => {
      assert.deepEqual(await complete('millrace con'), ['config', 'connector', 'content'])
      const verbs = await complete('millrace connector ')
      assert.deepEqual([verbs.includes('delete'), verbs.includes('connector')], [true, false])
      assert.deepEqual(await complete('millrace connector del'), ['delete'])
    })

    it('completes the options of a command that were not given yet', async () => {
      const options = await complete('millrace connector delete --c')
      assert.deepEqual(options, ['--cascade', '--confirm', '--connector'])
      const left = await complete('millrace connector delete --cascade --c')
      assert.deepEqual(left, ['--confirm', '--connector'])
      assert.ok((await complete('millrace connector delete ')).includes('--json'))
    })

    it('completes the values of a list, and leaves others to the shell', async () => {
      const words = await complete('millrace completion ')
      assert.deepEqual(
        words.filter((word) => !word.startsWith('--')),
        ['bash', 'fish', 'zsh'],
      )
      // bash completes files after its function, by -o default.
      const files = shell === 'bash' ? [] : ['afile']
      assert.deepEqual(await complete('millrace connector delete --connector '), files)
      assert.deepEqual(await complete('millrace nothing af'), files)
    })
  })
}

describe('the scripts of millrace completion', () => {
  const suite = suiteContext()

  it('zsh: is a file of a folder in $fpath as well', { skip: missing('zsh') }, async () => {
    const complete = await inZsh(await shellFolder(suite), 'autoloaded')
    assert.deepEqual(await complete('millrace connector del'), ['delete'])
  })

  it('refuses shells that it has no script for', async () => {
    const { code, stderr } = await runsWith({ cwd: '/', env: {} })('completion', 'csh')
    assert.equal(code, 2)
    assert.match(stderr, /Allowed choices are bash, zsh, fish/)
  })
})
