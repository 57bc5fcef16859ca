import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../../src/groups/index.ts'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../../fixtures/browser/console.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'

const eve = { email: 'eve@example.com', password: 'a long enough phrase' }
const sentence = 'Your role does not show values here'

describe('the console of a person who may not see values', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let shown: TestConsole
  let page: Page
  let asset = ''
  let dashboard = ''

  before(async () => {
    const opened = await testConsole(suite)
    shown = opened.shown
    const { platform, businessId, connector, httpUrl } = opened.instance
    const view = wholeView(businessId)
    const device = await newDevice(httpUrl, connector.id, 'pump.7')
    const source = { alias: 'temperature' }
    const made = await platform.assets.create(view, {
      name: 'Pump 7',
      device: { connectorId: connector.id, identity: 'pump.7' },
      signals: [{ name: 'Heat', primitiveType: 'NUMERIC', source }],
    })
    asset = made.id
    const [signal] = await platform.assets.signals.ofAssets(view, [asset])
    await device.write('temperature=21.5')
    const place = { row: 0, width: 4, height: 3 }
    const signals = [{ asset, signal: signal?.id ?? '' }]
    const author = { businessId, subject: 'platform', view: businessId }
    const found = await platform.dashboards.create(author, {
      name: 'Hall',
      panels: [
        { id: 'a', type: 'value', title: 'Now', column: 0, ...place, signals },
        { id: 'b', type: 'plot', title: 'Today', column: 4, ...place, signals },
        { id: 'c', type: 'table', column: 8, ...place, assets: [asset], signal_name: 'Heat' },
        { id: 'd', type: 'status', column: 0, ...place, row: 3, assets: [asset] },
      ],
    })
    dashboard = found.id
    const { accounts } = platform
    await accounts.createRole(businessId, { name: 'Lister', permissions: ['View Asset'] })
    await accounts.createUser(businessId, { ...eve, role: 'Lister' })
    page = await shown.tab(`/assets/${asset}`)
    await shown.signIn(page, eve)
  })

  const sentences = () => page.getByText(sentence)

  it('shows an asset with its signals, and a sentence in place of values', async () => {
    await page.getByRole('heading', { level: 1, name: 'Pump 7' }).waitFor()
    await sentences().waitFor()
    await page.getByRole('cell', { name: /^Heat/ }).waitFor()
    assert.equal(await page.getByText('21.5').count(), 0)
    assert.equal(await page.getByText('connecting').count(), 0)
    await assertAccessible(page, 'asset-without-values')
    for (const tab of ['Plot', 'Conditions', 'Events and log']) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('tabpanel', { name: tab }).getByText(sentence).waitFor()
    }
    await page.getByRole('tab', { name: 'Location' }).click()
    await page.getByRole('tabpanel', { name: 'Location' }).waitFor()
  })

  it('shows dashboards: statuses and names, and the sentence in panels of values', async () => {
    await page.goto(`${shown.origin}/dashboards/${dashboard}`)
    await page.getByRole('heading', { level: 1, name: 'Hall' }).waitFor()
    await page.getByRole('link', { name: 'Pump 7' }).first().waitFor()
    assert.equal(await sentences().count(), 3, 'value, plot, table')
    await page.getByRole('list', { name: 'Assets by status' }).waitFor()
    assert.equal(await page.getByText('21.5').count(), 0)
    await assertAccessible(page, 'dashboard-without-values')
  })

  it('shows no error, and asks for nothing that is refused', async () => {
    for (const path of ['/', '/assets', '/dashboards', `/assets/${asset}`]) {
      await page.goto(`${shown.origin}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      assert.deepEqual(await page.getByRole('alert').allInnerTexts(), [], path)
    }
    // Only who may change the asset reads its pipeline.
    await page.getByRole('heading', { level: 1, name: 'Pump 7' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Pipeline' }).count(), 0)
    assert.deepEqual(shown.errors, [])
  })
})
