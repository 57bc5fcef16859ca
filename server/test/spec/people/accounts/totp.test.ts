import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { generateSync } from 'otplib'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { accountLimits } from '../../../../src/people/accounts/index.ts'
import { accountsFixture, password, refused, unknown } from '../../../fixtures/accounts.ts'

type Fixture = Awaited<ReturnType<typeof accountsFixture>>

const periodMs = 30_000

/** The code that an app shows, at the time of the fixture. */
function makeCode(secret: string, nowMs: number): string {
  return generateSync({ secret, epoch: Math.floor(nowMs / 1_000) })
}

/** A user who has set up the second step. */
async function enrolled({ accounts, time, email }: Fixture) {
  const { token } = await accounts.signIn(email, password)
  const by = await accounts.session(token)
  const { secret, uri } = await accounts.beginTotp(by, password)
  const recoveryCodes = await accounts.confirmTotp(by, makeCode(secret, time.ms))
  time.ms += periodMs
  return { by, secret, uri, recoveryCodes, code: () => makeCode(secret, time.ms) }
}

describe('a second step by codes of an app', () => {
  it('is set up with the password, a link for the app and a first code', async () => {
    const fixture = await accountsFixture()
    const { accounts, time, email } = fixture
    const { token } = await accounts.signIn(email, password)
    const by = await accounts.session(token)
    await assert.rejects(accounts.beginTotp(by, 'wrong horse'), unknown)
    await assert.rejects(accounts.confirmTotp(by, '123456'), refused('not_found'))
    const { secret, uri } = await accounts.beginTotp(by, password)
    const label = `^otpauth://totp/Millrace:${email.replace('@', '(%40|@)')}\\?`
    assert.match(uri, new RegExp(label))
    assert.equal(new URL(uri).searchParams.get('secret'), secret)
    assert.equal(new URL(uri).searchParams.get('issuer'), 'Millrace')
    // Until it is confirmed, sign-ins have one step.
    await accounts.signIn(email, password)
    await assert.rejects(accounts.confirmTotp(by, 'abcdef'), unknown)
    const codes = await accounts.confirmTotp(by, makeCode(secret, time.ms))
    assert.equal(new Set(codes).size, accountLimits.recoveryCodes)
    const state = await accounts.readTotp(by)
    assert.deepEqual(state, {
      isEnabled: true,
      confirmedAt: time.ms,
      recoveryCodesLeft: accountLimits.recoveryCodes,
      isDemanded: false,
    })
    await assert.rejects(accounts.beginTotp(by, password), refused('already_exists'))
    const [user] = await accounts.listUsers(by.businessId)
    assert.equal(user?.hasTotp, true)
  })

  it('is the one of RFC 6238', () => {
    // Appendix B, SHA-1, the last six digits; the secret is "12345678901234567890".
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    const rows = [
      [59, '287082'],
      [1111111109, '081804'],
      [1234567890, '005924'],
      [20000000000, '353130'],
    ] as const
    for (const [epoch, code] of rows) assert.equal(makeCode(secret, epoch * 1_000), code)
  })

  it('then a sign-in needs the password and a code, and Basic is refused', async () => {
    const fixture = await accountsFixture()
    const { accounts, another, email } = fixture
    const { code } = await enrolled(fixture)
    for (const one of [accounts, another()]) {
      await assert.rejects(one.signIn(email, password), refused('totp_required'))
      await assert.rejects(one.basic(email, password), refused('totp_required'))
      await assert.rejects(one.signIn(email, 'wrong horse', { code: code() }), unknown)
      await assert.rejects(one.signIn(email, password, { code: '000000' }), unknown)
    }
    const { token, recoveryCodes } = await accounts.signIn(email, password, { code: code() })
    assert.equal(recoveryCodes, undefined)
    const [session] = await accounts.listSessions(await accounts.session(token))
    assert.equal(session?.method, 'totp')
  })

  it('takes a code of the period before and after, and no other', async () => {
    const fixture = await accountsFixture()
    const { accounts, time, email } = fixture
    const { secret } = await enrolled(fixture)
    time.ms += 10 * periodMs
    for (const away of [-2, 2]) {
      const code = makeCode(secret, time.ms + away * periodMs)
      await assert.rejects(accounts.signIn(email, password, { code }), unknown)
    }
    for (const away of [-1, 1]) {
      await accounts.signIn(email, password, { code: makeCode(secret, time.ms + away * periodMs) })
    }
  })

  it('refuses a code that was used, in every process, and those before it', async () => {
    const fixture = await accountsFixture()
    const { accounts, another, time, email } = fixture
    const { code, secret } = await enrolled(fixture)
    const used = code()
    const other = another()
    const both = await Promise.allSettled([
      accounts.signIn(email, password, { code: used }),
      other.signIn(email, password, { code: used }),
    ])
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    await assert.rejects(other.signIn(email, password, { code: used }), unknown)
    const before = makeCode(secret, time.ms - periodMs)
    await assert.rejects(accounts.signIn(email, password, { code: before }), unknown)
    time.ms += periodMs
    await other.signIn(email, password, { code: code() })
  })

  it('takes each recovery code once, in any spelling, and stores none as it is', async () => {
    const fixture = await accountsFixture()
    const { accounts, database, email } = fixture
    const { recoveryCodes, secret, by, code } = await enrolled(fixture)
    const [first = '', second = ''] = recoveryCodes
    await accounts.signIn(email, password, { code: first })
    await assert.rejects(accounts.signIn(email, password, { code: first }), unknown)
    const typed = second.toUpperCase().replaceAll('-', ' ')
    await accounts.signIn(email, password, { code: typed })
    assert.equal((await accounts.readTotp(by)).recoveryCodesLeft, accountLimits.recoveryCodes - 2)
    const stored = JSON.stringify([
      await database.rows('select * from accounts_totp'),
      await database.rows('select * from accounts_recovery_code'),
    ])
    for (const one of [...recoveryCodes, secret]) assert.ok(!stored.includes(one))
    const renewed = await accounts.renewRecoveryCodes(by, code())
    assert.equal((await accounts.readTotp(by)).recoveryCodesLeft, accountLimits.recoveryCodes)
    const old = recoveryCodes[2] ?? ''
    await assert.rejects(accounts.signIn(email, password, { code: old }), unknown)
    await accounts.signIn(email, password, { code: renewed[0] ?? '' })
  })
})

describe('codes of a second step', () => {
  it('are locked after too many that are wrong, though the password is right', async () => {
    const fixture = await accountsFixture()
    const { accounts, another, user, business, email } = fixture
    const { code } = await enrolled(fixture)
    const other = another()
    for (let at = 0; at < limits.failedSignInsMax; at += 1) {
      const by = at % 2 === 0 ? accounts : other
      const from = { code: `00000${at % 10}`, address: `192.0.2.${at}` }
      await assert.rejects(by.signIn(email, password, from), unknown)
    }
    const late = accounts.signIn(email, password, { code: code(), address: '198.51.100.1' })
    await assert.rejects(late, { code: 'sign_in_locked' })
    await accounts.unlockUser(business.id, user.id)
    await accounts.signIn(email, password, { code: code(), address: '198.51.100.1' })
  })

  it('remove it, and so does an administrator; each change is published', async () => {
    const fixture = await accountsFixture()
    const { accounts, business, user, time, email, otherBusiness, takeTopics } = fixture
    const changed = () => takeTopics().filter((topic) => topic !== 'audit')
    changed()
    const { by, code } = await enrolled(fixture)
    assert.deepEqual(changed(), ['accounts'])
    await assert.rejects(accounts.removeTotp(by, '000000'), unknown)
    assert.deepEqual(changed(), [])
    await accounts.removeTotp(by, code())
    assert.deepEqual(changed(), ['accounts'])
    await accounts.signIn(email, password)
    time.ms += periodMs
    await enrolled(fixture)
    const other = await otherBusiness()
    await assert.rejects(accounts.removeUserTotp(other.id, user.id), refused('not_found'))
    changed()
    await accounts.removeUserTotp(business.id, user.id)
    assert.deepEqual(changed(), ['accounts'])
    await accounts.basic(email, password)
    await assert.rejects(accounts.removeUserTotp(business.id, user.id), refused('not_found'))
  })
})

describe('a business that demands a second step', () => {
  it('takes no session and no sign-in without it, in any process', async () => {
    const fixture = await accountsFixture()
    const { accounts, another, business, time, email } = fixture
    const { token } = await accounts.signIn(email, password)
    const api = await accounts.createToken(business.id, { name: 'ci', role: 'Viewer' })
    await assert.rejects(accounts.beginDemandedTotp(email, password), refused('forbidden'))
    await accounts.demandTotp(business.id, true)
    const required = refused('totp_enrolment_required')
    for (const one of [accounts, another()]) {
      await assert.rejects(one.session(token), required)
      await assert.rejects(one.signIn(email, password), required)
      await assert.rejects(one.basic(email, password), required)
      await one.automation(api.token)
    }
    await assert.rejects(accounts.beginDemandedTotp(email, 'wrong horse'), unknown)
    const { secret } = await accounts.beginDemandedTotp(email, password)
    const wrong = accounts.signIn(email, password, { code: '000000' })
    await assert.rejects(wrong, unknown)
    const code = makeCode(secret, time.ms)
    const signedIn = await accounts.signIn(email, password, { code })
    assert.equal(signedIn.recoveryCodes?.length, accountLimits.recoveryCodes)
    const by = await accounts.session(signedIn.token)
    time.ms += periodMs
    const removal = accounts.removeTotp(by, makeCode(secret, time.ms))
    await assert.rejects(removal, refused('forbidden'))
    await accounts.demandTotp(business.id, false)
    await accounts.removeTotp(by, makeCode(secret, time.ms))
    await accounts.signIn(email, password)
  })
})
