import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../src/groups/index.ts'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../fixtures/browser/console.ts'
import { until } from '../../fixtures/interface.ts'
import type { TestPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../fixtures/wire/device.ts'

const failing = `
local point = event.payload[1]
if point and string.find(point.values.data_in or "", "broken") then
  log.warn("the pump is looked at")
  error("no pump is broken")
end`

let instance: TestPlatform
let shown: TestConsole
let page: Page
let device: TestDevice
let signalId = ''

const ask = async (method: string, path: string, body?: unknown) => {
  const headers = { authorization: `Automation ${instance.token}` }
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(`${instance.httpUrl}/api:1${path}`, {
    method,
    headers: { ...headers, ...json },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  assert.ok(answer.ok, `${path} ${answer.status}`)
  return (await answer.json()) as { failures: { stage: string }[] }
}
const comes = (stage: string, count: number) =>
  until(
    async () => (await ask('GET', `/failures?stage=${stage}`)).failures,
    ({ length }) => length === count,
  )
const values = async () => {
  const { platform, businessId } = instance
  const history = await platform.assets.history(wholeView(businessId), signalId)
  return history.map(({ value }) => value)
}

describe('failures in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    const { platform, businessId, connector, httpUrl } = instance
    const view = wholeView(businessId)
    await ask('POST', '/solution', { id: 'pump', name: 'Pump' })
    const files = {
      'device2_event.lua': failing,
      'services/device2.yaml': `service: ${connector.id}\n`,
    }
    await ask('POST', '/solution/pump/push', {
      files: Object.entries(files).map(([path, text]) => ({ path, text })),
    })
    device = await newDevice(httpUrl, connector.id, 'pump-1')
    const source = { alias: 'data_in', channel: '001' }
    const asset = await platform.assets.create(view, {
      name: 'Pump',
      device: { connectorId: connector.id, identity: 'pump-1' },
      signals: [{ name: 'L', primitiveType: 'NUMERIC', source }],
    })
    signalId = (await platform.assets.signals.ofAssets(view, [asset.id]))[0]?.id ?? ''
  })

  it('corrects the input of what failed, and the value arrives', async () => {
    await device.write('data_in={"001":')
    await comes('values', 1)
    page = await shown.tab('/failures')
    await shown.signIn(page, instance.account)
    await page.getByLabel('Stage').selectOption('Values of devices')
    await page.waitForURL(/stage=values/)
    await page.getByRole('button', { name: /pump-1/ }).click()
    await page.waitForURL(/\/failures\/values\/.*stage=values/)
    const input = page.getByLabel('Input')
    await assertAccessible(page, 'failures')
    const before = JSON.parse(await input.inputValue())
    await input.fill('{')
    await page.getByRole('button', { name: 'Retry as corrected' }).click()
    await page.getByText(/This is no JSON/).waitFor()
    const [point] = before.payload
    const payload = [{ timestamp: point.timestamp, values: { temperature: 'warm' } }]
    await input.fill(JSON.stringify({ payload }))
    await page.getByRole('button', { name: 'Retry as corrected' }).click()
    await page.getByText('value_refused').waitFor()
    const right = [{ timestamp: point.timestamp, values: { data_in: '{"001":21}' } }]
    await input.fill(JSON.stringify({ payload: right }))
    await page.getByRole('button', { name: 'Retry as corrected' }).click()
    await page
      .getByRole('status')
      .getByText(/It was sent again/)
      .waitFor()
    await page.getByText('Nothing failed at this stage.').waitFor()
    assert.deepEqual(await until(values, ({ length }) => length === 1), [21])
    await comes('values', 0)
  })

  it('shows the log of a failed call with its trace, and goes to the device', async () => {
    await device.write('data_in=broken')
    await comes('deliveries', 1)
    await page.goto(`${shown.origin}/failures?stage=deliveries`)
    await page.getByRole('button', { name: /pump/ }).click()
    await page.getByText('the pump is looked at').waitFor()
    await page
      .getByLabel('Trace')
      .getByText(/device2_event/)
      .first()
      .waitFor()
    await assertAccessible(page, 'failures-call')
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await assertAccessible(page, 'failures-discard')
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await page.getByText('Nothing failed at this stage.').waitFor()
    await comes('deliveries', 0)
    await page.goto(`${shown.origin}/failures`)
    await page
      .getByRole('button', { name: /pump-1/ })
      .first()
      .click()
    await page.getByRole('link', { name: 'pump-1', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'pump-1' }).waitFor()
  })

  it('retries and discards all of a stage', async () => {
    await device.write('data_in={"001":')
    await comes('values', 2)
    await page.goto(`${shown.origin}/failures?stage=values`)
    const cursor = (await ask('GET', '/failures?stage=values')).failures
    await page.getByRole('button', { name: 'Retry all' }).click()
    await page
      .getByRole('status')
      .getByText(/It was sent again/)
      .waitFor()
    // They cannot be read now, either, and come back with other ids.
    await until(
      async () => (await ask('GET', '/failures?stage=values')).failures,
      (found) => found.length === 2 && JSON.stringify(found) !== JSON.stringify(cursor),
    )
    await page.getByRole('button', { name: 'Discard all' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard all' }).click()
    await page.getByText('Nothing failed at this stage.').waitFor()
    await comes('values', 0)
    await assertAccessible(page, 'failures-none')
    const { faults } = await instance.platform.eventlog.ledger.verify()
    assert.deepEqual(faults, [])
    assert.deepEqual(
      shown.errors.filter((one) => !/status of (400|404)/.test(one)),
      [],
    )
  })
})
