import { strict as assert } from 'node:assert'
import { argon2Sync } from 'node:crypto'
import { describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { accountsFixture, password, unknown } from '../../../fixtures/accounts.ts'
import { testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'

type Fixture = Awaited<ReturnType<typeof accountsFixture>>

const locked = (retryAfterS: number) => ({ code: 'sign_in_locked', retryAfterS })
const elsewhere = '198.51.100.7'

/** Wrong passwords, one after the other, from one address each. */
async function guess(by: Fixture['accounts'], count: number, who: string): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await assert.rejects(by.basic(who, `wrong ${at}`, `203.0.113.${at}`), unknown)
  }
}

describe('an account is locked after too many failed sign-ins', () => {
  it('counted over all processes, and after a restart', async () => {
    const { accounts, another, email } = await accountsFixture()
    const other = another()
    const half = Math.floor(limits.failedSignInsMax / 2)
    await guess(accounts, half, email)
    await guess(other, limits.failedSignInsMax - half, email)
    const minute = locked(limits.lockoutMs / 1_000)
    for (const one of [accounts, other, another()]) {
      await assert.rejects(one.basic(email, password, elsewhere), minute)
    }
  })

  it('for a time that each further failure doubles, up to an hour', async () => {
    const { accounts, time, email } = await accountsFixture()
    await guess(accounts, limits.failedSignInsMax, email)
    const waits: number[] = []
    for (let at = 0; at < 9; at += 1) {
      const refusal = await accounts.basic(email, password, elsewhere).catch((error) => error)
      waits.push(refusal.retryAfterS)
      time.ms += refusal.retryAfterS * 1_000
      await assert.rejects(accounts.basic(email, 'wrong', '203.0.113.99'), unknown)
    }
    assert.deepEqual(waits, [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
    const last = await accounts.basic(email, password, elsewhere).catch((error) => error)
    time.ms += last.retryAfterS * 1_000
    await accounts.basic(email, password, elsewhere)
    await guess(accounts, limits.failedSignInsMax - 1, email)
    await accounts.signIn(email, password, { address: elsewhere })
  })

  it('and its failures are forgotten after a day without one', async () => {
    const { accounts, time, email } = await accountsFixture()
    await guess(accounts, limits.failedSignInsMax - 1, email)
    time.ms += limits.lockoutForgottenMs + 1
    await guess(accounts, limits.failedSignInsMax - 1, email)
    await accounts.basic(email, password, elsewhere)
  })

  it('and one of which there is no user answers in the same way', async () => {
    const { accounts, email } = await accountsFixture()
    await guess(accounts, limits.failedSignInsMax, 'nobody@example.com')
    await guess(accounts, limits.failedSignInsMax, email)
    const refusals = await Promise.all(
      ['nobody@example.com', email].map((who) =>
        accounts.basic(who, 'wrong', elsewhere).catch(({ code, detail, retryAfterS }) => {
          return { code, detail, retryAfterS }
        }),
      ),
    )
    assert.deepEqual(refusals[0], refusals[1])
    assert.match(JSON.stringify(refusals), /sign_in_locked/)
  })

  it('and takes as long for nobody as for somebody', async () => {
    const { accounts, email } = await accountsFixture()
    const measureMs = async (who: string, at: number) => {
      const since = performance.now()
      await assert.rejects(accounts.basic(who, 'wrong', `203.0.113.${at}`), unknown)
      return performance.now() - since
    }
    const somebody: number[] = []
    const nobody: number[] = []
    for (let at = 0; at < limits.failedSignInsMax - 1; at += 1) {
      somebody.push(await measureMs(email, at))
      nobody.push(await measureMs('nobody@example.com', at))
    }
    const middle = (all: number[]) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
    const ratio = middle(nobody) / middle(somebody)
    assert.ok(ratio > 0.5 && ratio < 2, `${ratio}`)
  })

  it('is unlocked by an administrator, who sees the lock, and by a new password', async () => {
    const { accounts, business, user, otherBusiness, email } = await accountsFixture()
    await guess(accounts, limits.failedSignInsMax, email)
    assert.ok((await accounts.withLock(user)).lockedUntil)
    await accounts.unlockUser(business.id, user.id)
    assert.equal((await accounts.withLock(user)).lockedUntil, null)
    await accounts.basic(email, password, elsewhere)
    await guess(accounts, limits.failedSignInsMax, email)
    await accounts.setPassword(business.id, email, 'another long phrase')
    await accounts.basic(email, 'another long phrase', '198.51.100.8')
    const other = await otherBusiness()
    await assert.rejects(accounts.unlockUser(other.id, user.id), { code: 'not_found' })
  })
})

describe('the API of a locked account', () => {
  const context = suiteContext()

  it('says 429 with Retry-After, for two processes as one, until it is unlocked', async () => {
    const instance = await testPlatform(context)
    const other = await instance.another()
    const user = { email: 'locked@example.com', password: 'a long phrase' }
    const send = (url: string, method: string, body?: unknown, as?: string) =>
      askJson(url, { method, body, as })
    const users = `${instance.httpUrl}/api:1/users`
    const made = await send(users, 'POST', { ...user, role: 'Viewer' }, instance.basic)
    const { id } = made.json
    const signIn = (url: string, secret: string) =>
      send(`${url}/api:1/token`, 'POST', { email: user.email, password: secret })
    for (let at = 0; at < limits.failedSignInsMax; at += 1) {
      const { httpUrl } = at % 2 === 0 ? instance : other
      assert.equal((await signIn(httpUrl, `wrong ${at}`)).status, 401)
    }
    for (const { httpUrl } of [instance, other]) {
      const refused = await signIn(httpUrl, user.password)
      assert.equal(refused.status, 429)
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
      assert.equal(refused.json.code, 'sign_in_locked')
    }
    const shown = await send(`${users}/${id}`, 'GET', undefined, instance.basic)
    assert.ok(shown.json.locked_until > 0)
    const unlocked = await send(`${users}/${id}/lock`, 'DELETE', undefined, instance.basic)
    assert.equal(unlocked.status, 204)
    assert.equal((await signIn(other.httpUrl, user.password)).status, 200)
  })
})

describe('a password that was hashed with other parameters', () => {
  it('is hashed anew when its user signs in', async () => {
    const { accounts, database, user, email } = await accountsFixture()
    const weak = weakHash()
    await database.run('update accounts_user set password_hash = $1 where id = $2', [weak, user.id])
    const { token } = await accounts.signIn(email, password, { address: elsewhere })
    await accounts.session(token)
    const [row] = await database.rows<{ password_hash: string }>(
      'select password_hash from accounts_user where id = $1',
      [user.id],
    )
    assert.match(row?.password_hash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    await accounts.basic(email, password, '192.0.2.9')
    await assert.rejects(accounts.basic(email, 'wrong horse', '192.0.2.9'), unknown)
  })
})

/** The hash of the password with less memory and one pass. */
function weakHash(): string {
  const nonce = Buffer.alloc(16, 7)
  const found = argon2Sync('argon2id', {
    message: password,
    nonce,
    parallelism: 1,
    tagLength: 32,
    memory: 4096,
    passes: 1,
  })
  const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=4096,t=1,p=1$${plain(nonce)}$${plain(found)}`
}
