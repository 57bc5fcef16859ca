import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { waitMsMax } from '../../fixtures/bounds.ts'
import { atEnd } from '../../fixtures/ends.ts'
import { type TestPlatform, testPlatform } from '../../fixtures/platform.ts'
import { millrace } from '../../fixtures/processes/page.ts'
import { suiteContext } from '../../fixtures/suite.ts'

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string }

describe('millrace password', () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let folder = ''

  before(async () => {
    instance = await testPlatform(suite)
    folder = await mkdtemp(join(tmpdir(), 'millrace-password-'))
    atEnd(suite, () => rm(folder, { recursive: true, force: true }))
    await keep('first', instance.account.password)
    await keep('second', 'another long phrase')
    await keep('third', 'a third long phrase')
  })

  const keep = (name: string, text: string) => writeFile(join(folder, name), `${text}\n`)

  /** Runs a command as a person on another machine: with a home, and no data directory. */
  const run = (...args: string[]): Promise<Ended> =>
    new Promise((resolve) => {
      const env = { PATH: process.env.PATH, HOME: folder }
      const options = { cwd: folder, env, timeout: waitMsMax }
      const child = execFile(process.execPath, [millrace, ...args], options, (_, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      )
      child.stdin?.end()
    })

  const login = (file: string) => {
    const { email } = instance.account
    return run('login', '--url', instance.httpUrl, '--email', email, '--password-file', file)
  }
  const change = (present: string, file: string) =>
    run('password', 'change', '--present-file', present, '--password-file', file)

  it('change: wants the present one, and ends the sessions', async () => {
    assert.equal((await login('first')).code, 0)
    const wrong = await change('third', 'second')
    assert.equal(wrong.code, 3, wrong.stderr)
    const { code, stderr } = await change('first', 'second')
    assert.equal(code, 0, stderr)
    assert.equal((await run('whoami')).code, 3)
    assert.equal((await login('first')).code, 3)
    assert.equal((await login('second')).code, 0)
  })

  it('request and reset: a new password by the link of a mail, once', async () => {
    const nobody = await run('password', 'request', 'nobody@example.com')
    const asked = await run('password', 'request', instance.account.email)
    assert.deepEqual([nobody.code, asked.code], [0, 0], asked.stderr)
    const [mail] = await instance.platform.mail.list()
    const text = JSON.stringify(mail)
    await keep('link', /#reset=([\w-]+)/.exec(text)?.[1] ?? assert.fail(text))
    const reset = () => run('password', 'reset', '--token-file', 'link', '--password-file', 'third')
    const done = await reset()
    assert.equal(done.code, 0, done.stderr)
    assert.equal((await login('third')).code, 0)
    assert.equal((await reset()).code, 1)
  })
})
