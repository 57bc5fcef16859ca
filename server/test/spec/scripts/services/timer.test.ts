import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import { timerLimits } from '../../../../src/scripts/services/timer/index.ts'
import { type InterfaceFixture, interfaceFixture, until } from '../../../fixtures/interface.ts'
import type { OwnPlatform } from '../../../fixtures/platform.ts'
import { killableInstance } from '../../../fixtures/processes/killable-instance.ts'
import { anotherProcess } from '../../../fixtures/rotation.ts'
import { serviceCalls, type Table } from '../../../fixtures/service-calls.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

type Fired = { readonly message?: ScriptValue; readonly timer_id: string }

const minuteMs = 60_000
const remember = `
  Keystore.command{key = "fired", command = "rpush", args = {to_json(request)}}`

let fixture: InterfaceFixture<OwnPlatform>

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await interfaceFixture(suite, { own: 'stops the clock' })
  fixture.millrace.clock.stand()
  await fixture.put('pump', 'timer_timer', remember)
})

const prepare = async () => {
  await ask('cancelAll')
  await fixture.run('pump', 'Keystore.delete{key = "fired"}')
}

const { ask, refused } = serviceCalls('timer', () => fixture)

/**
 * Returns the messages to the handler so far, of all that is due now. The instance looks by itself,
 * too: what it has just taken may be still on its way.
 */
async function fired(enough: number, id = 'pump'): Promise<Fired[]> {
  const { timers, scripting } = fixture.millrace.platform
  await timers.fire()
  const kept = await until(
    async () => {
      const isBehind = await scripting.api.deliveries.isBehind(id, 1)
      const { value = [] } = (await fixture.run(id, 'return Keystore.get{key = "fired"}')) as Table
      return { isBehind, list: value as string[] }
    },
    ({ isBehind, list }) => !isBehind && list.length >= enough,
  )
  return kept.list.map((text) => JSON.parse(text))
}

const advance = (ms: number) => fixture.millrace.clock.advance(ms)

const ids = async (enough: number) => (await fired(enough)).map(({ timer_id: id }) => id)

const bad: readonly (readonly [string, Table | string, RegExp])[] = [
  ['sendAfter', {}, /duration/],
  ['sendAfter', { duration: -1 }, /duration/],
  ['sendAfter', { duration: 'soon' }, /duration/],
  ['sendAfter', { duration: timerLimits.timerMsMax + 1 }, /duration/],
  ['sendAfter', { duration: 1, timer_id: '' }, /timer_id/],
  ['sendAfter', { duration: 1, timer_id: 'a b' }, /timer_id/],
  ['sendAfter', { duration: 1, timer_id: 'x'.repeat(timerLimits.timerIdCharsMax + 1) }, /timer_id/],
  ['sendAfter', { duration: 1, message: new Uint8Array([255]) }, /UTF-8/],
  ['sendAfter', 'soon', /table with names/],
  ['sendInterval', { duration: timerLimits.timerEveryMsMin - 1 }, /duration/],
  ['sendAfter', { duration: '1e3' }, /duration/],
  ['sendAfter', { duration: '1'.padStart(16, '0') }, /duration/],
  ['schedule', {}, /schedule must be a text/],
  ['schedule', { schedule: '' }, /schedule must be a text/],
  [
    'schedule',
    { schedule: ' '.repeat(timerLimits.timerIdCharsMax + 1) },
    /schedule must be a text/,
  ],
  ['schedule', { schedule: '* * * * *', timezone: '' }, /timezone must be a text/],
  ['schedule', { schedule: 'every day' }, /cron/],
  ['schedule', { schedule: '61 * * * *' }, /cron/],
  ['schedule', { schedule: '0 0 30 2 *' }, /no future time/],
  ['schedule', { schedule: '* * * * *', timezone: 'Mars/Olympus' }, /timezone/],
  ['cancel', {}, /timer_id/],
]

describe('timer: events that a solution schedules once', () => {
  shareInstance()

  beforeEach(prepare)

  test('sendAfter: the handler is given message, timer_id and solution_id', async () => {
    const message = { text: 'wake up', list: [1, 2.5] }
    const { timer_id: id } = await ask('sendAfter', { message, duration: minuteMs })
    advance(minuteMs - 10_000)
    assert.deepEqual(await fired(0), [])
    advance(10_000)
    assert.deepEqual(await fired(1), [{ message, timer_id: id, solution_id: 'pump' }])
    advance(minuteMs)
    assert.equal((await fired(1)).length, 1)
  })

  test('sendAfter: the instance polls by itself, and at once for a duration of 0', async () => {
    await fixture.run('pump', 'Timer.sendAfter{message = "soon", duration = 0, timer_id = "t0"}')
    const kept = await until(
      () => fixture.run('pump', 'return Keystore.get{key = "fired"}') as Promise<Table>,
      ({ value }) => value !== undefined,
    )
    const [text] = kept.value as string[]
    const message = { message: 'soon', timer_id: 't0', solution_id: 'pump' }
    assert.deepEqual(JSON.parse(text ?? ''), message)
  })

  test('timers that a clock which ran ahead has set come in their time from now', async () => {
    const yearsMs = 3_650 * 24 * 60 * minuteMs
    fixture.millrace.clock.step(yearsMs)
    await ask('sendAfter', { message: 1, duration: 10 * minuteMs, timer_id: 'after' })
    await ask('sendInterval', { message: 2, duration: 10 * minuteMs, timer_id: 'interval' })
    await ask('schedule', { message: 3, schedule: '*/10 * * * *', timer_id: 'schedule' })
    fixture.millrace.clock.step(-yearsMs)
    assert.deepEqual(await fired(0), [])
    advance(11 * minuteMs)
    assert.deepEqual((await ids(3)).toSorted(), ['after', 'interval', 'schedule'])
  })
})

describe('timer: more than one process, and a restart', () => {
  shareInstance()

  beforeEach(prepare)

  test('a timer fires once, however many processes poll at once', async (t) => {
    const other = await anotherProcess(t, fixture.millrace)
    const names = Array.from({ length: 20 }, (_, index) => `t${index}`)
    const source = `
      for index = 0, 19 do
        Timer.sendAfter{message = index, duration = 1000, timer_id = "t" .. index}
      end`
    await fixture.run('pump', source)
    advance(1_000)
    const { timers } = fixture.millrace.platform
    await Promise.all([other, other, other].map((one) => one.timers.fire()).concat(timers.fire()))
    assert.deepEqual((await ids(20)).sort(), names.sort())
  })

  test('a timer outlives a restart, and comes once after it', async (t) => {
    const { open } = await killableInstance(t)
    const first = await open()
    const { id: businessId } = await first.accounts.createBusiness({ name: 'Restarted' })
    const { solutions, scripts } = first.scripting
    await solutions.create(businessId, { id: 'clock', name: 'Clock' })
    const handler = (name: string) => ({ kind: 'handler', name }) as const
    await scripts.put(businessId, 'clock', handler('timer_timer'), remember)
    const set = 'return Timer.sendAfter{duration = 1, timer_id = "kept"}'
    await scripts.put(businessId, 'clock', handler('test_set'), set)
    await scripts.put(
      businessId,
      'clock',
      handler('test_get'),
      'return Keystore.get{key = "fired"}',
    )
    const call = { businessId, solutionId: 'clock', service: 'test', argument: null }
    await first.scripting.api.run({ ...call, event: 'set' })
    await first.close()
    for (const _start of ['first', 'second']) {
      const { scripting, jobs, timers, close } = await open()
      scripting.start()
      jobs.start()
      await timers.fire()
      await until(
        () => scripting.api.deliveries.isBehind('clock', 1),
        (behind) => !behind,
      )
      const ended = await scripting.api.run({ ...call, event: 'get' })
      await close()
      assert.equal(ended.kind, 'returned', JSON.stringify(ended))
      const { value } = (ended.kind === 'returned' ? ended.value : {}) as { value: string[] }
      assert.equal(value.length, 1)
      assert.equal(JSON.parse(value[0] ?? '').timer_id, 'kept')
    }
  })
})

describe('timer: intervals and schedules', () => {
  shareInstance()

  beforeEach(prepare)

  test('sendInterval: again and again, and once after a pause', async () => {
    const args = { message: 'tick', duration: minuteMs, timer_id: 'beat' }
    assert.deepEqual(await ask('sendInterval', args), { timer_id: 'beat' })
    assert.deepEqual(await ids(0), [])
    advance(minuteMs)
    assert.deepEqual(await ids(1), ['beat'])
    advance(10 * minuteMs)
    assert.deepEqual(await ids(2), ['beat', 'beat'])
    assert.deepEqual(await ids(2), ['beat', 'beat'], 'what was missed is not made up for')
    advance(minuteMs)
    assert.deepEqual(await ids(3), ['beat', 'beat', 'beat'])
    advance(minuteMs)
    assert.equal((await ids(4)).length, 4, 'none is left out')
  })

  test('schedule: a cron expression, in UTC if no time zone is given', async () => {
    await ask('schedule', { message: 1, schedule: '* * * * *', timer_id: 'minute' })
    advance(minuteMs)
    assert.deepEqual(await ids(1), ['minute'])
    advance(minuteMs)
    assert.deepEqual(await ids(2), ['minute', 'minute'])
  })

  test('settings of a project call the handler, whatever scripts cancel', async () => {
    const hourMs = 60 * minuteMs
    const id = await fixture.subscribe('pump', 'timer', { schedule: { hourly: true } })
    assert.deepEqual(await ask('cancelAll'), { cancelled: 0 })
    advance(hourMs)
    assert.deepEqual(await ids(1), ['schedule:hourly'])
    const path = `/solution/pump/serviceconfig/${id}`
    const change = async (parameters: object) => fixture.ask('PATCH', path, { parameters })
    assert.equal((await change({ schedule: { hourly: false, daily: true } })).status, 200)
    advance(24 * hourMs)
    assert.deepEqual((await ids(2)).slice(1), ['schedule:daily'])
    const { status, json } = await change({ schedule: { minutely: true } })
    assert.deepEqual([status, json.code], [400, 'invalid_argument'])
    assert.equal((await fixture.ask('DELETE', path)).status, 204)
    advance(48 * hourMs)
    assert.equal((await ids(0)).length, 2)
  })

  test('schedule: the fields are of the time zone', async () => {
    const timeZone = 'Asia/Kathmandu'
    const atMs = fixture.millrace.clock.nowMs() + 10 * minuteMs
    const parts = new Intl.DateTimeFormat('en', {
      timeZone,
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
    }).formatToParts(atMs)
    const [hour, minute] = ['hour', 'minute'].map((type) => {
      return Number(parts.find((part) => part.type === type)?.value)
    })
    const schedule = `${minute} ${hour} * * *`
    await ask('schedule', { message: 1, schedule, timezone: timeZone, timer_id: 'there' })
    await ask('schedule', { message: 1, schedule, timer_id: 'utc' })
    advance(8 * minuteMs)
    assert.deepEqual(await ids(0), [])
    advance(3 * minuteMs)
    assert.deepEqual(await ids(1), ['there'])
  })
})

describe('timer: timers that are cancelled or replaced', () => {
  shareInstance()

  beforeEach(prepare)

  test('cancel: it does not come; one that is not there is a 404', async () => {
    const { timer_id: id } = await ask('sendAfter', { message: 1, duration: minuteMs })
    assert.deepEqual(await ask('cancel', { timer_id: id }), {})
    await refused('cancel', { timer_id: id }, 404, /no such timer/)
    advance(minuteMs)
    assert.deepEqual(await fired(0), [])
  })

  test('cancelAll: none comes, and those of other solutions do', async () => {
    await fixture.solution('neighbour')
    await fixture.put('neighbour', 'timer_timer', remember)
    const other = 'return Timer.sendAfter{duration = 60000, timer_id = "a"}'
    await fixture.run('neighbour', other)
    for (const id of ['a', 'b']) await ask('sendInterval', { duration: minuteMs, timer_id: id })
    assert.deepEqual(await ask('cancelAll'), { cancelled: 2 })
    assert.deepEqual(await ask('cancelAll', {}), { cancelled: 0 })
    advance(minuteMs)
    assert.deepEqual(await fired(0), [])
    const [one] = await fired(1, 'neighbour')
    assert.deepEqual(one, { timer_id: 'a', solution_id: 'neighbour' })
  })

  test('a timer that is set again is replaced', async () => {
    await ask('sendInterval', { message: 'old', duration: 1_000, timer_id: 'same' })
    await ask('sendAfter', { message: 'new', duration: minuteMs, timer_id: 'same' })
    advance(10_000)
    assert.deepEqual(await fired(0), [])
    advance(minuteMs)
    assert.deepEqual(
      (await fired(1)).map(({ message }) => message),
      ['new'],
    )
  })

  test('a solution that is removed takes its timers with it, and no others', async () => {
    await ask('sendAfter', { duration: 60 * minuteMs, timer_id: 'stays' })
    await fixture.solution('leaver')
    await fixture.run('leaver', 'Timer.sendInterval{duration = 1000, timer_id = "x"}')
    assert.equal((await fixture.ask('DELETE', '/solution/leaver?confirm=leaver')).status, 204)
    await fixture.solution('leaver')
    await fixture.put('leaver', 'timer_timer', remember)
    advance(10_000)
    assert.deepEqual(await fired(0, 'leaver'), [])
    assert.deepEqual(await fixture.run('leaver', 'return Timer.cancelAll()'), { cancelled: 0 })
    assert.deepEqual(await ask('cancelAll'), { cancelled: 1 })
  })

  test('a solution has so many timers, and a replaced one is not new', async () => {
    const source = `
      local last
      for index = 1, event do
        last = Timer.sendAfter{duration = 3600000, timer_id = "many" .. index % 1000}
      end
      return last`
    for (let count = 0; count < timerLimits.timersMax; count += 100) {
      const part = source.replace('index % 1000', `index + ${count}`)
      assert.ok(((await fixture.run('pump', part, 100)) as Table).timer_id)
    }
    await refused('sendAfter', { duration: 1 }, 413, /may have 1000 timers/)
    const again = await ask('sendAfter', { duration: minuteMs * 60, timer_id: 'many7' })
    assert.deepEqual(again, { timer_id: 'many7' })
  })
})

describe('timer: arguments of operations', () => {
  shareInstance()

  beforeEach(prepare)

  test('arguments up to their limits are taken, numbers and texts alike', async () => {
    const timerId = 'x'.repeat(timerLimits.timerIdCharsMax)
    const message = 'x'.repeat(timerLimits.timerMessageBytesMax - 2)
    const longest = { duration: timerLimits.timerMsMax, timer_id: timerId, message }
    assert.deepEqual(await ask('sendAfter', longest), { timer_id: timerId })
    const texts = { duration: '1000', timer_id: 7 }
    assert.deepEqual(await ask('sendInterval', texts), { timer_id: '7' })
    const schedule = '0 0 1 1 *'.padEnd(timerLimits.timerIdCharsMax)
    await ask('schedule', { schedule, timer_id: 'schedule' })
    advance(1_000)
    assert.deepEqual(await fired(1), [{ timer_id: '7', solution_id: 'pump' }])
    assert.deepEqual(await ask('cancel', { timer_id: 7 }), {})
    assert.deepEqual(await ask('cancelAll'), { cancelled: 2 })
  })

  test('bad arguments are refused by name, and set nothing', async () => {
    for (const [operation, args, error] of bad) await refused(operation, args, 400, error)
    await refused('sendSoon', {}, 404, /no operation/)
    const long = { duration: 1, message: 'x'.repeat(timerLimits.timerMessageBytesMax - 1) }
    await refused('sendAfter', long, 413, /message may be/)
    assert.deepEqual(await ask('cancelAll'), { cancelled: 0 })
  })
})
