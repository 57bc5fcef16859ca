import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import type { Database } from '../../../../src/foundation/database/index.ts'
import { Fault, limits } from '../../../../src/foundation/kernel/index.ts'
import { setLimits } from '../../../fixtures/bounds.ts'
import type { SharingOptions } from '../../../fixtures/database.ts'
import { untilOneWaits } from '../../../fixtures/peers/stall.ts'
import { connectorFixture, refuses } from '../../../fixtures/provisioning.ts'

const boundMs = 15_000

/** The wait ends here, so that the test can let go and fail. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const late = pause(boundMs, undefined, { ref: false }).then(() => {
    throw new Error('it was kept waiting')
  })
  return Promise.race([work, late])
}

/** Keeps identities as an operator's change does that is under way. @returns what lets them go. */
async function hold(database: Database, identities: readonly string[]) {
  const held = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const holding = database.transaction(async (transaction) => {
    for (const identity of identities) {
      await transaction.rows(
        'select identity from provisioning_identity where identity = $1 for update',
        [identity],
      )
    }
    held.resolve()
    await over.promise
  })
  await held.promise
  return async () => {
    over.resolve()
    await holding
  }
}

const open = (t: TestContext, options: SharingOptions = {}) =>
  connectorFixture(t, { selfRegistration: true }, options)

describe('an activation of an identity that somebody else holds', () => {
  it('does not delay others, and succeeds when it is released', async (t) => {
    const { database, whitelist, activate, get } = await open(t)
    for (const identity of ['held', 'free']) await whitelist(identity)
    const letGo = await hold(database, ['held'])
    const waiting = activate('held')
    try {
      await inTime(Promise.all(['free', 'unknown', 'other'].map((one) => activate(one))))
      assert.equal((await get('free')).status, 'provisioned')
      assert.equal((await get('held')).status, 'whitelisted')
    } finally {
      await letGo()
    }
    assert.match((await waiting).token, /^[0-9a-f]{40}$/)
    assert.equal((await get('held')).status, 'provisioned')
  })

  it('succeeds for a device whose token was lost, too', async (t) => {
    setLimits(t, { activationRetryMinutes: 10 })
    const { database, whitelist, activate } = await open(t)
    await whitelist('held')
    const lost = (await activate('held')).token
    const letGo = await hold(database, ['held'])
    const second = activate('held')
    try {
      await untilOneWaits(database)
    } finally {
      await letGo()
    }
    assert.notEqual((await second).token, lost)
  })

  it('is refused for what was done to it meanwhile', async (t) => {
    const { database, connector, whitelist, activate, entries } = await open(t)
    await whitelist('held')
    let waiting: Promise<void> | undefined
    await database.transaction(async (transaction) => {
      await transaction.run(
        `update provisioning_identity set locked = true
         where identity = 'held' and connector_id = $1`,
        [connector.id],
      )
      waiting = refuses('locked', () => activate('held'))
      await untilOneWaits(database)
    })
    await waiting
    assert.deepEqual(await entries(), [])
  })

  it('gets 503 after a while: nothing is promised, and the next attempt succeeds', async (t) => {
    const { database, whitelist, activate, entries } = await open(t)
    await whitelist('held')
    const letGo = await hold(database, ['held'])
    try {
      await inTime(refuses('overloaded', () => activate('held')))
    } finally {
      await letGo()
    }
    assert.deepEqual(await entries(), [])
    await activate('held')
  })

  it('gets 503 at once if many such wait already', async (t) => {
    const { database, whitelist, activate } = await open(t)
    const waiting = Array.from(
      { length: provisioningLimits.activationsBlockedMax },
      (_, at) => `held-${at}`,
    )
    for (const identity of [...waiting, 'one more']) await whitelist(identity)
    const letGo = await hold(database, [...waiting, 'one more'])
    const first = waiting.map((one) => activate(one))
    try {
      await untilOneWaits(database)
      await inTime(refuses('overloaded', () => activate('one more')))
    } finally {
      await letGo()
    }
    const settled = await Promise.allSettled(first)
    assert.deepEqual(
      settled.map((one) => (one.status === 'rejected' ? String(one.reason) : 'ok')),
      waiting.map(() => 'ok'),
    )
  })
})

describe('an activation while the database is away', () => {
  it('gets 503, as a write does', async (t) => {
    const { database, whitelist, activate } = await open(t, { own: 'ends connections' })
    await whitelist('d')
    const letGo = await hold(database, ['d'])
    const trying = activate('d').then(
      () => undefined,
      (error: unknown) => error,
    )
    await untilOneWaits(database)
    await database.run(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    const error = await trying
    assert.ok(error instanceof Fault, String(error))
    assert.equal(error.code, 'log_unavailable')
    assert.equal(error.retryAfterS, limits.retryAfterS)
    await letGo()
    await activate('d')
  })
})
