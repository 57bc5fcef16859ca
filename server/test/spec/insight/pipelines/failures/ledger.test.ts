import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { ProcessRequest } from '@millrace/insight-sdk/protocol'
import type { FailedCall } from '../../../../../src/insight/pipelines/index.ts'
import {
  answerUnless,
  drive,
  type LinkedFleet,
  linkedFleet,
  readFleetState,
  settled,
} from '../../../../fixtures/pipelines/fleets.ts'
import type { FakeModule } from '../../../../fixtures/pipelines.ts'
import { type TestPlatform, testPlatform } from '../../../../fixtures/platform.ts'
import { suiteContext } from '../../../../fixtures/suite.ts'

/** The entries whose calls fail, by the module that fails. */
const faulty = { double: [4, 5, 6], away: [10], side: [5, 6], doomed: [3, 4, 7] }
const wrong = { entry: 8, value: 8_000 }
const entries = Array.from({ length: 12 }, (_, at) => at + 1)
const devices = ['one', 'two', 'three']

describe('the ledger through failures of modules', () => {
  const context = suiteContext()
  let instance: TestPlatform

  before(async () => {
    instance = await testPlatform(context)
  })

  async function failed(): Promise<readonly FailedCall[]> {
    const view = instance.view
    return (await instance.platform.pipelines.failedCalls.list(view, { limit: 100 })).calls
  }

  async function listFailed(moduleId: string): Promise<readonly FailedCall[]> {
    return (await failed()).filter((call) => call.moduleId === moduleId)
  }

  const valueIn = ({ request }: FailedCall) =>
    request !== null && 'data' in request ? Number(request.data[0]?.value) : undefined

  /** The modules fail, and one device value is wrong; then people put it right. */
  async function disturb(disturbed: LinkedFleet): Promise<void> {
    const [main, side, doomed] = disturbed.fakes as [FakeModule, FakeModule, FakeModule]
    const once = new Set<string>()
    const isAway = (value: number, { id }: ProcessRequest) => {
      const key = `${id} ${value}`
      if (!faulty.away.includes(value) || once.has(key)) return false
      once.add(key)
      return true
    }
    answerUnless(main, (value, request) => {
      if (request.args.function_id !== 'double') return 0
      if (value > 1_000) return 422
      return faulty.double.includes(value) ? 500 : isAway(value, request) ? 503 : 0
    })
    answerUnless(side, (value) => (value > 1_000 ? 422 : faulty.side.includes(value) ? 500 : 0))
    answerUnless(doomed, (value) => (faulty.doomed.includes(value) ? 500 : 0))
    const written = entries.map((entry) => (entry === wrong.entry ? wrong.value : entry))
    await drive(instance, disturbed, written)
    for (const fake of [main, side]) answerUnless(fake, (value) => (value > 1_000 ? 422 : 0))
  }

  /** A module is removed by force while calls to it are kept; these cannot be made any more. */
  async function removeDoomed({ doomed }: LinkedFleet): Promise<void> {
    const { modules, failedCalls } = instance.platform.pipelines
    const view = instance.view
    const kept = await listFailed(doomed)
    assert.equal(kept.length, faulty.doomed.length * devices.length)
    await modules.remove(instance.businessId, doomed, { force: true })
    await settled(instance)
    const id = kept[0]?.id ?? ''
    await failedCalls.retry(view, id)
    await settled(instance)
    assert.match((await failedCalls.get(view, id)).error.reason, /link is gone/)
    for (const call of await listFailed(doomed)) await failedCalls.discard(view, call.id)
  }

  async function correctWrong(): Promise<void> {
    const { failedCalls } = instance.platform.pipelines
    for (const call of await failed()) {
      if (valueIn(call) !== wrong.value) continue
      const { data } = call.request as ProcessRequest
      const corrected = data.map((one) => ({ ...one, value: wrong.entry }))
      await failedCalls.correct(instance.view, call.id, corrected)
    }
  }

  it('holds, and corrected and retried calls give what would have been', async () => {
    const { failedCalls } = instance.platform.pipelines
    const view = instance.view
    const of = { instance, context }
    const calm = await linkedFleet(of, 'calm', devices)
    await drive(instance, calm, entries)
    const disturbed = await linkedFleet(of, 'disturbed', devices)
    await disturb(disturbed)
    await removeDoomed(disturbed)

    await correctWrong()
    for (const call of await listFailed(disturbed.side)) {
      if (valueIn(call) !== wrong.entry) await failedCalls.discard(view, call.id)
    }
    const left = (faulty.double.length + 2) * devices.length
    assert.equal(await failedCalls.retryAll(view), left)
    await settled(instance)
    assert.deepEqual(await failed(), [])
    const [double, judge, side, doomed] = [0, 1, 2, 3] as const
    const [without, with_] = [
      await readFleetState(instance, calm),
      await readFleetState(instance, disturbed),
    ]
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
