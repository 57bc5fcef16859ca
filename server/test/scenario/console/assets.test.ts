import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../src/people/groups/index.ts'
import { setStatus } from '../../fixtures/assets.ts'
import {
  goTo,
  savedBy,
  signedInConsole,
  skip,
  type TestConsole,
} from '../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../fixtures/platform.ts'
import { sharedBySuites } from '../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../fixtures/wire/device.ts'

let instance: TestPlatform
let shown: TestConsole
let page: Page

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, shown, page } = await signedInConsole(suite, { path: '/assets' }))
})

const view = () => wholeView(instance.businessId)

/** Markup, right to left, and the longest. */
const names = ['<b onmouseover="alert(1)">Kessel</b>', 'مضخة المياه', 'W'.repeat(200)]

async function makeSignal(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New signal' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Heat')
  await dialog.getByLabel('What is measured').fill('TEMPERATURE')
  await dialog.getByLabel('Unit').fill('DEG_CELSIUS')
  await dialog.getByLabel('Resource that feeds it').fill('temperature')
  await dialog.getByRole('button', { name: 'Save' }).click()
}

async function renameSignal(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Change Heat' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('Warmth')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
}

async function placeAsset(page: Page): Promise<void> {
  await page.getByLabel('Degrees north').fill('52.52')
  await page.getByLabel('Degrees east').fill('13.4')
  await page.getByRole('button', { name: 'Save' }).click()
}

describe('assets in the console', { skip }, () => {
  onConsole()
  let device: TestDevice
  let hall: { readonly id: string }

  const named = async (name: string) => {
    const found = await instance.platform.assets.list(view(), { text: name })
    return found.find((one) => one.name === name)
  }

  before(async () => {
    const { httpUrl, connector, platform } = instance
    device = await newDevice(httpUrl, connector.id, 'pump.7')
    await device.write('temperature=20.5')
    hall = await platform.groups.create(view(), { name: 'Hall 1' })
    for (const name of names) await platform.assets.create(view(), { name })
  })

  it('lists assets with names of any kind, by text, group and level in the address', async () => {
    for (const name of names) await page.getByRole('link', { name }).waitFor()
    await page.getByText('3 in all').waitFor()
    await page.getByLabel('Find by name or description').fill('Kessel')
    await page.waitForURL(/text=Kessel/)
    await page.getByText('1 in all').waitFor()
    await page.getByLabel('Level').selectOption('critical')
    await page.waitForURL(/level=critical/)
    await page.getByText('No asset matches.').waitFor()
    await goTo(page, `/assets?group=${hall.id}`)
    await page.getByText('0 in all').waitFor()
  })

  it('makes an asset of a device, and opens it', async () => {
    await page.getByRole('button', { name: 'New asset' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Pump 7')
    await dialog.getByLabel('Made from').selectOption('device')
    await dialog.getByLabel('Identity of the device').fill('pump.7')
    await dialog.getByText('Make a signal of each channel').click()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'Pump 7' }).waitFor()
    const made = await named('Pump 7')
    assert.equal(made?.device?.identity, 'pump.7')
    assert.equal(made?.groupId, hall.id, 'the group that the list showed is chosen')
  })

  it('makes, changes and shows a signal, whose values come by themselves', async () => {
    await makeSignal(page)
    await page
      .getByRole('status')
      .filter({ hasText: /^live$/ })
      .waitFor()
    await device.write('temperature=21.5')
    await page.getByText('21.5 °C').waitFor()
    await renameSignal(page)
    await page.getByRole('link', { name: 'Warmth' }).waitFor()
    const pump = await named('Pump 7')
    const [signal] = await instance.platform.assets.signals.ofAssets(view(), [pump?.id ?? ''])
    assert.equal(signal?.name, 'Warmth')
    assert.deepEqual(signal?.source, { alias: 'temperature' })
  })

  it('draws a signal over a year, in other units, and gives the points as CSV', async () => {
    await page.getByRole('link', { name: 'Warmth' }).click()
    await page.getByRole('figure', { name: 'Plot of Warmth' }).waitFor()
    await page.getByLabel('Period', { exact: true }).selectOption('365d')
    await page.getByLabel('Units').selectOption('us')
    await page.getByText('Compare with the period before').click()
    await page.waitForURL(/period=365d.*units=us|units=us.*period=365d/)
    await page.getByText('Warmth (°F), period before').waitFor()
    const text = await savedBy(page.getByRole('button', { name: 'Download as CSV' }))
    assert.match(text, /^"time","Warmth \(°F\)","Warmth \(°F\), period before"\r\n/)
    assert.match(text, /,70\.7\d*,\r\n/, '21.5 °C')
    // They are kept beside the address, too.
    await page.goto(page.url().replace(/\?.*/, ''))
    await page.getByText('Warmth (°F)').waitFor()
    assert.equal(await page.getByLabel('Units').inputValue(), 'us')
  })

  it('places an asset, and shows its events', async () => {
    await page.getByRole('tab', { name: 'Location' }).click()
    await placeAsset(page)
    await page.getByText('52.52° north, 13.4° east').waitFor()
    assert.deepEqual((await named('Pump 7'))?.location, { latitude: 52.52, longitude: 13.4 })
    await page.getByRole('tab', { name: 'Events and log' }).click()
    await page.getByText('The status of this asset has not changed yet.').waitFor()
  })

  it('moves an asset with the keyboard and by a drag, and deletes it', async () => {
    await page.getByRole('link', { name: 'Assets' }).first().click()
    await page.getByRole('button', { name: 'Actions for Pump 7' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Move to a group' }).press('Enter')
    await page.getByRole('dialog').getByLabel('Group').selectOption({ label: 'Root' })
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.notEqual((await named('Pump 7'))?.groupId, hall.id)
    const row = page.getByRole('row').filter({ hasText: 'Pump 7' })
    await row.dragTo(page.getByRole('link', { name: 'Hall 1' }))
    await row.getByRole('cell', { name: 'Hall 1' }).waitFor()
    assert.equal((await named('Pump 7'))?.groupId, hall.id)
    await page.getByRole('button', { name: 'Actions for Pump 7' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('Its signals: Warmth.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
    assert.equal(await named('Pump 7'), undefined)
  })
})

describe('conditions in the console', { skip }, () => {
  onConsole()

  const condition = async (assetId: string) => {
    const filters = [{ assetId }]
    const found = await instance.platform.assets.conditions.query(view(), { filters })
    return found.results[0] ?? assert.fail('there is no condition')
  }
  let boiler: { readonly id: string }

  before(async () => {
    const { platform, businessId, clock } = instance
    boiler = await platform.assets.create(view(), { name: '<i>Boiler</i>' })
    const fan = await platform.assets.create(view(), { name: 'Fan' })
    const ts = clock.nowUs()
    await platform.database.transaction(async (held) => {
      const hot = { ts, level: 3, type: 'hot', value: 99 } as const
      await setStatus(platform.assets, held, businessId, boiler.id, 'r1', hot)
      await setStatus(platform.assets, held, businessId, fan.id, 'r2', { ts: ts + 1, level: 1 })
    })
  })

  it('shows those of all assets, by level, in the address', async () => {
    await goTo(page, '/conditions')
    await page.getByRole('link', { name: '<i>Boiler</i>' }).waitFor()
    await page.getByText('2 in all').waitFor()
    await page.getByLabel('Level').selectOption('critical')
    await page.getByText('1 in all').waitFor()
    assert.match(page.url(), /level=critical/)
  })

  it('shows the worst first on the overview', async () => {
    const overview = await shown.tab('/')
    const pane = overview.getByRole('region', { name: 'Open conditions' })
    await pane.getByRole('link').nth(1).waitFor()
    assert.deepEqual(await pane.getByRole('link').allTextContents(), ['<i>Boiler</i>', 'Fan'])
    await overview.close()
  })

  it('comments, acknowledges and clears one', async () => {
    await page.getByRole('button', { name: 'Comments' }).click()
    await page.getByLabel('Comment', { exact: false }).last().fill('<b>Valve</b> is stuck')
    await page.getByRole('button', { name: 'Add the comment' }).click()
    await page.getByText('<b>Valve</b> is stuck').last().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByRole('button', { name: 'Acknowledge' }).waitFor({ state: 'detached' })
    assert.notEqual((await condition(boiler.id)).acknowledgedAt, null)
    await page.getByRole('link', { name: '<i>Boiler</i>' }).click()
    await page.getByRole('tab', { name: 'Conditions', selected: true }).waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('button', { name: 'Clear' }).waitFor({ state: 'detached' })
    assert.notEqual((await condition(boiler.id)).clearedAt, null)
  })
})

/** The writing on the map is as large on a telephone as anywhere, and inside the picture. */
const isReadableOnPhone = async () => {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  const number = page.locator('svg text', { hasText: '° N' }).first()
  await number.waitFor()
  const seen = await page.waitForFunction(`(() => {
    const map = [...document.querySelectorAll('svg')].find((one) => one.querySelector('text'))
    return map.viewBox.baseVal.width < 390 && map.getScreenCTM().a
  })()`)
  assert.ok(Math.abs(Number(await seen.jsonValue()) - 1) < 0.02)
  if (before !== null) await page.setViewportSize(before)
}
describe('places of assets in the console', { skip }, () => {
  onConsole()

  it('draws those that lie over one another as one, and zooms to them', async () => {
    const { assets } = instance.platform
    const ids: string[] = []
    for (const latitude of [52.5201, 52.5202, 53.5]) {
      const location = { latitude, longitude: 13.4 }
      ids.push((await assets.create(view(), { name: `Valve ${latitude}`, location })).id)
    }
    await goTo(page, `/assets/${ids[0]}/location`)
    await isReadableOnPhone()
    await page.getByRole('button', { name: /^\d assets close together$/ }).press('Enter')
    await page.getByText('Close together:').waitFor()
    await page.getByRole('button', { name: 'Show all places' }).click()
    await page.getByRole('button', { name: /^\d assets close together$/ }).press('Enter')
    await page.getByRole('paragraph').getByRole('link', { name: 'Valve 52.5202' }).click()
    await page.getByRole('heading', { level: 1, name: 'Valve 52.5202' }).waitFor()
    assert.equal(page.url(), `${shown.origin}/assets/${ids[1]}/location`)
    await page.getByLabel('Degrees north').fill('53.5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('53.5° north, 13.4° east').waitFor()
    const { location } = await assets.get(view(), ids[1] ?? '')
    assert.deepEqual(location, { latitude: 53.5, longitude: 13.4 })
  })
})
