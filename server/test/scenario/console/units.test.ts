import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../src/people/groups/index.ts'
import {
  goTo,
  openConsole,
  signedInConsole,
  skip,
  type TestConsole,
} from '../../fixtures/browser/console.ts'
import { until } from '../../fixtures/interface.ts'
import type { TestPlatform } from '../../fixtures/platform.ts'
import { sharedBySuites, suiteContext } from '../../fixtures/suite.ts'
import { askManagement } from '../../fixtures/wire/ask.ts'
import { newDevice, type TestDevice } from '../../fixtures/wire/device.ts'

let instance: TestPlatform
let shown: TestConsole
let page: Page

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, shown, page } = await signedInConsole(suite))
})

/** An asset whose device writes degrees Celsius. */
async function makeKettle({ platform, businessId, connector }: TestPlatform) {
  const view = wholeView(businessId)
  const measured = { dataType: 'TEMPERATURE', dataUnit: 'DEG_CELSIUS' } as const
  const source = { alias: 'temperature' }
  const warmth = { name: 'Warmth', primitiveType: 'NUMERIC', ...measured, source } as const
  const device = { connectorId: connector.id, identity: 'kettle-1' }
  const { id: asset } = await platform.assets.create(view, {
    name: 'Kettle',
    device,
    signals: [warmth],
  })
  const [made] = await platform.assets.signals.ofAssets(view, [asset])
  return { asset, signal: made?.id ?? '' }
}

/** A board with each kind of panel that shows a value. */
async function makeBoard({ platform, businessId }: TestPlatform, one: Kettle): Promise<string> {
  const signals = [one]
  const size = { width: 4, height: 4 }
  const upper = { ...size, row: 0, signals }
  const lower = { ...size, row: 4 }
  const panels = [
    { ...upper, id: 'v', type: 'value' as const, title: 'Value', column: 0 },
    { ...upper, id: 'g', type: 'gauge' as const, title: 'Gauge', column: 4 },
    { ...upper, id: 't', type: 'table' as const, title: 'Table', column: 8 },
    { ...lower, id: 'p', type: 'plot' as const, title: 'Plot', column: 4, signals },
  ]
  const ofAssets = { assets: [one.asset], signal_name: 'Warmth' }
  const table = { ...lower, ...ofAssets, id: 'a', type: 'table' as const, column: 0 }
  const author = { businessId, subject: 'test', view: businessId }
  const made = await platform.dashboards.create(author, {
    name: 'Units',
    panels: [...panels, { ...table, title: 'Assets' }],
  })
  return made.id
}
type Kettle = Awaited<ReturnType<typeof makeKettle>>

describe('values in the units that a person prefers', { skip }, () => {
  onConsole()
  let device: TestDevice
  let kettle: Kettle
  let board = ''

  const prefer = (units: Record<string, string | null>) =>
    askManagement(instance, 'PATCH', '/preferences', { units })
  const panel = (name: string) => page.getByRole('region', { name, exact: true })
  const shows = (name: string, text: string) => panel(name).getByText(text).first().waitFor()

  before(async () => {
    device = await newDevice(instance.httpUrl, instance.connector.id, 'kettle-1')
    kettle = await makeKettle(instance)
    board = await makeBoard(instance, kettle)
    await device.write('temperature=20')
  })

  it('are those of the signal while nothing is preferred', async () => {
    await goTo(page, `/dashboards/${board}`)
    for (const name of ['Value', 'Gauge', 'Table', 'Assets']) await shows(name, '20 °C')
    await shows('Plot', 'Warmth (°C)')
  })

  it('are converted in each panel, with the ends of a gauge, also as they come', async () => {
    await prefer({ TEMPERATURE: 'us' })
    await page.goto(`${shown.origin}/dashboards/${board}`)
    for (const name of ['Value', 'Gauge', 'Table', 'Assets']) await shows(name, '68 °F')
    await shows('Plot', 'Warmth (°F)')
    await shows('Gauge', '212')
    await page.locator('[data-state=live]').waitFor()
    await device.write('temperature=25')
    for (const name of ['Value', 'Gauge', 'Table', 'Assets']) await shows(name, '77 °F')
  })

  it('are converted on the page of the asset, also as they come', async () => {
    await goTo(page, `/assets/${kettle.asset}`)
    await page.getByRole('heading', { level: 1, name: 'Kettle' }).waitFor()
    await page.getByRole('cell', { name: '77 °F' }).waitFor()
    await page
      .getByRole('status')
      .filter({ hasText: /^live$/ })
      .waitFor()
    await device.write('temperature=30')
    await page.getByRole('cell', { name: '86 °F' }).waitFor()
  })

  it('are those of the signal again when nothing is preferred any more', async () => {
    await prefer({ TEMPERATURE: null })
    await page.reload()
    await page.getByRole('cell', { name: '30 °C' }).waitFor()
    const cells = async () => await page.getByRole('cell', { name: '°F' }).count()
    assert.equal(await until(cells, (count) => count === 0), 0)
  })
})

const numeric = { primitiveType: 'NUMERIC' as const }

describe('preferred units in the console', { skip }, () => {
  onConsole()
  const suite = suiteContext()
  let path = ''

  /** Returns the preferences that the API has of the user of the instance. */
  const kept = () => askManagement(instance, 'GET', '/preferences')

  before(async () => {
    const { assets } = instance.platform
    const view = wholeView(instance.businessId)
    const asset = await assets.create(view, { name: 'Kettle' })
    const measured = { dataType: 'TEMPERATURE', dataUnit: 'DEG_CELSIUS', ...numeric }
    await assets.signals.create(view, asset.id, { name: 'Warmth', ...measured })
    path = `/assets/${asset.id}/plot`
    await goTo(page, path)
  })

  it('are those chosen in a plot, in each browser of the person', async () => {
    await page.getByText('Warmth (°C)').waitFor()
    await page.getByLabel('Units').selectOption('us')
    await until(kept, (now) => now.units.TEMPERATURE === 'us')
    await page.getByText('Warmth (°F)').waitFor()
    const other = await openConsole(suite, shown.origin)
    const tab = await other.tab(path)
    await other.signIn(tab, instance.account)
    await tab.getByText('Warmth (°F)').waitFor()
    assert.equal(await tab.getByLabel('Units').inputValue(), 'us')
  })

  it('are listed, added and removed in the account', async () => {
    await goTo(page, '/account')
    const pane = page.getByRole('region', { name: 'Preferred units' })
    assert.equal(await pane.getByLabel('Units of Temperature').inputValue(), 'us')
    await pane.getByLabel('Another type').selectOption('Pressure')
    await pane.getByLabel('Its units').selectOption('metric')
    await pane.getByRole('button', { name: 'Add' }).click()
    await pane.getByLabel('Units of Pressure').waitFor()
    assert.deepEqual(await kept(), { units: { PRESSURE: 'metric', TEMPERATURE: 'us' } })
    await pane.getByLabel('Units of Temperature').selectOption('own')
    await pane.getByLabel('Units of Temperature').waitFor({ state: 'detached' })
    assert.deepEqual(await kept(), { units: { PRESSURE: 'metric' } })
    await goTo(page, path)
    await page.getByText('Warmth (°C)').waitFor()
  })
})
