import { strict as assert } from 'node:assert'
import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../../src/groups/index.ts'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../../fixtures/wire/device.ts'

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

/** The text of the file that the button gives. */
async function downloaded(page: Page): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as CSV' }).click(),
  ])
  return readFile(await file.path(), 'utf8')
}

async function placeAsset(page: Page): Promise<void> {
  await page.getByLabel('Degrees north').fill('52.52')
  await page.getByLabel('Degrees east').fill('13.4')
  await page.getByRole('button', { name: 'Save' }).click()
}

/** They are kept beside the address, too. */
async function keepsUnits(page: Page): Promise<void> {
  await page.goto(page.url().replace(/\?.*/, ''))
  await page.getByText('Warmth (°F)').waitFor()
  assert.equal(await page.getByLabel('Units').inputValue(), 'us')
}

describe('assets in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page
  let device: TestDevice
  let hall: { readonly id: string }

  const view = () => wholeView(instance.businessId)
  const named = async (name: string) => {
    const found = await instance.platform.assets.list(view(), { text: name })
    return found.find((one) => one.name === name)
  }

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    const { httpUrl, connector, platform } = instance
    device = await newDevice(httpUrl, connector.id, 'pump.7')
    await device.write('temperature=20.5')
    hall = await platform.groups.create(view(), { name: 'Hall 1' })
    for (const name of names) await platform.assets.create(view(), { name })
  })

  it('lists assets with names of any kind, by text, group and level in the address', async () => {
    page = await shown.tab('/assets')
    await shown.signIn(page, instance.account)
    for (const name of names) await page.getByRole('link', { name }).waitFor()
    await page.getByText('3 in all').waitFor()
    await assertAccessible(page, 'assets')
    await page.getByLabel('Find by name or description').fill('Kessel')
    await page.waitForURL(/text=Kessel/)
    await page.getByText('1 in all').waitFor()
    await page.getByLabel('Level').selectOption('critical')
    await page.waitForURL(/level=critical/)
    await page.getByText('No asset matches.').waitFor()
    await page.goto(`${shown.origin}/assets?group=${hall.id}`)
    await page.getByText('0 in all').waitFor()
  })

  it('makes an asset of a device, and opens it', async () => {
    await page.getByRole('button', { name: 'New asset' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Pump 7')
    await dialog.getByLabel('Made from').selectOption('device')
    await dialog.getByLabel('Identity of the device').fill('pump.7')
    await dialog.getByText('Make a signal of each channel').click()
    await assertAccessible(page, 'new-asset')
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
    await assertAccessible(page, 'asset')
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
    await assertAccessible(page, 'plot')
    const text = await downloaded(page)
    assert.match(text, /^"time","Warmth \(°F\)","Warmth \(°F\), period before"\r\n/)
    assert.match(text, /,70\.7\d*,\r\n/, '21.5 °C')
    await keepsUnits(page)
  })

  it('places an asset, and shows its events', async () => {
    await page.getByRole('tab', { name: 'Location' }).click()
    await placeAsset(page)
    await page.getByText('52.52° north, 13.4° east').waitFor()
    await assertAccessible(page, 'location')
    assert.deepEqual((await named('Pump 7'))?.location, { latitude: 52.52, longitude: 13.4 })
    await page.getByRole('tab', { name: 'Events and log' }).click()
    await page.getByText('The status of this asset has not changed yet.').waitFor()
    await assertAccessible(page, 'history')
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
    await assertAccessible(page, 'delete-asset')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
    assert.equal(await named('Pump 7'), undefined)
    assert.deepEqual(shown.errors, [])
  })
})
