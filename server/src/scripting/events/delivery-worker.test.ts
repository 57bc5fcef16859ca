import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { waitMsMax } from '../../../test/fixtures/bounds.ts'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { atEnd } from '../../../test/fixtures/ends.ts'
import type { Database } from '../../database/index.ts'
import { createEventLog, type EventLog } from '../../eventlog/index.ts'
import { createLogger, limits, systemRandom } from '../../kernel/index.ts'
import type { RetryPolicy } from '../registry/script.ts'
import type { HostEnd } from '../runtime/host.ts'
import type { HandlerCall } from '../scripting.ts'
import { insertDeliveries } from '../store/deliveries.ts'
import { createDeliveries, type DeliveryQueue } from './deliveries.ts'
import type { NewDelivery } from './delivery.ts'
import { DeliveryWorker } from './delivery-worker.ts'
import { createSettler } from './settle.ts'

const usage = { cpuMs: 0, serviceCalls: 0, wallMs: 0 }
const error = { type: 'ServerError', error: 'oh', status: 500 }

/** How calls of handlers end. */
const ends = {
  returned: { kind: 'returned', value: undefined, started: true, usage },
  failed: { kind: 'failed', error, started: true, usage },
  /** By a limit; nothing of it ran, unless `started`. */
  stopped: (limit: 'worker' | 'cpu' | 'queue', started: boolean): HostEnd => {
    return { kind: 'stopped', limit, error, started, usage }
  },
} satisfies Record<string, HostEnd | ((...args: never) => HostEnd)>

/** A call of a handler that has begun; the test says how it ends. */
type Begun = {
  readonly call: HandlerCall
  end(end: HostEnd): void
  /** It cannot be run at all. */
  refuse(reason: Error): void
}

type DeliveryRow = {
  readonly id: string
  readonly solution_id: string
  readonly state: string
  readonly tries: number
  readonly lease: string | null
  readonly due_at: number
  readonly argument: string
}

/** Deliveries on a database of their own, with handlers that the test plays. */
type Fixture = {
  readonly database: Database
  readonly eventlog: EventLog
  readonly clock: { nowUs(): number; advance(us: number): void }
  readonly keeper: DeliveryQueue
  readonly deliverer: DeliveryWorker
  /** Makes solutions without a script. */
  solutions(...ids: readonly string[]): Promise<void>
  /** Those that began, in their order, once there are so many. */
  begun(count: number): Promise<readonly Begun[]>
  /** What is kept, in its order. */
  rows(): Promise<DeliveryRow[]>
  /** How often was looked for what waits. */
  looks(): number
  /** Stops and closes the deliverer. */
  close(): Promise<void>
  /** Waits until nothing is kept any more. */
  done(): Promise<void>
  /** Waits until it is so. */
  until(what: string, condition: () => Promise<boolean>): Promise<void>
}

type FixtureOptions = {
  readonly retry?: RetryPolicy
  /** Stands before the database of what writes ends down. */
  readonly settlesOn?: (database: Database) => Database
}

// A test may hold the timers of the platform, not these.
const { setTimeout } = globalThis

const owner = 'this process'

function jobOf(solutionId: string, argument: HandlerCall['argument'] = null): HandlerCall {
  return { businessId: 'b', solutionId, service: 'device2', event: 'event', argument }
}

async function openFixture(
  t: Pick<TestContext, 'after'>,
  { retry, settlesOn = (database) => database }: FixtureOptions = {},
): Promise<Fixture> {
  const opened = await testDatabase(t)
  let looks = 0
  const database: Database = {
    ...opened,
    rows(text, values) {
      if (text.includes('backlogged')) looks += 1
      return opened.rows(text, values)
    },
  }
  const logger = createLogger('silent')
  let nowUs = Date.now() * 1_000
  const clock = {
    ...{ nowUs: () => nowUs, nowMs: () => nowUs / 1_000, elapsedMs: () => performance.now() },
    advance(us: number) {
      nowUs += us
    },
  }
  const eventlog = createEventLog({ database, clock, logger, effects: () => [] })
  atEnd(t, () => eventlog.close())
  const all: Begun[] = []
  const run = (call: HandlerCall) =>
    new Promise<HostEnd>((end, refuse) => void all.push({ call, end, refuse }))
  const retryOf = async () => retry
  const needs = { database, eventlog, clock, logger, random: systemRandom, owner, run, retryOf }
  const settler = createSettler({ ...needs, database: settlesOn(database) })
  const recovered = async () => {}
  const deliverer = new DeliveryWorker({ ...needs, settler, recovered })
  const keeper = createDeliveries({ ...needs, settler, wake: () => deliverer.wake() })

  async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
    const deadlineMs = performance.now() + waitMsMax
    while (!(await condition())) {
      if (performance.now() > deadlineMs) throw new Error(`it never came to this: ${what}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  const rows = () =>
    database.rows<DeliveryRow>(
      `select id, solution_id, state, tries, lease, due_at, argument
       from scripting_delivery order by number`,
    )

  return {
    ...{ database, eventlog, clock, keeper, deliverer, until, rows },
    looks: () => looks,
    done: () => until('all are done', async () => (await rows()).length === 0),
    async close() {
      await deliverer.stop()
      await deliverer.close()
    },
    async solutions(...ids) {
      await database.run(
        `insert into scripting_solution (id, business_id, name, description, version, limits,
           created_at, updated_at)
         select id, 'b', id, '', 1, '{}', 0, 0 from unnest(string_to_array($1, ',')) as id`,
        [ids.join()],
      )
    },
    async begun(count) {
      await until(`${count} began`, async () => all.length >= count)
      return all
    },
  }
}

const argumentsOf = (begun: readonly Begun[]) => begun.map(({ call }) => call.argument)

/** Keeps deliveries of one key, which run one after the other. */
async function keepInOrder({ database, clock }: Fixture, names: readonly string[]): Promise<void> {
  const deliveries = names.map((name): NewDelivery => {
    const call = { ...jobOf('pump', name), trackingId: 't' }
    return { id: name, call, part: 0, key: 'k', state: 'waiting' }
  })
  await insertDeliveries(database, deliveries, { owner, nowUs: clock.nowUs(), forUs: 0 })
}

describe('taking deliveries', () => {
  it('begins those of every solution, however many solutions there are', async (t) => {
    const fixture = await openFixture(t)
    const count = limits.deliverySolutionsMax + 1
    const ids = Array.from({ length: count }, (_, at) => `s${String(at).padStart(4, '0')}`)
    await fixture.solutions(...ids)
    await fixture.keeper.add(ids.map((id) => jobOf(id)))
    fixture.deliverer.start()
    const begun = await fixture.begun(count)
    assert.deepEqual(begun.map(({ call }) => call.solutionId).sort(), ids)
    for (const { end } of begun) end(ends.returned)
    await fixture.done()
    await fixture.close()
    assert.deepEqual((await fixture.eventlog.ledger.verify()).faults, [])
  })

  it('has so many of a solution at once, and takes the next while the last run', async (t) => {
    const fixture = await openFixture(t)
    await fixture.solutions('pump', 'zebra')
    const { deliveryRunsMax: runs, deliveryClaimMax: claims } = limits
    const names = Array.from({ length: claims * 2 }, (_, at) => at)
    await fixture.keeper.add(names.map((name) => jobOf('pump', name)))
    const taken = async () => (await fixture.rows()).filter(({ lease }) => lease !== null).length
    // From here on nothing is found by a look from time to time.
    t.mock.timers.enable({ apis: ['setTimeout'] })
    fixture.deliverer.start()
    let begun = await fixture.begun(runs)
    assert.deepEqual([await taken(), begun.length], [claims, runs])
    for (let at = 0; at < claims - runs; at += 1) {
      begun = await fixture.begun(at + runs)
      begun[at]?.end(ends.returned)
    }
    begun = await fixture.begun(claims)
    await fixture.until('their ends are kept', async () => (await taken()) === runs)
    await fixture.keeper.add([jobOf('zebra', 'first')])
    assert.equal((await fixture.begun(claims + 1)).at(-1)?.call.solutionId, 'zebra')
    assert.equal(await taken(), runs + 1, 'none of the solution that runs so many')
    begun.at(claims - 1)?.end(ends.returned)
    await fixture.begun(claims + 2)
    assert.equal(await taken(), claims + 1)
    for (let at = claims - runs; at < names.length + 1; at += 1) {
      begun = await fixture.begun(at + 1)
      begun[at]?.end(ends.returned)
    }
    await fixture.done()
    t.mock.timers.reset()
    await fixture.close()
    assert.deepEqual(new Set(argumentsOf(begun)), new Set([...names, 'first']))
  })

  it('is looked for from time to time where nothing waits', async (t) => {
    const { deliverer, looks, until, close } = await openFixture(t)
    const since = performance.now()
    deliverer.start()
    await until('three looks', async () => looks() >= 3)
    const pauses = (performance.now() - since) / limits.deliveryPollMs
    assert.ok(looks() <= pauses + 2, `${looks()} looks in ${pauses} pauses`)
    await close()
  })

  it('begins the next of a key when the end of the one before is kept', async (t) => {
    const fixture = await openFixture(t)
    await fixture.solutions('pump')
    await keepInOrder(fixture, ['1', '2'])
    t.mock.timers.enable({ apis: ['setTimeout'] })
    fixture.deliverer.start()
    const [first] = await fixture.begun(1)
    await keepInOrder(fixture, ['3'])
    // The one that comes later is looked at, and left.
    await fixture.keeper.add([jobOf('pump', 'other')])
    assert.deepEqual(argumentsOf(await fixture.begun(2)), ['1', 'other'])
    first?.end(ends.returned)
    const [, other, second] = await fixture.begun(3)
    assert.equal(second?.call.argument, '2')
    assert.deepEqual(
      (await fixture.rows()).map(({ argument }) => argument),
      ['"2"', '"3"', '"other"'],
    )
    other?.end(ends.returned)
    second?.end(ends.returned)
    const [, , , third] = await fixture.begun(4)
    assert.equal(third?.call.argument, '3')
    third?.end(ends.returned)
    await fixture.done()
    t.mock.timers.reset()
    await fixture.close()
  })

  it('leaves all of a key where the first has to wait: no try of the others', async (t) => {
    const fixture = await openFixture(t, { retry: { retries: 2, seconds: 60 } })
    const { clock, deliverer } = fixture
    await fixture.solutions('pump')
    await keepInOrder(fixture, ['1', '2'])
    deliverer.start()
    const startUs = clock.nowUs()
    const [first] = await fixture.begun(1)
    first?.end(ends.failed)
    const free = async () => (await fixture.rows()).every(({ lease }) => lease === null)
    await fixture.until('they are given back', free)
    const state = (await fixture.rows()).map(({ tries, due_at: due }) => [tries, due - startUs])
    assert.deepEqual(state, [
      [1, 60_000_000],
      [0, 0],
    ])
    clock.advance(60_000_000)
    const [, again] = await fixture.begun(2)
    assert.equal(again?.call.argument, '1')
    again?.end(ends.returned)
    const [, , second] = await fixture.begun(3)
    assert.equal(second?.call.argument, '2')
    second?.end(ends.returned)
    await fixture.done()
    await fixture.close()
  })

  it('tries again what could not be run at all, after a pause and without counting', async (t) => {
    const fixture = await openFixture(t)
    const { clock, deliverer } = fixture
    await fixture.solutions('pump')
    await fixture.keeper.add([jobOf('pump')])
    deliverer.start()
    const pauseUs = limits.deliveryAgainMs * 1_000
    const startUs = clock.nowUs()
    const [first] = await fixture.begun(1)
    first?.refuse(new Error('the database is away'))
    const free = async () => (await fixture.rows()).every(({ lease }) => lease === null)
    await fixture.until('it is given back', free)
    const [row] = await fixture.rows()
    assert.deepEqual([row?.tries, row?.due_at], [0, startUs + pauseUs])
    clock.advance(pauseUs)
    const [, second] = await fixture.begun(2)
    second?.end(ends.stopped('queue', false))
    await fixture.until('it is given back', free)
    const [later] = await fixture.rows()
    assert.deepEqual([later?.tries, later?.due_at], [0, startUs + 2 * pauseUs])
    clock.advance(pauseUs)
    const [, , third] = await fixture.begun(3)
    third?.end(ends.failed)
    await fixture.until('it failed', async () => (await fixture.rows())[0]?.state === 'dead')
    assert.equal((await fixture.rows())[0]?.tries, 1)
    await fixture.close()
  })

  it('of what a stop cuts off runs again, and nothing more begins', async (t) => {
    const fixture = await openFixture(t)
    const { deliverer } = fixture
    await fixture.solutions('pump')
    await keepInOrder(fixture, ['cut off', 'behind it'])
    await fixture.keeper.add([jobOf('pump', 'spins'), jobOf('pump', 'late')])
    deliverer.start()
    const begun = await fixture.begun(3)
    const byName = (name: string) => begun.find(({ call }) => call.argument === name)
    byName('late')?.end(ends.stopped('worker', true))
    await fixture.until('it failed', async () =>
      (await fixture.rows()).some(({ state }) => state === 'dead'),
    )
    const stopping = deliverer.stop()
    byName('cut off')?.end(ends.stopped('worker', true))
    byName('spins')?.end(ends.stopped('cpu', true))
    await stopping
    await deliverer.close()
    const rows = await fixture.rows()
    assert.deepEqual(
      rows.map(({ argument, state, tries, lease }) => [argument, state, tries, lease]),
      [
        ['"cut off"', 'waiting', 0, null],
        ['"behind it"', 'waiting', 0, null],
        ['"spins"', 'dead', 1, null],
        ['"late"', 'dead', 1, null],
      ],
    )
    assert.equal((await fixture.begun(0)).length, 3)
  })

  it('writes the ends down when the database is back, each once', async (t) => {
    let failing = 2
    const fixture = await openFixture(t, {
      settlesOn: (database) => ({
        ...database,
        transaction: (work) => {
          failing -= 1
          return failing >= 0 ? Promise.reject(new Error('away')) : database.transaction(work)
        },
      }),
    })
    await fixture.solutions('pump')
    await fixture.keeper.add(['done', 'fails'].map((name) => jobOf('pump', name)))
    fixture.deliverer.start()
    for (const { call, end } of await fixture.begun(2)) {
      end(call.argument === 'done' ? ends.returned : ends.failed)
    }
    await fixture.until('both ended', async () => {
      const rows = await fixture.rows()
      return rows.length === 1 && rows[0]?.state === 'dead'
    })
    await fixture.close()
    const { faults, stages } = await fixture.eventlog.ledger.verify()
    assert.deepEqual(faults, [])
    const counted = { stage: 'deliveries', taken: 2, done: 1, failed: 1, pending: 0 }
    assert.deepEqual(stages, [counted])
    assert.ok(failing < 0)
  })

  it('leaves to others what a close cannot write down, and waits no longer for it', async (t) => {
    let away = false
    const fixture = await openFixture(t, {
      settlesOn: (database) => ({
        ...database,
        transaction: (work) =>
          away ? Promise.reject(new Error('away')) : database.transaction(work),
      }),
    })
    const { deliverer } = fixture
    await fixture.solutions('pump')
    await keepInOrder(fixture, ['1'])
    await fixture.keeper.add([jobOf('pump', 'kept')])
    deliverer.start()
    const [first, kept] = await fixture.begun(2)
    away = true
    first?.end(ends.returned)
    kept?.end(ends.returned)
    await fixture.close()
    assert.deepEqual(
      (await fixture.rows()).map(({ lease, tries }) => [lease, tries]),
      [
        [null, 1],
        [null, 1],
      ],
    )
  })
})
