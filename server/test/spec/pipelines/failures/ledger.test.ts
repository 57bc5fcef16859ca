import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { ProcessRequest } from '@millrace/insight-sdk/protocol'
import { wholeView } from '../../../../src/groups/index.ts'
import type { FailedCall, LinkSpec } from '../../../../src/pipelines/index.ts'
import { until } from '../../../fixtures/interface.ts'
import { type FakeModule, fakeModule, insight, module } from '../../../fixtures/pipelines.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'

const status = { name: 'Status', data_type: ['STATUS'] }
const functions = [
  insight('double'),
  insight('judge', { type: 'rule', outlets: [{ name: 'status' }] }),
  insight('act', { type: 'action', inlets: [status], outlets: [] }),
]
/** Of these entries the calls fail, by the module that fails. */
const faulty = { double: [4, 5, 6], away: [10], side: [5, 6], doomed: [3, 4, 7] }
const wrong = { entry: 8, value: 8_000 }
const entries = Array.from({ length: 12 }, (_, at) => at + 1)
const devices = ['one', 'two', 'three']

/** Answers as the functions do, unless `failure` gives a status for the value that came in. */
function serve(fake: FakeModule, failure: (value: number, request: ProcessRequest) => number) {
  fake.answer({
    ...module(functions),
    'POST /process': (response, body) => {
      const request = body as ProcessRequest
      const { data, args } = request
      const code = Math.max(...data.map(({ value }) => failure(Number(value), request)))
      if (code !== 0) return void response.writeHead(code).end('{"message":"out of order"}')
      const double = (value: number) => value * 2
      const judge = (value: number) => ({ level: value % 8 === 0 ? 3 : 1 })
      const made = args.function_id === 'judge' ? judge : double
      response.end(
        JSON.stringify([data.map((one) => ({ ...one, value: made(Number(one.value)) }))]),
      )
    },
  })
}

describe('the ledger through failures of modules', () => {
  const context = suiteContext()
  let instance: TestPlatform

  before(async () => {
    instance = await testPlatform(context)
  })

  /** Devices with an asset each, and their links of three modules. */
  async function fleet(label: string) {
    const { platform, businessId, connector, httpUrl } = instance
    const { assets, pipelines } = platform
    const view = wholeView(businessId)
    const fakes: FakeModule[] = []
    const moduleIds: string[] = []
    for (const name of ['main', 'side', 'doomed']) {
      const fake = await fakeModule(context)
      serve(fake, () => 0)
      fakes.push(fake)
      const added = await pipelines.modules.add(businessId, { url: fake.url, name: label + name })
      moduleIds.push(added.id)
    }
    const [main = '', side = '', doomed = ''] = moduleIds
    const members = []
    for (const name of devices) {
      const identity = `${label}-${name}`
      const device = await newDevice(httpUrl, connector.id, identity)
      const { id: assetId } = await assets.create(view, {
        name: identity,
        device: { connectorId: connector.id, identity },
        signals: [{ name: 't', primitiveType: 'NUMERIC', source: { alias: 'temperature' } }],
      })
      const [signal] = await assets.signals.ofAssets(view, [assetId])
      const link = async (moduleId: string, functionId: string, signalId: string) => {
        const spec: LinkSpec = { moduleId, functionId, inlets: [{ signalId }] }
        return pipelines.links.create(view, Object.assign({ assetId }, spec) as never)
      }
      const double = await link(main, 'double', signal?.id ?? '')
      const judge = await link(main, 'judge', double.outlets[0] ?? '')
      await link(main, 'act', judge.outlets[0] ?? '')
      const others = [
        await link(side, 'double', signal?.id ?? ''),
        await link(doomed, 'double', signal?.id ?? ''),
      ]
      members.push({
        device,
        assetId,
        made: [double, judge, ...others].map((one) => one.outlets[0]),
      })
    }
    return { fakes, side, doomed, members }
  }

  type Fleet = Awaited<ReturnType<typeof fleet>>

  /** Each entry of all devices, over real sockets; the next after all runs of the one before. */
  async function drive({ members }: Fleet, writtenAt: (entry: number) => number) {
    for (const entry of entries) {
      for (const { device } of members) {
        assert.equal((await device.write(`temperature=${writtenAt(entry)}`)).status, 204)
      }
      await settled()
    }
  }

  async function settled(): Promise<void> {
    const { pipelines, eventlog } = instance.platform
    await pipelines.caughtUp()
    const { faults } = await until(
      () => eventlog.ledger.verify(),
      ({ stages }) =>
        stages.every(({ stage, pending }) => stage !== 'functions.runs' || pending === 0),
    )
    assert.deepEqual(faults, [])
  }

  /** Of each device: the values of each function in their order, and the level. */
  async function stateOf({ members }: Fleet) {
    const { assets } = instance.platform
    const view = wholeView(instance.businessId)
    const state = []
    for (const { assetId, made } of members) {
      const values = []
      for (const id of made) {
        const history = await assets.history(view, id ?? '', { order: 'asc' })
        values.push(history.map(({ value }) => value))
      }
      const level = (await assets.statuses(view, [assetId])).get(assetId)?.level
      state.push({ values, level })
    }
    return state
  }

  async function failed(): Promise<readonly FailedCall[]> {
    const view = wholeView(instance.businessId)
    return (await instance.platform.pipelines.failedCalls.list(view, { limit: 100 })).calls
  }

  async function failedOf(moduleId: string): Promise<readonly FailedCall[]> {
    return (await failed()).filter(({ link }) => link?.moduleId === moduleId)
  }

  const valueIn = ({ request }: FailedCall) =>
    request !== null && 'data' in request ? Number(request.data[0]?.value) : undefined

  /** The modules fail, and one device value is wrong; then people put it right. */
  async function disturb(disturbed: Fleet): Promise<void> {
    const [main, side, doomed] = disturbed.fakes as [FakeModule, FakeModule, FakeModule]
    const once = new Set<string>()
    const isAway = (value: number, { id }: ProcessRequest) => {
      const key = `${id} ${value}`
      if (!faulty.away.includes(value) || once.has(key)) return false
      once.add(key)
      return true
    }
    serve(main, (value, request) => {
      if (request.args.function_id !== 'double') return 0
      if (value > 1_000) return 422
      return faulty.double.includes(value) ? 500 : isAway(value, request) ? 503 : 0
    })
    serve(side, (value) => (value > 1_000 ? 422 : faulty.side.includes(value) ? 500 : 0))
    serve(doomed, (value) => (faulty.doomed.includes(value) ? 500 : 0))
    await drive(disturbed, (entry) => (entry === wrong.entry ? wrong.value : entry))
    for (const fake of [main, side]) serve(fake, (value) => (value > 1_000 ? 422 : 0))
  }

  /** A module is removed by force while calls to it are kept; these cannot be made any more. */
  async function removeDoomed({ doomed }: Fleet): Promise<void> {
    const { modules, failedCalls } = instance.platform.pipelines
    const view = wholeView(instance.businessId)
    const kept = await failedOf(doomed)
    assert.equal(kept.length, faulty.doomed.length * devices.length)
    await modules.remove(instance.businessId, doomed, { force: true })
    await settled()
    const id = kept[0]?.id ?? ''
    await failedCalls.retry(view, id)
    await settled()
    assert.match((await failedCalls.get(view, id)).error.reason, /link is gone/)
    for (const call of await failedOf(doomed)) await failedCalls.discard(view, call.id)
  }

  it('holds, and corrected and retried calls give what would have been', async () => {
    const { failedCalls } = instance.platform.pipelines
    const view = wholeView(instance.businessId)
    const calm = await fleet('calm')
    await drive(calm, (entry) => entry)
    const disturbed = await fleet('disturbed')
    await disturb(disturbed)
    await removeDoomed(disturbed)

    for (const call of await failed()) {
      if (valueIn(call) !== wrong.value) continue
      const { data } = call.request as ProcessRequest
      const corrected = data.map((one) => ({ ...one, value: wrong.entry }))
      await failedCalls.correct(view, call.id, corrected)
    }
    for (const call of await failedOf(disturbed.side)) {
      if (valueIn(call) !== wrong.entry) await failedCalls.discard(view, call.id)
    }
    const left = (faulty.double.length + 2) * devices.length
    assert.equal(await failedCalls.retryAll(view), left)
    await settled()
    assert.deepEqual(await failed(), [])

    const [double, judge, side, doomed] = [0, 1, 2, 3] as const
    const [without, with_] = [await stateOf(calm), await stateOf(disturbed)]
    for (const [at, { level, values }] of with_.entries()) {
      const wanted = without[at] ?? assert.fail()
      assert.equal(values[double]?.length, entries.length)
      assert.deepEqual(
        [level, values[double], values[judge]],
        [wanted.level, wanted.values[double], wanted.values[judge]],
      )
      const discarded = new Set(faulty.side.map((entry) => entry * 2))
      const others = wanted.values[side]?.filter((value) => !discarded.has(Number(value)))
      assert.deepEqual(values[side], others)
      const seen = entries.filter((entry) => !faulty.doomed.includes(entry))
      const kept = seen.map((entry) => 2 * (entry === wrong.entry ? wrong.value : entry))
      assert.deepEqual(values[doomed], kept)
    }
  })
})
