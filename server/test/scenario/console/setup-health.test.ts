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
import { until } from '../../fixtures/engine.ts'
import { fakeModule, insight, module } from '../../fixtures/pipelines.ts'
import type { TestPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'
import { newDevice } from '../../fixtures/wire/device.ts'

let instance: TestPlatform
let shown: TestConsole
let page: Page

async function ask(method: string, path: string, body?: object) {
  const headers = { authorization: instance.basic, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${instance.httpUrl}/api:1${path}`, { method, headers, ...sent })
  return JSON.parse(await answer.text())
}

const part = (name: string) => page.getByRole('region', { name, exact: true })
const row = (name: string, text: string) => part(name).getByRole('row').filter({ hasText: text })
const failedValues = async () => (await ask('GET', '/failures/count')).stages.values

/** A module that is down, a CA, and a value that cannot be read. */
async function prepare(suite: ReturnType<typeof suiteContext>): Promise<void> {
  const { platform, businessId, connector, httpUrl } = instance
  const fake = await fakeModule(suite, module([insight('f')]))
  const { id: moduleId } = await ask('POST', '/modules', { url: fake.url, name: 'Forecast <b>' })
  const device = await newDevice(httpUrl, connector.id, 'pump-1')
  const view = wholeView(businessId)
  const { id: assetId } = await platform.assets.create(view, {
    name: 'Pump',
    device: { connectorId: connector.id, identity: 'pump-1' },
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
  await until(async () => {
    const { modules } = await ask('GET', '/health')
    return modules[0]?.failures_in_row > 0 && (await failedValues()) === 1
  })
}

describe('health in Setup', { skip: consoleSkipped }, () => {
  const suite = suiteContext()

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    await prepare(suite)
    page = await shown.tab('/setup/health')
    await shown.signIn(page, instance.account)
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
    await assertAccessible(page, 'setup-health')
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
    await page.goto(`${shown.origin}/setup/health`)
    const cells = row('What waits and what failed', 'Values of devices').getByRole('cell')
    await cells.nth(2).getByText('0 failed', { exact: true }).waitFor()
  })

  it('is there in German', async () => {
    await page.getByRole('button', { name: instance.account.email, exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await page.keyboard.press('Escape')
    await part('Instanz').getByText('bereit', { exact: true }).waitFor()
    await assertAccessible(page, 'setup-health-german')
    assert.deepEqual(shown.errors, [])
  })
})
