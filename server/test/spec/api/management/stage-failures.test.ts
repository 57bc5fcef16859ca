import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { type RunCommand, runsCommands } from '../../../fixtures/commands/command-line.ts'
import { until } from '../../../fixtures/interface.ts'
import { type NotificationFixture, notificationFixture } from '../../../fixtures/notification.ts'
import { allRun, fakeModule, insight, module } from '../../../fixtures/pipelines.ts'
import { unique } from '../../../fixtures/platform.ts'
import { assertFault, assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../../fixtures/wire/device.ts'

type Failure = Readonly<Record<string, unknown>> & {
  readonly stage: string
  readonly id: string
  readonly about: Readonly<Record<string, string>>
}

const failing = `
local point = event.payload[1]
if point and string.find(point.values.data_in or "", "broken") then error("no pump is broken") end`

let fixture: NotificationFixture
let device: TestDevice
let run: RunCommand
let signalId = ''
let isModuleBroken = true
let lastRequest: unknown

const onInstance = sharedBySuites(async (context) => {
  fixture = await notificationFixture(context)
  const { platform, businessId, connector, httpUrl } = fixture.millrace
  run = runsCommands(fixture.millrace)
  const service = { 'services/device2.yaml': `service: ${connector.id}\n` }
  assertStatus(await fixture.push({ 'device2_event.lua': failing, ...service }), 200)
  device = await newDevice(httpUrl, connector.id, 'pump-1')
  const view = wholeView(businessId)
  const asset = await platform.assets.create(view, {
    name: 'Pump',
    device: { connectorId: connector.id, identity: 'pump-1' },
    signals: [
      { name: 'L', primitiveType: 'NUMERIC', source: { alias: 'data_in', channel: '001' } },
    ],
  })
  signalId = (await platform.assets.signals.ofAssets(view, [asset.id]))[0]?.id ?? ''
  const fake = await fakeModule(context, {
    ...module([insight('f')]),
    'POST /process': (response, body) => {
      lastRequest = body
      if (isModuleBroken) response.writeHead(500).end('{"message":"no"}')
      else response.end(JSON.stringify([(body as { data: unknown[] }).data]))
    },
  })
  const { id: moduleId } = await platform.pipelines.modules.add(businessId, { url: fake.url })
  const inlets = [{ signalId }]
  await platform.pipelines.links.create(view, {
    assetId: asset.id,
    moduleId,
    functionId: 'f',
    inlets,
  })
})

const list = async (query = '') => {
  const answer = await fixture.ask('GET', `/failures${query}`)
  assertStatus(answer, 200)
  return answer.json.failures as Failure[]
}
const comes = (stage: string, count = 1) =>
  until(
    () => list(`?stage=${stage}`),
    ({ length }) => length === count,
  )
const counts = async (token?: string) => {
  const answer = await fixture.ask('GET', '/failures/count', undefined, token)
  assertStatus(answer, 200)
  const { stages, most } = answer.json as { stages: Record<string, number>; most: number }
  assert.equal(most, limits.failuresCountedMax)
  return Object.fromEntries(Object.entries(stages).filter(([, count]) => count > 0))
}
const values = async () => {
  const { platform, businessId } = fixture.millrace
  const history = await platform.assets.history(wholeView(businessId), signalId)
  return history.map(({ value }) => value)
}
const verified = async () => {
  await allRun(fixture.millrace.platform)
  const { faults, stages } = await fixture.millrace.platform.eventlog.ledger.verify()
  assert.deepEqual(faults, [])
  return stages
}

describe('what failed at a stage', () => {
  onInstance()

  it('has a message whose values cannot be read, which is corrected and sent again', async () => {
    assert.equal((await device.write('data_in={"001":')).status, 204)
    const [failure = assert.fail()] = await comes('values')
    const { connector, device: identity } = failure.about
    assert.deepEqual([connector, identity], [fixture.millrace.connector.id, 'pump-1'])
    assert.equal(failure.final, null)
    const input = failure.input as { payload: { timestamp: number; values: object }[] }
    assert.deepEqual(input.payload[0]?.values, { data_in: '{"001":' })

    const path = `/failures/values/${failure.id}`
    const fixed = (values: object) => {
      return { input: { payload: [{ timestamp: input.payload[0]?.timestamp, values }] } }
    }
    const wrong = await fixture.ask('POST', `${path}/retry`, fixed({ nothing: '1' }))
    assertFault(wrong, 'invalid_argument', /The connector has no resource nothing/)
    assertFault(
      await fixture.ask('POST', `${path}/retry`, fixed({ temperature: 'warm' })),
      'value_refused',
    )
    assertFault(await fixture.ask('POST', `${path}/retry`, { input: 7 }), 'invalid_argument')
    assert.equal((await list('?stage=values')).length, 1, 'nothing is lost by a wrong correction')

    const right = fixed({ data_in: '{"001":21}' })
    assertStatus(await fixture.ask('POST', `${path}/retry`, right), 204)
    await comes('values', 0)
    assert.deepEqual(await until(values, ({ length }) => length === 1), [21])
    assertFault(await fixture.ask('POST', `${path}/retry`, right), 'not_found')
    await verified()
  })

  it('has what a solution set without sync, which is reported once it is sent again', async () => {
    const { ask, millrace } = fixture
    const { platform, businessId } = millrace
    const id = unique('cloud')
    const resources = { data_in: { format: 'string', settable: true, sync: false } }
    assertStatus(await ask('POST', '/connectors', { id, name: id, resources }), 201)
    assertStatus(await ask('PUT', `/service/${id}/device2/identity/c1`, {}), 200)
    const view = wholeView(businessId)
    const source = { alias: 'data_in', channel: '001' }
    const asset = await platform.assets.create(view, {
      name: 'Cloud',
      device: { connectorId: id, identity: 'c1' },
      signals: [{ name: 'C', primitiveType: 'NUMERIC', source }],
    })
    const [signal] = await platform.assets.signals.ofAssets(view, [asset.id])
    await platform.provisioning.setState(businessId, id, 'c1', { data_in: '{"001":' })
    const [failure = assert.fail()] = await comes('values')
    const { payload } = failure.input as { payload: { timestamp: number }[] }
    const values = { data_in: '{"001":5}' }
    const input = { payload: [{ timestamp: payload[0]?.timestamp, values }] }
    assertStatus(await ask('POST', `/failures/values/${failure.id}/retry`, { input }), 204)
    await until(
      () => platform.assets.history(view, signal?.id ?? ''),
      ([last]) => last?.value === 5,
    )
    const { state } = (await ask('GET', `/service/${id}/device2/identity/c1`)).json
    assert.equal(state.data_in.reported, values.data_in)
    await comes('values', 0)
    await verified()
  })

  it('has calls of functions, with what they were called with', async () => {
    const [failure = assert.fail()] = await comes('functions.calls')
    assert.deepEqual(
      [failure.code, failure.reason],
      ['module_failed', 'The module answered 500: no'],
    )
    assert.deepEqual(
      (await fixture.ask('GET', `/failures/functions.calls/${failure.id}`)).json,
      failure,
    )
    isModuleBroken = false
    const path = `/failures/functions.calls/${failure.id}/retry`
    const { args, ...request } = failure.input as { args: object; data: object[] }
    for (const [input, refusal] of [
      [{ dada: [] }, /no field dada/],
      [{ id: 'other' }, /^id is of the link/],
      [{ args: { ...args, function_id: 'g' } }, /^args.function_id is of the link/],
      [{ args: { ...args, constant: 1 } }, /no field args.constant/],
      [{ args: { constants: 7 } }, /args.constants is a number/],
      [{ history: 7 }, /history is a number/],
      ['text', /an object/],
    ] as const) {
      assertFault(await fixture.ask('POST', path, { input }), 'invalid_argument', refusal)
    }
    const constants = { factor: 100 }
    const input = { ...request, args: { ...args, constants }, history: {} }
    assertStatus(await fixture.ask('POST', path, { input }), 204)
    await allRun(fixture.millrace.platform)
    await comes('functions.calls', 0)
    assert.deepEqual(lastRequest, input)
    await verified()
  })

  it('has events of scripts, which run again', async () => {
    assert.equal((await device.write('data_in=broken')).status, 204)
    const [failure = assert.fail()] = await comes('deliveries')
    assert.match(String(failure.reason), /no pump is broken/)
    assert.equal(failure.about.solution, 'pump')
    const { retried } = (await fixture.ask('POST', '/failures/deliveries/retry')).json
    assert.equal(retried, 1)
    await allRun(fixture.millrace.platform)
    const [again] = await comes('deliveries')
    assert.equal(again?.id, failure.id)
    assert.ok(Number(again?.failed_at) > Number(failure.failed_at))
    assertStatus(await fixture.ask('DELETE', `/failures/deliveries/${failure.id}`), 204)
    await comes('deliveries', 0)
    await verified()
  })
})

describe('what failed at all stages', () => {
  onInstance()

  it('lists all stages by time, page by page, and by command', async () => {
    for (const at of [1, 2, 3]) await device.write(`data_in=broken ${at}`)
    await comes('deliveries', 3)
    // The same messages cannot be read as values, either.
    const all = await until(
      () => list(),
      ({ length }) => length === 7,
    )
    assert.deepEqual(await counts(), { values: 4, deliveries: 3 })
    const times = all.map(({ failed_at }) => Number(failed_at))
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    )
    const pages: Failure[] = []
    let before = ''
    for (let count = 0; count < 8; count += 1) {
      const { json } = await fixture.ask('GET', `/failures?limit=2${before}`)
      pages.push(...json.failures)
      if (json.before === undefined) break
      before = `&before=${json.before}`
    }
    assert.deepEqual(pages, all)

    const { stdout } = await run('failure', 'list', '--stage', 'values')
    assert.equal(stdout.trim().split('\n').length, 4)
    assert.match(stdout, /values {2}\d+-\d+ {2}.*device pump-1 .*data_in/)
    const { id = '' } = all.find(({ stage }) => stage === 'values') ?? {}
    assert.match((await run('failure', 'show', 'values', id)).stdout, /"data_in": "broken 3"/)
    assert.equal((await run('failure', 'discard', 'values', id, '--yes')).code, 0)
    assert.match((await run('failure', 'discard', 'values', '--yes')).stdout, /3 are discarded/)
    assert.match((await run('failure', 'discard', 'deliveries', '--yes')).stdout, /3/)
    assert.match(
      (await run('failure', 'count')).stdout,
      /^values +0\nfunctions +0\n.*deliveries +0\n/s,
    )
    assert.deepEqual(await list(), [])
    await verified()
  })

  it('sends all of a stage again in the order in which they failed', async () => {
    const texts = ['{"001":', '{"001":1', '{"001":2']
    for (const text of texts) assert.equal((await device.write(`data_in=${text}`)).status, 204)
    await comes('values', 3)
    assert.deepEqual((await fixture.ask('POST', '/failures/values/retry')).json, { retried: 3 })
    await allRun(fixture.millrace.platform)
    // They cannot be read now, either.
    const again = await comes('values', 3)
    const sent = again.map(({ input }) => {
      const [point] = (input as { payload: { values: { data_in: string } }[] }).payload
      return point?.values.data_in
    })
    assert.deepEqual(sent.toReversed(), texts)
    assertStatus(await fixture.ask('DELETE', '/failures/values'), 200)
    assertStatus(await fixture.ask('DELETE', '/failures/deliveries'), 200)
    await verified()
  })

  it('refuses a stage that is not there, and a list before what is no time', async () => {
    assertStatus(await fixture.ask('GET', '/failures/elsewhere/1'), 404)
    assertStatus(await fixture.ask('GET', '/failures?before=x'), 400)
  })
})
