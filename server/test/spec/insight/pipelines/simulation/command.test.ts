import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { runsCommands } from '../../../../fixtures/commands/command-line.ts'
import { until } from '../../../../fixtures/interface.ts'
import { fedAsset } from '../../../../fixtures/pipelines/fleets.ts'
import { testPlatform } from '../../../../fixtures/platform.ts'

/** An asset with four recorded values, two of them above 20. */
async function recorded(t: TestContext) {
  const instance = await testPlatform(t)
  const { platform, view } = instance
  const { device, asset, signalId } = await fedAsset(instance, 'tried')
  for (const value of [10, 25, 10, 30]) {
    assert.equal((await device.write(`temperature=${value}`)).status, 204)
  }
  const values = await until(
    () => platform.assets.history(view, signalId, { order: 'asc' }),
    ({ length }) => length === 4,
  )
  const file = join(instance.operatorDir, 'change.json')
  const rule = { moduleId: 'builtin', functionId: 'threshold', constants: { warning: 20 } }
  const links = [{ ...rule, name: 'Hot', inlets: [{ signalId }] }]
  await writeFile(file, JSON.stringify({ links }))
  return { asset: asset.id, file, values, run: runsCommands(instance) }
}

const secondUs = 1_000_000

describe('the command that simulates a pipeline', () => {
  it('says how often and when a rule would have fired, as text and as JSON', async (t) => {
    const { asset, file, values, run } = await recorded(t)
    const [first, second, , last] = values.map(({ ts }) => ts)
    const iso = (us = 0) => new Date(us / 1_000).toISOString()
    const words = ['pipeline', 'simulate', asset, '--from', iso(Number(first) - secondUs)]
    const to = ['--to', iso(Number(last) + secondUs), '--change', file]
    const { stdout, stderr } = await run(...words, ...to)
    const shown = `rule "Hot" would have fired 2 times: ${iso(second)} to 2, ${iso(last)} to 2\n`
    assert.ok(stdout.includes(shown), `${stdout}${stderr}`)
    const json = JSON.parse((await run(...words, ...to, '--json')).stdout)
    const [hot] = json.changed.rules
    assert.deepEqual(
      [hot.fired, hot.changes.map(({ ts }: { ts: number }) => ts)],
      [2, values.slice(1).map(({ ts }) => ts)],
    )
  })
})
