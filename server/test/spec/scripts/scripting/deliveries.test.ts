import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import type { HandlerCall } from '../../../../src/scripts/scripting/index.ts'
import { scriptingLimits } from '../../../../src/scripts/scripting/index.ts'
import { scripted, withGate } from '../../../fixtures/scripted-platform.ts'
import { sharedFixture } from '../../../fixtures/suite.ts'

const handles = 'print(to_json(event))'

const [millrace, onInstance] = sharedFixture((suite) =>
  scripted(suite, { own: 'counts the calls of all solutions' }),
)

/** The solution of the test that runs. */
let pump: string
let failedBefore: number

async function useHandler(source: string): Promise<void> {
  pump = await millrace.handling('pump', source)
  failedBefore = (await countedCalls())?.failed ?? 0
}

function jobFor(argument: HandlerCall['argument']): HandlerCall {
  const { businessId } = millrace
  return { businessId, solutionId: pump, service: 'device2', event: 'event', argument }
}

function makeFailures() {
  const { platform, businessId } = millrace
  const { failures } = platform.scripting
  return {
    list: async () => (await failures.list(businessId, pump)).deliveries,
    get: (id: string) => failures.get(businessId, pump, id),
    retry: (id: string, argument?: { value: HandlerCall['argument'] }) =>
      failures.retry(businessId, pump, id, argument),
    retryAll: () => failures.retryAll(businessId, pump),
    discard: (id: string) => failures.discard(businessId, pump, id),
    discardAll: () => failures.discardAll(businessId, pump),
  }
}

async function countedCalls() {
  const { faults, stages } = await millrace.platform.eventlog.ledger.verify()
  return faults.length === 0 ? stages.find(({ stage }) => stage === 'deliveries') : undefined
}

async function settled(failed: number): Promise<void> {
  await millrace.until(`everything is counted, ${failed} failed`, async () => {
    const counted = await countedCalls()
    return counted?.pending === 0 && counted.failed === failedBefore + failed
  })
}

/** Counts the calls of the solution, those that failed for good among them. */
async function storedCalls(): Promise<number> {
  const text = 'select count(*) as count from jobs_job where tenant = $1'
  return (await millrace.platform.database.one<{ count: number }>(text, [pump]))?.count ?? 0
}

/** Fills the queue of `pump` with calls that are due tomorrow, until it has `count` of them. */
function fillQueue(count: number) {
  const { platform, businessId } = millrace
  const nowUs = platform.clock.nowUs()
  const tomorrowUs = nowUs + 86_400_000_000
  return platform.database.run(
    `insert into jobs_job (queue, tenant, id, business_id, state, input, part, attempts,
       due_at, created_at, updated_at)
     select 'scripts', $5, 'filler' || n, $1, 'waiting', '{}', 0, 0,
       $2::bigint, $4::bigint, $4::bigint
     from generate_series((select count(*) + 1 from jobs_job where tenant = $5), $3::integer) as n`,
    [businessId, tomorrowUs, count, nowUs, pump],
  )
}

describe('durable calls of handlers', () => {
  onInstance()

  it('run once after their transaction is committed, and never where it is not', async () => {
    await useHandler(handles)
    const { deliveries } = millrace.platform.scripting.api
    const { database } = millrace.platform
    await assert.rejects(
      database.transaction(async (transaction) => {
        await deliveries.addIn(transaction, [jobFor('undone')])
        throw new Error('undone')
      }),
      /undone/,
    )
    await database.transaction((transaction) =>
      deliveries.addIn(transaction, [jobFor('kept'), jobFor('too')]),
    )
    assert.deepEqual((await millrace.printed(pump, 2)).sort(), ['"kept"', '"too"'])
    await settled(0)
  })

  it('run now where a clock that ran ahead has put them off, or leased them', async () => {
    await useHandler(handles)
    const { deliveries } = millrace.platform.scripting.api
    const ahead = millrace.clock.nowUs() + 4_000 * 86_400_000_000
    await millrace.platform.database.transaction(async (transaction) => {
      await deliveries.addIn(transaction, [jobFor('put off')])
      await transaction.run(
        `update jobs_job set due_at = $1::bigint, updated_at = $1::bigint, state = 'running',
           owner = 'a process that is gone', leased_until = $1::bigint where tenant = $2`,
        [ahead, pump],
      )
    })
    assert.deepEqual(await millrace.printed(pump, 1), ['"put off"'])
    await settled(0)
  })

  it('give the handler exactly what was given to them', async () => {
    const source = 'print(to_json({event.nul == "a\\0b", #event.bytes, event["$x"], event.n}))'
    await useHandler(source)
    const bytes = Uint8Array.from([0xff, 0x00, 0x80])
    const argument = { nul: 'a\0b', bytes, $x: 'dollar', n: 2 ** 53 - 1 }
    await millrace.platform.scripting.api.deliveries.add([jobFor(argument)])
    const [printed = ''] = await millrace.printed(pump, 1)
    assert.deepEqual(JSON.parse(printed), [true, 3, 'dollar', 2 ** 53 - 1])
  })

  it('are not retried if the script itself fails, unless it is configured', async () => {
    await useHandler('print("try") error("oh")')
    const { add } = millrace.platform.scripting.api.deliveries
    const { list } = makeFailures()
    await add([jobFor(1)])
    await millrace.until('it failed', async () => (await list()).length === 1)
    assert.equal((await list())[0]?.tries, 1)
    assert.deepEqual(await millrace.printed(pump, 1), ['try'])
    await millrace.rewrite(pump, '--#RETRY 2 1\nprint("again") error("oh")')
    await add([jobFor(2)])
    await millrace.until('it failed', async () => (await list()).length === 2)
    assert.equal((await list())[0]?.tries, 3)
    assert.deepEqual(await millrace.printed(pump, 4), ['try', 'again', 'again', 'again'])
    await settled(2)
  })

  it('count no attempt that never started', async () => {
    await useHandler('error("oh")')
    const { list } = makeFailures()
    const { platform, businessId } = millrace
    const { api, scripts, solutions } = platform.scripting
    const gate = withGate(millrace)
    await scripts.put(businessId, pump, { kind: 'handler', name: 'device2_wait' }, 'Gate.pass{}')
    await solutions.patch(businessId, pump, { limits: { wallMsMax: limits.scriptWallMsMax } })
    const wait = () => api.run({ ...jobFor(1), event: 'wait' })
    // No place is free until what comes next has been tried.
    const places = scriptingLimits.scriptCallsMax + scriptingLimits.scriptQueuedMax
    const running = Array.from({ length: places }, wait)
    await api.deliveries.add([jobFor(1)])
    await millrace.until('there was no room for it', async () => {
      const row = await platform.database.one<{ detail: string | null }>(
        "select detail from jobs_job where state = 'waiting' and tenant = $1",
        [pump],
      )
      return row?.detail?.includes('429') === true
    })
    gate.resolve()
    await Promise.all(running)
    await millrace.until('it failed', async () => (await list()).length === 1)
    const [{ error, tries } = assert.fail()] = await list()
    assert.deepEqual([error.error, tries], ['device2_event.lua:1: oh', 1])
  })

  it('go with their solution, also those that come after it, and the ledger adds up', async () => {
    await useHandler('error("oh")')
    const { list } = makeFailures()
    const { api, solutions } = millrace.platform.scripting
    await api.deliveries.add([jobFor(1)])
    await millrace.until('it failed', async () => (await list()).length === 1)
    await solutions.remove(millrace.businessId, pump)
    assert.deepEqual(await list(), [])
    await settled(1)
    await api.deliveries.add([jobFor(2), jobFor(3)])
    await settled(3)
    assert.equal(await storedCalls(), 0)
  })
})

describe('durable calls of handlers that failed for good', () => {
  onInstance()

  it('that failed can be read, mended, run again and discarded', async () => {
    await useHandler('if event.bad then error("bad") end print(event.n)')
    const { list, get, retry, retryAll, discard, discardAll } = makeFailures()
    const bad = (n: number) => jobFor({ bad: true, n })
    await millrace.platform.scripting.api.deliveries.add([bad(1), bad(2), bad(3)])
    await millrace.until('all failed', async () => (await list()).length === 3)
    const [one = assert.fail(), two = assert.fail()] = await list()
    assert.deepEqual(await get(one.id), one)
    assert.match(one.error.error, /bad$/)
    const large = { value: 'x'.repeat(limits.scriptValueBytesMax + 1) }
    const refused = { code: 'invalid_argument', message: /^The argument: / }
    await assert.rejects(retry(one.id, large), refused)
    await retry(one.id, { value: { n: 'mended' } })
    assert.deepEqual(await millrace.printed(pump, 1), ['mended'])
    await discard(two.id)
    await assert.rejects(get(two.id), { code: 'not_found' })
    await assert.rejects(discard(two.id), { code: 'not_found' })
    await millrace.rewrite(pump, 'print("all " .. event.n)')
    assert.equal(await retryAll(), 1)
    await millrace.printed(pump, 2)
    assert.deepEqual(await list(), [])
    assert.equal(await discardAll(), 0)
    await settled(3)
  })

  it('belong to their business: another one sees none, and changes none', async () => {
    await useHandler('error("oh")')
    const { failures } = millrace.platform.scripting
    const { list } = makeFailures()
    await millrace.platform.scripting.api.deliveries.add([jobFor(1)])
    await millrace.until('it failed', async () => (await list()).length === 1)
    const [{ id } = assert.fail()] = await list()
    const { businessId: other } = await millrace.otherBusiness()
    assert.deepEqual((await failures.list(other, pump)).deliveries, [])
    await assert.rejects(failures.get(other, pump, id), { code: 'not_found' })
    await assert.rejects(failures.retry(other, pump, id), { code: 'not_found' })
    await assert.rejects(failures.discard(other, pump, id), { code: 'not_found' })
    assert.equal(await failures.retryAll(other, pump), 0)
    assert.equal(await failures.discardAll(other, pump), 0)
    assert.equal((await list()).length, 1)
  })

  it('that failed are listed newest first, page by page', async () => {
    await useHandler('error("oh")')
    const { businessId, platform } = millrace
    const { failures, api } = platform.scripting
    const { list } = makeFailures()
    await api.deliveries.add(Array.from({ length: 5 }, (_, at) => jobFor(at)))
    await millrace.until('all failed', async () => (await list()).length === 5)
    const first = await failures.list(businessId, pump, { limit: 3 })
    const { before } = first
    const second = await failures.list(businessId, pump, { limit: 3, before })
    assert.deepEqual([first.deliveries.length, second.deliveries.length], [3, 2])
    assert.deepEqual([...first.deliveries, ...second.deliveries], await list())
    assert.equal(second.before, undefined)
    const full = await failures.list(businessId, pump, { limit: 5 })
    const past = await failures.list(businessId, pump, { limit: 5, before: full.before })
    assert.deepEqual([full.deliveries.length, past.deliveries.length], [5, 0])
    assert.ok(full.before)
  })
})

describe('durable calls of handlers that wait', () => {
  onInstance()

  it(`wait by ${limits.deliveriesWaitingMax}; one more is a dead letter, overloaded`, async () => {
    await useHandler(handles)
    const { list, retryAll } = makeFailures()
    const { platform } = millrace
    const { add } = platform.scripting.api.deliveries
    await fillQueue(limits.deliveriesWaitingMax - 1)
    await add([jobFor('the last place')])
    await millrace.until('it is done and gone', async () => {
      return (await storedCalls()) === limits.deliveriesWaitingMax - 1
    })
    await fillQueue(limits.deliveriesWaitingMax)
    await add([jobFor('past it')])
    const past = 1
    await millrace.until('it is kept', async () => (await list()).length === past)
    assert.deepEqual(await millrace.printed(pump, 1), ['"the last place"'])
    for (const { error, tries } of await list()) {
      assert.deepEqual([error.status, tries], [503, 0])
      assert.match(error.error, /^overloaded: 50000 calls/)
    }
    await platform.database.run("delete from jobs_job where id like 'filler%'")
    assert.equal(await retryAll(), past)
    const lines = await millrace.printed(pump, past + 1)
    assert.ok(lines.includes('"past it"'))
  })
})
