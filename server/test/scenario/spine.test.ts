import assert from 'node:assert/strict'
import { it } from 'node:test'
import { serve } from '@millrace/insight-sdk'
import { vibration } from '../../../examples/insight-vibration/module.ts'
import { wholeView } from '../../src/people/groups/index.ts'
import { atEnd } from '../fixtures/ends.ts'
import { allRun } from '../fixtures/pipelines.ts'
import { type TestPlatform, testPlatform } from '../fixtures/platform.ts'
import { askGraphql } from '../fixtures/wire/ask.ts'
import { newDevice } from '../fixtures/wire/device.ts'

const configIo = JSON.stringify({
  channels: {
    '001': {
      display_name: 'Temperature',
      properties: { data_type: 'TEMPERATURE', data_unit: 'DEG_CELSIUS' },
    },
  },
})

type Reading = {
  asset: {
    status: { level: string }
    signals: { name: string; lastValue: { value: unknown } | null; data: { value: unknown }[] }[]
  }
}

const read = `query ($id: ID!) {
  asset(id: $id) {
    status { level }
    signals { name lastValue { value } data { value } }
  }
}`

/** The asset that the instance made of the device's channels. */
async function madeAsset(httpUrl: string, token: string): Promise<string> {
  const listed = await askGraphql<{ assets: { id: string; name: string }[] }>(
    httpUrl,
    token,
    '{ assets(pagination: {limit: 10, offset: 0}) { id name } }',
  )
  assert.deepEqual(
    listed.assets.map(({ name }) => name),
    ['pump-7'],
  )
  return listed.assets[0]?.id ?? ''
}

/** Links the temperature to the moving average of the module at `url`, and to a rule. */
async function link({ platform, businessId }: TestPlatform, assetId: string, url: string) {
  const { modules, links } = platform.pipelines
  const [temperature] = await platform.assets.signals.ofAssets(wholeView(businessId), [assetId])
  const inlets = [{ signalId: temperature?.id ?? '' }]
  const { id: moduleId } = await modules.add(businessId, { name: 'Vibration', url })
  const average = { moduleId, functionId: 'moving_average', constants: { window: 2 } }
  await links.create(wholeView(businessId), { assetId, inlets, ...average })
  const constants = { direction: 'above', warning: 30, critical: 60 }
  const rule = { moduleId: 'builtin', functionId: 'threshold', constants }
  await links.create(wholeView(businessId), { assetId, inlets, ...rule })
}

it('takes one write all the way: HTTP, log, signal, insight, rule, status, GraphQL', async (t) => {
  const millrace = await testPlatform(t, { own: 'counts all calls of functions' })
  const { platform, businessId, connector, httpUrl, token } = millrace
  const module = await serve(vibration, { host: '127.0.0.1', port: 0 })
  atEnd(t, () => module.close())
  await platform.assets.intake.set(wholeView(businessId), connector.id, {})

  const device = await newDevice(httpUrl, connector.id, 'pump-7')
  assert.equal((await device.write(`config_io=${encodeURIComponent(configIo)}`)).status, 204)
  await platform.pipelines.caughtUp()
  const assetId = await madeAsset(httpUrl, token)
  await link(millrace, assetId, module.url)

  const before = await askGraphql<Reading>(httpUrl, token, read, { id: assetId })
  assert.equal(before.asset.status.level, 'normal')
  await device.write('data_in={"001":21.5}')
  await device.write('data_in={"001":78.5}')
  await allRun(platform)

  const after = await askGraphql<Reading>(httpUrl, token, read, { id: assetId })
  assert.deepEqual(after.asset.status, { level: 'critical' })
  const signal = (name: string) => after.asset.signals.find((one) => one.name === name)
  assert.deepEqual(
    signal('Temperature')?.data.map(({ value }) => value),
    [78.5, 21.5],
  )
  assert.equal(signal('Moving average')?.lastValue?.value, 50)

  const { faults, stages } = await platform.eventlog.ledger.verify()
  assert.deepEqual(faults, [])
  assert.equal(stages.find(({ stage }) => stage === 'functions.calls')?.done, 4)
})
