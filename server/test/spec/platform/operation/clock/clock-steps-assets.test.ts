import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wholeView } from '../../../../../src/people/groups/index.ts'
import { assetsFixture, noon, numeric, setStatus } from '../../../../fixtures/assets.ts'

const secondUs = 1_000_000
const dayUs = 86_400 * secondUs
const steps = [2 * secondUs, dayUs, 3_650 * dayUs]

for (const step of steps.flatMap((us) => [us, -us])) {
  test(`${step / secondUs} s and back: latest value and status are of the last one`, async (t) => {
    const { assets, business, clock, database } = await assetsFixture(t)
    const asset = await assets.create(wholeView(business), { name: 'A', signals: [numeric('s')] })
    const [signal] = await assets.signals.ofAssets(wholeView(business), [asset.id])
    assert.ok(signal)
    const say = async (us: number, level: 0 | 1 | 2) => {
      clock.set(us)
      await database.transaction(async (transaction) => {
        const value = { key: signal.key, ts: us, value: level, platformStamp: true }
        await assets.writeValues(transaction, [value])
        await setStatus(assets, transaction, business, asset.id, 'rule', { ts: us, level })
      })
      const latest = (await assets.lastValues(wholeView(business), [signal.id])).get(signal.id)
      assert.deepEqual(latest, { ts: us, value: level })
      const status = (await assets.statuses(wholeView(business), [asset.id])).get(asset.id)
      assert.equal(status?.level, level)
    }
    await say(noon, 1)
    await say(noon + step, 2)
    await say(noon + secondUs / 2, 0)
    await say(noon + secondUs, 1)
    const stored = await assets.history(wholeView(business), signal.id)
    assert.equal(stored.length, 4, 'every value is in history')
    assert.equal((await assets.events(wholeView(business), asset.id)).length, 4, 'and every change')
  })
}
