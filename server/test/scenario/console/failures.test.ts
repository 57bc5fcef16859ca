import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../src/people/groups/index.ts'
import { goTo, signedInConsole, skip } from '../../fixtures/browser/console.ts'
import { until } from '../../fixtures/interface.ts'
import { fakeModule, insight, module } from '../../fixtures/pipelines.ts'
import { type TestPlatform, unique } from '../../fixtures/platform.ts'
import { sharedBySuites, suiteContext } from '../../fixtures/suite.ts'
import { askManagement } from '../../fixtures/wire/ask.ts'
import { newDevice, type TestDevice } from '../../fixtures/wire/device.ts'

const pump = unique('pump')
let instance: TestPlatform
let page: Page

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, page } = await signedInConsole(suite, { expected: /status of (400|404)/ }))
})

const ask = (method: string, path: string, body?: object) =>
  askManagement(instance, method, path, body)

const failing = `
local point = event.payload[1]
if point and string.find(point.values.data_in or "", "broken") then
  log.warn("the pump is looked at")
  error("no pump is broken")
end`

let device: TestDevice
let signalId = ''

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

describe('failures in the console', { skip }, () => {
  onConsole()

  before(async () => {
    const { platform, businessId, connector, httpUrl } = instance
    const view = wholeView(businessId)
    await ask('POST', '/solution', { id: pump, name: 'Pump' })
    const files = {
      'device2_event.lua': failing,
      'services/device2.yaml': `service: ${connector.id}\n`,
    }
    await ask('POST', `/solution/${pump}/push`, {
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
    await goTo(page, '/failures')
    await page.getByLabel('Stage').selectOption('Values of devices')
    await page.waitForURL(/stage=values/)
    await page.getByRole('button', { name: /pump-1/ }).click()
    await page.waitForURL(/\/failures\/values\/.*stage=values/)
    const input = page.getByLabel('Input')
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
    await goTo(page, '/failures?stage=deliveries')
    await page.getByRole('button', { name: /pump/ }).click()
    await page.getByText('the pump is looked at').waitFor()
    await page
      .getByLabel('Trace')
      .getByText(/device2_event/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await page.getByText('Nothing failed at this stage.').waitFor()
    await comes('deliveries', 0)
    await goTo(page, '/failures')
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
    await goTo(page, '/failures?stage=values')
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
    const { faults } = await instance.platform.eventlog.ledger.verify()
    assert.deepEqual(faults, [])
  })
})

const part = (name: string) => page.getByRole('region', { name, exact: true })
const row = (name: string, text: string) => part(name).getByRole('row').filter({ hasText: text })
const failedValues = async () => (await ask('GET', '/failures/count')).stages.values

/** A module that is down, a CA, and a value that cannot be read. */
async function prepare(suite: ReturnType<typeof suiteContext>): Promise<void> {
  const { platform, businessId, connector, httpUrl } = instance
  const fake = await fakeModule(suite, module([insight('f')]))
  const { id: moduleId } = await ask('POST', '/modules', { url: fake.url, name: 'Forecast <b>' })
  const device = await newDevice(httpUrl, connector.id, 'pump-2')
  const view = wholeView(businessId)
  const { id: assetId } = await platform.assets.create(view, {
    name: 'Pump',
    device: { connectorId: connector.id, identity: 'pump-2' },
    signals: [
      { name: 'L', primitiveType: 'NUMERIC', source: { alias: 'data_in', channel: '001' } },
    ],
  })
  const [signal] = await platform.assets.signals.ofAssets(view, [assetId])
  const inlets = [{ signalId: signal?.id ?? '' }]
  await platform.pipelines.links.create(view, { assetId, moduleId, functionId: 'f', inlets })
  await fake.stop()
  for (const text of ['{"001":21}', '{"001":']) await device.write(`data_in=${text}`)
  await ask('POST', `/service/${connector.id}/device2/ca`, { use: true })
  const failing = async () => (await ask('GET', '/health')).modules[0]?.failures_in_row
  await until(failing, (count) => count > 0)
  await until(failedValues, (count) => count === 1)
}

describe('health in Setup', { skip }, () => {
  onConsole()
  const suite = suiteContext()

  before(async () => {
    await prepare(suite)
    await goTo(page, '/setup/health')
  })

  it('shows version, state, modules and certificates as the API has them', async () => {
    const { instance: state, certificates } = await ask('GET', '/health')
    await part('Instance').getByText(state.version, { exact: true }).waitFor()
    await part('Instance').getByText('ready', { exact: true }).waitFor()
    await row('Insight modules', 'Forecast <b>').getByText('failing').waitFor()
    const days = Math.floor((certificates[0].until / 1_000 - Date.now()) / 86_400_000)
    await row('Certificates of connectors', 'Built-in authority')
      .getByText(`${days.toLocaleString('en')} d`)
      .waitFor()
    await part('Backup').getByText('npx millrace backup backup.tar').waitFor()
  })

  it('leads to what failed at a stage, and counts anew when it is discarded', async () => {
    await row('What waits and what failed', 'Values of devices')
      .getByRole('link', { name: '1 failed', exact: true })
      .click()
    await page.waitForURL(/\/failures\?stage=values/)
    await page.getByRole('button', { name: 'Discard all', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Discard all', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await failedValues(), 0)
    await goTo(page, '/setup/health')
    const cells = row('What waits and what failed', 'Values of devices').getByRole('cell')
    await cells.nth(2).getByText('0 failed', { exact: true }).waitFor()
  })

  it('is there in German', async () => {
    await page.getByRole('button', { name: instance.account.email, exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await page.keyboard.press('Escape')
    await part('Instanz').getByText('bereit', { exact: true }).waitFor()
  })
})
