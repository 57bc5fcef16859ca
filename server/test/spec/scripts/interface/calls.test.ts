import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type InterfaceFixture, interfaceFixture, until } from '../../../fixtures/interface.ts'
import { assertFault, assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

/** The interface of the exposed solution `weather`. */
const weather = {
  default_script_key: 'Weather',
  name: 'Weather report',
  parameters: [
    { name: 'unit', type: 'string' },
    { name: 'decimals', type: 'integer' },
    { name: 'site', type: 'object', properties: { floor: { type: 'integer', default: 0 } } },
    { name: 'names', type: 'array', items: { type: 'string' } },
  ],
  operations: [
    {
      name: 'report',
      script: `
        if reading.city == "nowhere" then
          return {type = "QueryError", error = "there is no such city", status = 404}
        end
        if reading.city == "odd" then return {temperature = "warm"} end
        if reading.city == "broken" then error("at the sensor") end
        return {temperature = 21.5, city = reading.city, days = reading.days, unit = reading.unit,
          caller = context.caller_id, me = context.solution_id}`,
      parameters: {
        title: 'reading',
        type: 'object',
        required: ['city'],
        properties: {
          city: { type: 'string', pattern: '^[a-z]+$' },
          days: { type: 'integer', minimum: 1, maximum: 7, default: 1 },
        },
      },
      response: { type: 'object', properties: { temperature: { type: 'number' } } },
    },
    { name: 'echo', script: 'return event' },
    { name: 'list', script: 'return {}', response: { type: 'array' } },
    { name: 'unwritten', description: 'has no script' },
  ],
}

let fixture: InterfaceFixture
const onWeather = sharedBySuites(async (suite) => {
  fixture = await interfaceFixture(suite)
  await fixture.expose('pump', weather)
  await fixture.subscriber('app', 'pump', { parameters: { unit: 'C' } })
})

const app = (source: string) => fixture.run('app', source)

describe('interface: operations that subscribers call', () => {
  onWeather()

  it('are called as those of any other service, under the default script key', async () => {
    assert.deepEqual(await app('return Weather.report{city="oslo", days=2}'), {
      temperature: 21.5,
      city: 'oslo',
      days: 2,
      unit: 'C',
      caller: 'app',
      me: 'pump',
    })
  })

  it('handle_interface_<operation_name> handles a call, its parameter is the title', async () => {
    assert.deepEqual(await app('return Weather.echo{a={1,2}}'), { a: [1, 2], unit: 'C' })
    await fixture.put('pump', 'interface_unwritten', 'return {n = event.n + 1}')
    assert.deepEqual(await app('return Weather.unwritten{n=1}'), { n: 2 })
  })

  it('a handler must exist for each supported operation', async () => {
    const path = '/solution/pump/script/interface_unwritten'
    assertStatus(await fixture.ask('DELETE', path), 204)
    const value = await app('return Weather.unwritten{n=1}')
    const { type, status } = value as Record<string, unknown>
    assert.deepEqual({ type, status }, { type: 'QueryError', status: 404 })
  })

  it('found by its default_script_key instead of the id; usable as alias', async () => {
    await fixture.subscriber('bykey', 'Weather')
    assert.equal(await fixture.run('bykey', 'return Weather.echo("hi")'), 'hi')
    await fixture.subscriber('alias', 'Weather', { script_key: 'sky' })
    assert.equal(await fixture.run('alias', 'return Sky.echo("hi") .. sky.echo("ho")'), 'hiho')
  })

  it('solutions that call one another in a circle end at the depth limit', async () => {
    await fixture.solution('ring')
    const operations = [{ name: 'again', script: 'return Ring.again{}' }]
    await fixture.expose('ring', { default_script_key: 'Ring', operations })
    await fixture.subscribe('ring', 'ring')
    const value = (await fixture.run('ring', 'return Ring.again{}')) as Record<string, unknown>
    assert.equal(value.status, 429)
    assert.match(String(value.error), /8|deep/)
  })

  it('docs/reference/interface.md: its example works as it stands', async () => {
    const page = join(import.meta.dirname, '../../../../../docs/reference/interface.md')
    const [, text = ''] = /```json\n(.*?)```/s.exec(await readFile(page, 'utf8')) ?? []
    const { service: _, ...shown } = JSON.parse(text)
    await fixture.exposed('shown', shown)
    await fixture.subscriber('reader', 'shown')
    const report = { temperature: 21.5, city: 'Oslo' }
    assert.deepEqual(await fixture.run('reader', 'return Weather.report{city = "Oslo"}'), report)
    const storm = 'return interface.trigger{event="storm", mode="sync", data={city="Oslo"}}'
    const [item] = (await fixture.run('shown', storm)) as { status: number }[]
    assert.equal(item?.status, 200)
  })

  it('a change of an operation counts for the next call', async () => {
    const operations = [{ name: 'echo', script: 'return "first"' }]
    await fixture.exposed('fresh', { default_script_key: 'Fresh', operations })
    await fixture.subscribe('app', 'fresh')
    assert.equal(await app('return Fresh.echo{}'), 'first')
    const changed = [{ name: 'echo', script: 'return "second"' }]
    await fixture.expose('fresh', { default_script_key: 'Fresh', operations: changed })
    assert.equal(await app('return Fresh.echo{}'), 'second')
  })
})

describe('interface: arguments and parameters of a call', () => {
  onWeather()

  it('arguments are checked; path and keyword are named', async () => {
    const rows: [string, string][] = [
      ['{}', 'parameters.city must be given (required)'],
      ['{city="oslo", days=8}', 'parameters.days must be at most 7 (maximum)'],
      ['"oslo"', 'parameters must be of type object (type)'],
    ]
    for (const [args, error] of rows) {
      const value = await app(`return Weather.report(${args})`)
      assert.deepEqual(value, { type: 'QueryError', error, status: 400 })
    }
    const value = await app('return Weather.report{city="oslo"}')
    assert.equal((value as { days?: number }).days, 1)
  })

  it('parameters: default values for the service parameters of all operations', async () => {
    await fixture.solution('typed')
    const parameters = { unit: 'K', decimals: 2, site: {}, extra: true }
    await fixture.subscribe('typed', 'pump', { parameters })
    assert.deepEqual(await fixture.run('typed', 'return Weather.echo{unit="F"}'), {
      unit: 'F',
      decimals: 2,
      site: { floor: 0 },
      extra: true,
    })
    assert.deepEqual(await fixture.run('typed', 'return Weather.echo().unit'), 'K')
    assert.equal(await fixture.run('typed', 'return Weather.echo("text")'), 'text')
  })

  it('parameters of a subscription have the definition’s types', async () => {
    await fixture.solution('wrong')
    const rows: [object, RegExp][] = [
      [{ unit: 1 }, /^parameters\.unit must be of type string \(type\)$/],
      [{ decimals: 'x' }, /^parameters\.decimals must be of type integer \(type\)$/],
      [{ site: { floor: 'x' } }, /^parameters\.site\.floor must be of type integer \(type\)$/],
      [{ names: [1] }, /^parameters\.names\[0\] must be of type string \(type\)$/],
    ]
    for (const [parameters, message] of rows) {
      const answered = await fixture.trySubscribe('wrong', 'pump', { parameters })
      assertFault(answered, 'invalid_argument', message)
    }
    const quota = { quota: { calls_daily: 1 } }
    assertFault(await fixture.trySubscribe('wrong', 'pump', quota), 'invalid_argument', /^quota is/)
    assertFault(await fixture.trySubscribe('wrong', 'pump', { colour: 1 }), 'invalid_argument')
  })
})

describe('interface: a call that fails', () => {
  onWeather()

  it('a handler reports failure by returning an object with type, error and status', async () => {
    const error = { type: 'QueryError', error: 'there is no such city', status: 404 }
    assert.deepEqual(await app('return Weather.report{city="nowhere"}'), error)
  })

  it('a response that breaks its schema is an error object, not a surprise', async () => {
    assert.deepEqual(await app('return Weather.report{city="odd"}'), {
      type: 'ServerError',
      error:
        'What report answered breaks its schema: ' +
        'response.temperature must be of type number (type)',
      status: 502,
    })
    const kept = 'local list = Weather.list{}; return to_json(list)'
    assert.equal(await app(kept), '[]')
  })

  it('the error of a handler is returned in full within the business only', async () => {
    const own = (await app('return Weather.report{city="broken"}')) as { error: string }
    assert.match(own.error, /at the sensor/)
    const other = await fixture.otherOwner()
    await fixture.expose('pump', { ...weather, whitelist: [other.businessId] })
    await fixture.subscriber('guest', 'pump', {}, other)
    assert.deepEqual(
      await fixture.run('guest', 'return Weather.report{city="broken"}', undefined, other),
      { type: 'ServerError', error: 'The handler of report failed.', status: 500 },
    )
    assert.equal(
      await fixture.run('guest', 'return Weather.report{city="oslo"}.caller', undefined, other),
      'guest',
    )
  })

  it('a handler has no more time than the call that called it has left', async () => {
    const operations = [{ name: 'spin', script: 'if event ~= "no" then while true do end end' }]
    await fixture.solution('slow')
    assertStatus(await fixture.ask('PATCH', '/solution/slow', { limits: { cpu_ms: 6_000 } }), 200)
    await fixture.expose('slow', { default_script_key: 'Slow', operations })
    await fixture.subscriber('hasty', 'slow')
    await fixture.put('hasty', 'test_go', 'return Slow.spin(event)')
    assertStatus(await fixture.ask('PATCH', '/solution/hasty', { limits: { wall_ms: 4_000 } }), 200)
    const { api } = fixture.millrace.platform.scripting
    const call = { businessId: fixture.owner.businessId, solutionId: 'hasty', service: 'test' }
    const opened = await api.run({ ...call, event: 'go', argument: 'no' })
    assert.equal(opened.kind, 'returned', JSON.stringify(opened))
    await api.run({ ...call, event: 'go', argument: 'yes' })
    const failed = () => fixture.ask('GET', '/solution/slow/logs?type=error')
    const { json } = await until(failed, ({ json: page }) => page.lines.length > 0)
    const [, ms] = /^limit time: more than (\d+) ms/.exec(json.lines[0].text) ?? []
    assert.ok(Number(ms) <= 4_000, json.lines[0].text)
  })
})
