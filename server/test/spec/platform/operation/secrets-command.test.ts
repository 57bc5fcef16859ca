import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { Platform } from '../../../../src/platform/platform.ts'
import { runsWith } from '../../../fixtures/commands/command-line.ts'
import { testPlatform, unique } from '../../../fixtures/platform.ts'
import { everyCommand } from '../../../fixtures/processes/commands.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

describe('secrets of commands', () => {
  let platform: Platform
  let dataDir: string
  const suite = suiteContext()
  before(async () => {
    ;({ platform, operatorDir: dataDir } = await testPlatform(suite))
  })

  async function create(name: string, words: readonly string[], input?: string) {
    const args = ['business', 'create', '--name', name, '--email', `${name}@b.example`, ...words]
    const options = { cwd: dataDir, env: { MILLRACE_DATA: dataDir }, stdin: input }
    const { code, stdout, stderr } = await runsWith(options)(...args)
    return { code, printed: stdout + stderr }
  }
  const [one, two, three] = [unique('one'), unique('two'), unique('three')] as const
  const signsIn = (name: string, password: string) =>
    platform.accounts.signIn(`${name}@b.example`, password)

  it('come from a file or from the standard input, without the line end', async () => {
    const file = join(dataDir, 'phrase')
    await writeFile(file, ' a long phrase \n')
    assert.equal((await create(one, ['--password-file', file])).code, 0)
    await signsIn(one, ' a long phrase ')
    assert.equal((await create(two, ['--password-file', '-'], 'another phrase\r\n')).code, 0)
    await signsIn(two, 'another phrase')
  })

  it('are no arguments, and are not waited for where nobody can type them', async () => {
    for (const [words, says] of [
      [['--password', 'a long phrase'], /unknown option '--password'/],
      [[], /--password-file is missing, and there is no terminal/],
      [['--password-file', '/nowhere/at/all'], /--password-file: ENOENT/],
      [['--password-file', '/dev/null'], /--password-file holds nothing/],
      [['--password-file', '/dev/zero'], /--password-file holds more than a secret/],
    ] as const) {
      const { code, printed } = await create(three, words)
      assert.equal(code, 2)
      assert.match(printed, says)
    }
    assert.equal(await platform.accounts.findBusiness(three), undefined)
  })

  it('are files in every command', async () => {
    const names = (await everyCommand()).flatMap(({ name, options }) =>
      Object.entries(options)
        .filter(([option, { flag }]) => /password|secret|token(?!s$)/.test(option) && flag !== true)
        .filter(([option, { meaning }]) => !/^A file |: the file /i.test(meaning) || option === '')
        .map(([option]) => `${name} --${option}`),
    )
    assert.deepEqual(names, [])
  })
})
