import { strict as assert } from 'node:assert'
import { it } from 'node:test'
import { testPlatform } from '../../../fixtures/platform.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'

it('shows administrators when each user has signed in last', async (t) => {
  const { httpUrl, basic: admin, clock } = await testPlatform(t, { movesClock: true })
  const call = (path: string, as: string, method = 'GET', body?: object) =>
    askJson(`${httpUrl}/api:1/${path}`, { as, method, body })
  const user = { email: 'ada@example.com', password: 'a long phrase' }
  const made = await call('users', admin, 'POST', { ...user, role: 'Viewer' })
  assert.equal(made.json.last_sign_in_at, null)
  const last = async () => (await call(`users/${made.json.id}`, admin)).json.last_sign_in_at

  const wrong = await call('token', '', 'POST', { ...user, password: 'another phrase' })
  assert.equal(wrong.status, 401)
  const basic = `Basic ${Buffer.from(`${user.email}:${user.password}`).toString('base64')}`
  assert.equal((await call('whoami', basic)).status, 200)
  assert.equal(await last(), null, 'neither a wrong password nor HTTP Basic begins a session')

  const begins: number[] = []
  for (const _ of [1, 2]) {
    const { token } = (await call('token', '', 'POST', user)).json
    const { sessions } = (await call('sessions', `token ${token}`)).json
    begins.push(sessions[0].created_at)
    assert.equal(await last(), sessions[0].created_at)
    assert.equal((await call('token', `token ${token}`, 'DELETE')).status, 204)
    clock.advance(1_000)
  }
  const [first = 0, second = 0] = begins
  assert.ok(second > first)
  const { users } = (await call('users', admin)).json
  const listed = users.find(({ id }: { id: string }) => id === made.json.id)
  assert.equal(listed.last_sign_in_at, second, 'it stays when the session has ended')
})
