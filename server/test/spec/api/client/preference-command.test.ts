import { strict as assert } from 'node:assert'
import { it } from 'node:test'
import { openPerson } from '../../../fixtures/commands/person.ts'
import { testPlatform } from '../../../fixtures/platform.ts'

it('millrace preference: keeps the units that a user prefers', async (t) => {
  const instance = await testPlatform(t)
  const person = await openPerson(t)
  await person.keep('password', instance.account.password)
  const { email } = instance.account
  const filed = ['--password-file', 'password']
  const login = await person.run('login', '--url', instance.httpUrl, '--email', email, ...filed)
  assert.equal(login.code, 0, login.stderr)
  const prefer = (...words: string[]) => person.run('preference', 'units', ...words)
  const wrong = await prefer('WARMTH', '--units', 'us')
  assert.deepEqual([wrong.code, /units\.WARMTH is not a data type/.test(wrong.stderr)], [1, true])
  const done = await prefer('TEMPERATURE', '--units', 'us')
  assert.match(done.stdout, /^TEMPERATURE +us$/m, done.stderr)
  const shown = JSON.parse((await person.run('preference', 'show', '--json')).stdout)
  assert.deepEqual(shown, { units: { TEMPERATURE: 'us' } })
  assert.equal((await prefer('TEMPERATURE', '--units', 'own')).stdout.trim(), '')
})
