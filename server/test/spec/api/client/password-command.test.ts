import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { openPerson, type Person } from '../../../fixtures/commands/person.ts'
import { until } from '../../../fixtures/interface.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

describe('the commands of millrace password', () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let person: Person

  before(async () => {
    instance = await testPlatform(suite)
    person = await openPerson(suite)
    await keep('first', instance.account.password)
    await keep('second', 'another long phrase')
    await keep('third', 'a third long phrase')
  })

  const keep = (name: string, line: string) => person.keep(name, line)
  const run = (...args: string[]) => person.run(...args)
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
    // The request is answered before the mail is written: its time is the same for any address.
    const own = async () => {
      const mails = await instance.platform.mail.list()
      return mails.filter(({ to }) => to.includes(instance.account.email))
    }
    const [mail] = await until(own, ({ length }) => length > 0)
    const text = JSON.stringify(mail)
    await keep('link', /#reset=([\w-]+)/.exec(text)?.[1] ?? assert.fail(text))
    const reset = () => run('password', 'reset', '--token-file', 'link', '--password-file', 'third')
    const done = await reset()
    assert.equal(done.code, 0, done.stderr)
    assert.equal((await login('third')).code, 0)
    assert.equal((await reset()).code, 1)
  })
})
