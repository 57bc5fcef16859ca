import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import { type InterfaceFixture, interfaceFixture, until } from '../../../fixtures/interface.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

type Item = { result?: unknown; status?: number; instance_id: string; solution_id: string }

const refused = (error: string, status = 400) => ({ type: 'QueryError', error, status })

const definition = {
  default_script_key: 'Pump',
  events: [
    {
      name: 'alarm',
      parameters: {
        title: 'alarm',
        type: 'object',
        required: ['level'],
        properties: { level: { type: 'integer' }, unit: { type: 'string', default: 'bar' } },
      },
      response: { type: 'object', required: ['seen'] },
      default_script: 'return {seen = alarm.level, unit = alarm.unit, by = context.solution_id}',
    },
    { name: 'tick' },
  ],
}

let fixture: InterfaceFixture
const ids: Record<string, string> = {}
const onSubscribers = sharedBySuites(async (suite) => {
  fixture = await interfaceFixture(suite)
  await fixture.expose('pump', definition)
  for (const name of ['alpha', 'beta']) ids[name] = await fixture.subscriber(name, 'pump')
})

const pump = (source: string) => fixture.run('pump', source)
const place = (name: string) => ({ instance_id: ids[name], solution_id: name })
/** Returns the value that a subscriber's handler has kept. */
const kept = (name: string) => fixture.run(name, 'return Keystore.get{key="kept"}.value')
const keeps = (name: string, wanted: ScriptValue) =>
  until(
    () => kept(name),
    (value) => value === wanted,
  )

describe('interface: what subscribers do with a trigger', () => {
  onSubscribers()

  it('default_script is the handler when the service is added', async () => {
    const items = await pump('return interface.trigger{event="alarm", mode="sync", data={level=3}}')
    assert.deepEqual(
      items,
      ['alpha', 'beta'].map((name) => ({
        result: { seen: 3, unit: 'bar', by: name },
        status: 200,
        ...place(name),
      })),
    )
  })

  it('subscribers handle a trigger by a handler named after the event', async () => {
    const id = await fixture.subscriber('named', 'pump', { script_key: 'water' })
    await fixture.put('named', 'water_tick', 'return "my own " .. event.n .. context.caller_id')
    assert.equal(
      await pump('return interface.triggerOne{target="named", event="tick", data={n=1}}'),
      'my own 1pump',
    )
    assert.equal((await fixture.ask('DELETE', `/solution/named/serviceconfig/${id}`)).status, 204)
  })

  it('an item each: also of one that has no handler, fails, or breaks its promise', async () => {
    await fixture.put('alpha', 'Pump_tick', 'return {type="QueryError", error="full", status=409}')
    const items = (await pump('return interface.trigger{event="tick", mode="sync"}')) as Item[]
    assert.deepEqual(items[0], { result: refused('full', 409), status: 409, ...place('alpha') })
    assert.equal(items[1]?.status, 404)
    await fixture.put('beta', 'Pump_alarm', 'return {}')
    const broken = (await pump(
      'return interface.trigger{event="alarm", mode="sync", data={level=1}}',
    )) as Item[]
    assert.deepEqual(
      broken.map((item) => item.status),
      [200, 502],
    )
    const { error } = broken[1]?.result as { error: string }
    assert.match(error, /response\.seen must be given \(required\)$/)
  })

  it('results that are too large together: each item has its outcome', async () => {
    await fixture.exposed('wide', { default_script_key: 'Wide', events: [{ name: 'ask' }] })
    const sizes = [700_000, 10, 400_000, 100_000]
    for (const [index, size] of sizes.entries()) {
      await fixture.subscriber(`wide${index}`, 'wide', { script_key: 'asked' })
      await fixture.put(`wide${index}`, 'asked_ask', `return ("x"):rep(${size})`)
    }
    const found = (await fixture.run(
      'wide',
      `local items = interface.trigger{event="ask", mode="sync"}
      if items.error then return items end
      for _, item in ipairs(items) do
        item.result = type(item.result) == 'string' and #item.result or item.result
      end
      return items`,
    )) as Item[]
    const what = 'The results of all subscribers are too large together; this one is left out.'
    assert.deepEqual(
      found.map(({ status, result }) => [status, result]),
      [
        [413, refused(what, 413)],
        [200, 10],
        [200, 400_000],
        [200, 100_000],
      ],
    )
  })

  it('subscribers run at the same time, not one after the other', async () => {
    await fixture.solution('meet')
    // Each waits until all have begun: one after the other, the first would wait in vain.
    let begun = 0
    const all = Promise.withResolvers<void>()
    fixture.millrace.platform.scripting.api.services.register({
      name: 'meeting',
      always: true,
      events: [],
      operation: () => async () => {
        begun += 1
        if (begun === 3) all.resolve()
        await all.promise
        return { status: 204 }
      },
    })
    const wait = 'Meeting.wait{} return "met"'
    const operations = [{ name: 'wait', script: wait }]
    await fixture.expose('meet', { default_script_key: 'Meet', operations })
    for (const name of ['one', 'two', 'three']) {
      await fixture.subscriber(name, 'meet')
      await fixture.put(name, 'Meet_start', 'return Meet.wait{}')
    }
    const items = (await fixture.run(
      'meet',
      'return interface.trigger{event="start", mode="sync"}',
    )) as Item[]
    assert.deepEqual(
      items.map((item) => item.result),
      ['met', 'met', 'met'],
    )
  })
})

describe('interface: the triggers of a subscription', () => {
  onSubscribers()

  it('triggers route an event to another script, in both modes', async () => {
    await fixture.solution('routed')
    const triggers = { tick: 'other_script', alarm: 'no_script', note: ['x'] }
    const id = await fixture.subscribe('routed', 'pump', { triggers })
    await fixture.put('routed', 'Pump_tick', 'return "by alias"')
    await fixture.put('routed', 'Pump_alarm', 'return {seen = "by alias"}')
    const tick = (mode: string) =>
      pump(`return interface.triggerOne{target="routed", event="tick", mode="${mode}"}`)
    assert.equal(await tick('sync'), 'by alias')
    const other = `Keystore.set{key="kept", value=context.service}; return "routed"`
    await fixture.put('routed', 'other_script', other)
    assert.equal(await tick('sync'), 'routed')
    const none = 'return interface.triggerOne{target="routed", event="alarm", data={level=1}}'
    assert.deepEqual(await pump(none), { seen: 'by alias' })
    await fixture.run('routed', 'Keystore.set{key="kept", value="none"}')
    assert.equal(await tick('async'), undefined)
    await keeps('routed', 'Pump')
    assert.equal((await fixture.ask('DELETE', `/solution/routed/serviceconfig/${id}`)).status, 204)
  })

  it('the script of a trigger has the parameter of the event', async () => {
    const id = await fixture.subscriber('titled', 'pump', { triggers: { alarm: 'other_script' } })
    await fixture.put('titled', 'other_script', 'return {seen = alarm.level + event.level}')
    const source = 'return interface.triggerOne{target="titled", event="alarm", data={level=2}}'
    assert.deepEqual(await pump(source), { seen: 4 })
    assert.equal((await fixture.ask('DELETE', `/solution/titled/serviceconfig/${id}`)).status, 204)
  })
})

describe('interface: trigger and triggerOne, now or later', () => {
  onSubscribers()

  it('trigger is async by default: items without status, handled soon after', async () => {
    const keep = 'return Keystore.set{key="kept", value=event.n}'
    for (const name of ['alpha', 'beta']) await fixture.put(name, 'Pump_tick', keep)
    const items = await pump('return interface.trigger{event="tick", data={n=41}}')
    assert.deepEqual(items, [place('alpha'), place('beta')])
    for (const name of ['alpha', 'beta']) await keeps(name, 41)
  })

  it('triggerOne is sync by default: the result of the script; async: nil', async () => {
    await fixture.put('beta', 'Pump_tick', 'Keystore.set{key="kept", value=event.n} return event.n')
    const one = (args: string) => pump(`return {interface.triggerOne{event="tick", ${args}}}`)
    assert.deepEqual(await one('target="beta", data={n=1}'), [1])
    assert.deepEqual(await one(`target="${ids.beta}", data={n=2}`), [2])
    assert.deepEqual(await one('target="beta", mode="async", data={n=3}'), {})
    await keeps('beta', 3)
  })

  it('mode: the argument, else the service configuration, else async and sync', async () => {
    await fixture.put('alpha', 'Pump_tick', 'return "done"')
    await fixture.put('beta', 'Pump_tick', 'return "done"')
    const broadcast = async (mode: string) => {
      const items = (await pump(`return interface.trigger{event="tick"${mode}}`)) as Item[]
      return items[0]?.status === undefined ? 'async' : 'sync'
    }
    const single = async (mode: string) =>
      (await pump(`return interface.triggerOne{target="beta", event="tick"${mode}}`)) === 'done'
        ? 'sync'
        : 'async'
    const rows: [string | undefined, string, string, string][] = [
      [undefined, '', 'async', 'sync'],
      [undefined, ', mode="sync"', 'sync', 'sync'],
      [undefined, ', mode="async"', 'async', 'async'],
      ['sync', '', 'sync', 'sync'],
      ['sync', ', mode="async"', 'async', 'async'],
      ['async', '', 'async', 'async'],
      ['async', ', mode="sync"', 'sync', 'sync'],
    ]
    for (const [mode, argument, many, one] of rows) {
      await fixture.expose('pump', { ...definition, ...(mode && { mode }) })
      assert.deepEqual([await broadcast(argument), await single(argument)], [many, one])
    }
    await fixture.expose('pump', definition)
  })

  it('async: what fails for good stands among the subscriber’s failures', async () => {
    await fixture.subscriber('weak', 'pump')
    await fixture.put('weak', 'Pump_tick', '--#RETRY 0 1\nerror("cannot")')
    await pump('return interface.triggerOne{target="weak", event="tick", mode="async", data=7}')
    const { failures } = fixture.millrace.platform.scripting
    const page = await until(
      () => failures.list(fixture.businessId, 'weak'),
      ({ deliveries }) => deliveries.length > 0,
    )
    assert.equal(page.deliveries[0]?.argument, 7)
  })
})

describe('interface: arguments of trigger and triggerOne', () => {
  onSubscribers()

  it('data: any value', async () => {
    await fixture.put('beta', 'Pump_tick', 'return {got = event}')
    for (const [lua, value] of [
      ['"text"', 'text'],
      ['1.5', 1.5],
      ['false', false],
      ['{1, 2}', [1, 2]],
    ] as const) {
      const args = `{target="beta", event="tick", data=${lua}}`
      assert.deepEqual(await pump(`return interface.triggerOne${args}`), { got: value })
    }
    assert.deepEqual(await pump('return interface.triggerOne{target="beta", event="tick"}'), {})
  })

  it('data is checked against the event’s parameters, before anybody receives it', async () => {
    const error = refused('data.level must be of type integer (type)')
    assert.deepEqual(await pump('return interface.trigger{event="alarm", data={level="x"}}'), error)
    const one = 'return interface.triggerOne{target="beta", event="alarm", data={level="x"}}'
    assert.deepEqual(await pump(one), error)
  })

  it('arguments, a pattern each', async () => {
    const event = 'event must match ^[a-zA-Z][a-zA-Z0-9_]+$'
    const target = 'target must match ^[a-z0-9-]+$'
    const rows: [string, string][] = [
      ['trigger{}', 'event must be given'],
      ['trigger{event="a"}', event],
      ['trigger{event="1ab"}', event],
      ['trigger{event="a-b"}', event],
      ['trigger{event=1}', event],
      ['trigger{event="tick", mode="both"}', 'mode must be one of async, sync'],
      ['triggerOne{event="tick"}', 'target must be given'],
      ['triggerOne{target="A", event="tick"}', target],
      ['triggerOne{target="a b", event="tick"}', target],
      ['triggerOne{target="beta"}', 'event must be given'],
      ['triggerOne{target="beta", event="tick", mode=1}', 'mode must be one of async, sync'],
    ]
    for (const [call, error] of rows) {
      assert.deepEqual(await pump(`return interface.${call}`), refused(error))
    }
  })

  it('an event that the definition does not list is sent as well', async () => {
    await fixture.put('beta', 'Pump_data_in', 'return "in"')
    const one = 'return interface.triggerOne{target="beta", event="data_in"}'
    assert.equal(await pump(one), 'in')
  })
})

describe('interface: whom trigger and triggerOne reach', () => {
  onSubscribers()

  it('service not found (trigger)', async () => {
    await fixture.solution('plain')
    const error = refused('The service is not found: the solution exposes none.', 404)
    assert.deepEqual(await fixture.run('plain', 'return interface.trigger{event="tick"}'), error)
  })

  it('target subscriber not found (triggerOne)', async () => {
    const error = refused('The target subscriber is not found.', 404)
    for (const target of ['nobody', '9c5b94b1-35ad-49bb-b118-8e8fc24abf80', 'pump']) {
      const call = `return interface.triggerOne{target="${target}", event="tick"}`
      assert.deepEqual(await pump(call), error)
    }
  })

  it('without subscribers: an empty list', async () => {
    await fixture.exposed('lonely', {})
    const call = 'return to_json(interface.trigger{event="tick"})'
    assert.equal(await fixture.run('lonely', call), '[]')
  })

  it('a business that is taken from the whitelist receives nothing more', async () => {
    const other = await fixture.otherOwner()
    await fixture.solution('open')
    const body = { whitelist: [other.businessId] }
    await fixture.expose('open', body)
    await fixture.subscriber('far', 'open', {}, other)
    await fixture.put('far', 'open_tick', 'error("a secret path")', other)
    const one = 'return interface.triggerOne{target="far", event="tick"}'
    assert.deepEqual(await fixture.run('open', one), {
      type: 'ServerError',
      error: 'The handler of tick failed.',
      status: 500,
    })
    await fixture.expose('open', {})
    assert.deepEqual(
      await fixture.run('open', one),
      refused('The target subscriber is not found.', 404),
    )
    const all = 'return to_json(interface.trigger{event="tick", mode="sync"})'
    assert.equal(await fixture.run('open', all), '[]')
  })
})
