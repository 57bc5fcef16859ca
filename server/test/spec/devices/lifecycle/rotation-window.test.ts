import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { connectorFixture, refuses } from '../../../fixtures/provisioning.ts'

describe('lifecycle: the window of a rotation, to the microsecond', () => {
  async function open(t: TestContext) {
    const fixture = await connectorFixture(t, { selfRegistration: true })
    const { business, connector, activate, authenticate } = fixture
    const { token } = await activate('d')
    const wanted = { hours: 1, auth: { type: 'token' } } as const
    const { rotations } = fixture.provisioning
    const opened = await rotations.open(business, connector.id, 'd', wanted)
    return { ...fixture, old: token, fresh: opened.token ?? '', use: authenticate }
  }

  it('the old token works to the last, and then is refused, before anybody sweeps', async (t) => {
    const { clock, old, fresh, use } = await open(t)
    clock.us += 3_600_000_000 - 1
    await use(old)
    clock.us += 1
    await refuses('unknown_credential', () => use(old), 'rotation')
    await use(fresh)
    await refuses('unknown_credential', () => use(old))
  })

  it('both are known after a restart, the old one to nobody after the first use', async (t) => {
    const { old, fresh, use, another } = await open(t)
    const restarted = another()
    await restarted.authenticateToken(old, { encrypted: true })
    await use(fresh)
    const later = another()
    await refuses('unknown_credential', () => later.authenticateToken(old, { encrypted: true }))
    assert.equal((await later.authenticateToken(fresh, { encrypted: true })).identity, 'd')
  })

  it('a device locked by another process does not get “unknown” for its new token', async (t) => {
    const { provisioning, database, connector, fresh } = await open(t)
    // It is remembered here, and was not used: the connection was refused.
    const plain = async () => provisioning.authenticateToken(fresh, { encrypted: false })
    await refuses('plain_connection', plain)
    const text = 'update provisioning_identity set locked = $2 where connector_id = $1'
    await database.run(text, [connector.id, true])
    const use = async () => provisioning.authenticateToken(fresh, { encrypted: true })
    await refuses('locked', use)
    await database.run(text, [connector.id, false])
    assert.equal((await use()).identity, 'd')
  })

  it('no token of a rotation is stored or logged', async (t) => {
    const { database, fresh, use } = await open(t)
    const stored = async () =>
      JSON.stringify([
        await database.rows<object>('select * from provisioning_rotation'),
        await database.rows<object>('select * from provisioning_identity'),
        await database.rows<object>('select * from eventlog_entry'),
      ])
    assert.ok(!(await stored()).includes(fresh))
    await use(fresh)
    assert.ok(!(await stored()).includes(fresh))
  })
})
