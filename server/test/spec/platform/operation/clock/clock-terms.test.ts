import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type InterfaceFixture, interfaceFixture } from '../../../../fixtures/interface.ts'
import type { OwnPlatform } from '../../../../fixtures/platform.ts'
import { suiteContext } from '../../../../fixtures/suite.ts'
import { activate } from '../../../../fixtures/wire/device.ts'

const hour = 3_600_000
const day = 24 * hour
const tenYears = 3_650 * day

describe('what ends at a time, and steps of the clock', () => {
  const suite = suiteContext()
  let fixture: InterfaceFixture<OwnPlatform>
  before(async () => {
    fixture = await interfaceFixture(suite, {
      own: 'sets the clock',
      connector: { name: 'Closed', devmode: true, selfRegistration: false, resources: {} },
    })
  })

  async function during<T>(ms: number, act: () => Promise<T>): Promise<T> {
    fixture.millrace.clock.step(ms)
    try {
      return await act()
    } finally {
      fixture.millrace.clock.step(-ms)
    }
  }

  it('an activation window is closed for a clock that is past it, and open again', async () => {
    const { millrace } = fixture
    const { identities } = millrace.platform.provisioning
    const host = `${millrace.connector.id}.localhost`
    const whitelist = (identity: string) =>
      identities.whitelist(millrace.businessId, millrace.connector.id, identity, {})
    const status = async (identity: string) => {
      const answer = await activate(millrace.httpUrl, host, identity)
      return answer.status
    }
    await whitelist('before')
    await during(tenYears, async () => {
      assert.notEqual(await status('before'), 200)
      await whitelist('meanwhile')
    })
    assert.equal(await status('before'), 200)
    assert.equal(await status('meanwhile'), 200)
    await during(-tenYears, () => whitelist('long ago'))
    assert.notEqual(await status('long ago'), 200, 'its window closed years ago')
    await whitelist('long ago')
    assert.equal(await status('long ago'), 200)
  })

  it('a session has ended for a clock that is past it, and none outlives its hours', async () => {
    const { accounts } = fixture.millrace.platform
    const { email, password } = fixture.millrace.account
    const refused = { code: 'unknown_credential' }
    const own = await accounts.signIn(email, password)
    await during(tenYears, async () => {
      await assert.rejects(accounts.session(own.token), refused)
    })
    assert.ok(await accounts.session(own.token))
    const { token } = await during(tenYears, () => accounts.signIn(email, password))
    await assert.rejects(accounts.session(token), refused)
    const { token: late } = await during(-day, () => accounts.signIn(email, password))
    await assert.rejects(accounts.session(late), refused)
    await during(2_000, async () => assert.ok((await accounts.signIn(email, password)).token))
  })

  it('a key has expired for a clock that is past its time, and is there again', async () => {
    const read = (key: string) => fixture.run('pump', `return Keystore.get{key = "${key}"}.value`)
    const set = (key: string) =>
      fixture.run(
        'pump',
        `Keystore.command{key = "${key}", command = "set", args = {"kept", "EX", 3600}}`,
      )
    await set('before')
    await during(tenYears, async () => {
      assert.equal(await read('before'), undefined)
      await set('ahead')
    })
    assert.equal(await read('before'), 'kept')
    fixture.millrace.clock.advance(2 * hour)
    assert.equal(await read('before'), undefined)
    assert.equal(await read('ahead'), 'kept', 'it was to last from then')
    await set('ahead')
    fixture.millrace.clock.advance(2 * hour)
    assert.equal(await read('ahead'), undefined, 'the next write heals it')
    await during(-day, () => set('back'))
    assert.equal(await read('back'), undefined)
  })
})
