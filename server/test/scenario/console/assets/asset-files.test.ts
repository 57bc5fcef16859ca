import { strict as assert } from 'node:assert'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../../src/groups/index.ts'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

const hostile = '<img src=x onerror="alert(1)">'

let instance: TestPlatform
let shown: TestConsole
let page: Page

const view = () => wholeView(instance.businessId)
const names = async () => {
  const found = await instance.platform.assets.list(view())
  return found.map(({ name }) => name).sort()
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const closed = () => dialog().waitFor({ state: 'detached' })
const choose = async (csv: string) => {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog().getByLabel('CSV file of assets', { exact: true }).click(),
  ])
  const buffer = Buffer.from(csv)
  await chooser.setFiles({ name: 'assets.csv', mimeType: 'text/csv', buffer })
}
/** What the map writes is as large on a telephone as anywhere, and inside the picture. */
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
const saved = async (name: string) => {
  const [file] = await Promise.all([page.waitForEvent('download'), button(name).click()])
  return readFile(await file.path(), 'utf8')
}

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, shown } = await testConsole(suite))
  const { platform } = instance
  const { id: groupId } = await platform.groups.create(view(), { name: 'Hall 1' })
  await platform.groups.create(view(), { name: 'Hall 2' })
  await platform.assets.create(view(), {
    name: 'Pump 1',
    groupId,
    signals: [{ name: 'Heat', primitiveType: 'NUMERIC', source: { alias: 'temperature' } }],
  })
  page = await shown.tab('/assets')
  await shown.signIn(page, instance.account)
})

describe('files of assets in the console', { skip: consoleSkipped }, () => {
  onConsole()

  it('checks a file of assets, writes it, and gives the failed rows back', async () => {
    await button('Import').click()
    await choose(
      `name,latitude,longitude\nPump 2,52.5,13.4\n"${hostile.replaceAll('"', '""')}",-1.5,\n`,
    )
    await button('Check only').click()
    await page.getByText('Nothing was written. It would be: 1 created, 0 changed, 1').waitFor()
    await page.getByText('latitude and longitude are numbers').waitFor()
    assert.deepEqual(await names(), ['Pump 1'])
    await assertAccessible(page, 'import-assets')
    await dialog().getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Written: 1 created, 0 changed, 1 failed.').waitFor()
    assert.deepEqual(await names(), ['Pump 1', 'Pump 2'])
    const failed = await saved('Download the failed rows')
    assert.match(failed, /^name,latitude,longitude,error\r\n"?<img.*,'-1\.5,,.*numbers/)
    await choose(failed.replace("'-1.5,,", '-1.5,7,'))
    await dialog().getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Written: 1 created, 0 changed, 0 failed.').waitFor()
    assert.deepEqual(await names(), [hostile, 'Pump 1', 'Pump 2'])
    await button('Close').click()
  })

  it('exports what the filter shows', async () => {
    await page.goto(`${shown.origin}/assets?text=Pump&level=normal`)
    await page.getByText('2 in all').waitFor()
    const text = await saved('Export as CSV')
    assert.match(text, /^id,name,.*\r\n.*,Pump 1,.*\r\n.*,Pump 2,.*\r\n$/)
  })
})

describe('templates and groups of assets in the console', { skip: consoleSkipped }, () => {
  onConsole()

  it('makes a template of an asset, changes it, and makes assets of it', async () => {
    await button('Actions for Pump 1').click()
    await page.getByRole('menuitem', { name: 'Make a template of it' }).click()
    await dialog().getByLabel('Name', { exact: true }).fill('Pump')
    await assertAccessible(page, 'new-template')
    await button('Create the template').click()
    await page.getByRole('heading', { level: 1, name: 'Pump', exact: true }).waitFor()
    await button('Change the signal Heat').click()
    await dialog().getByLabel('Timeout in seconds').fill('60')
    await button('Take it over').click()
    await closed()
    await assertAccessible(page, 'template')
    await button('Save the template').click()
    await page.getByText('Assets that were made of it stay as they are.').waitFor()
    await button('Make assets of it').click()
    await dialog()
      .getByLabel('Names')
      .fill(`Pump 3\n${'x'.repeat(201)}\nPump 4`)
    await button('Make the assets').click()
    await page.getByText(/^2 were made\. These were not: x/).waitFor()
    await assertAccessible(page, 'make-assets')
    await dialog().getByLabel('Names').fill('Pump 5')
    await button('Make the assets').click()
    await closed()
    const made = await instance.platform.assets.list(view(), { text: 'Pump 5' })
    const [signal] = await instance.platform.assets.signals.ofAssets(view(), [made[0]?.id ?? ''])
    assert.deepEqual([signal?.name, signal?.timeoutMs], ['Heat', 60_000])
  })

  it('lists templates with the number of their assets, and deletes one', async () => {
    await page.getByRole('link', { name: 'Templates' }).click()
    await page.getByRole('link', { name: '3 assets' }).waitFor()
    await assertAccessible(page, 'templates')
    await page.getByRole('link', { name: '3 assets' }).click()
    await page.getByText('3 in all').waitFor()
    await page.getByText('made of Pump').waitFor()
    await page.getByRole('link', { name: 'Templates' }).click()
    await button('Actions for Pump').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('3 assets that were made of it stay as they are').waitFor()
    await button('Delete the template').click()
    await page.getByText('There is no template yet.').waitFor()
    assert.deepEqual(await instance.platform.assets.templates.list(view()), [])
    assert.equal((await names()).length, 6)
  })

  it('makes, renames, moves and deletes groups beside the assets', async () => {
    const open = async (group: string, item: string) => {
      await button(`Actions for ${group}`).press('Enter')
      await page.getByRole('menuitem', { name: item, exact: true }).press('Enter')
    }
    await page.getByRole('link', { name: 'Assets' }).first().click()
    await open('Hall 2', 'Rename')
    await dialog().getByLabel('Name', { exact: true }).fill('Yard')
    await button('Save').click()
    await closed()
    await open('Hall 1', 'Move')
    await dialog().getByLabel('Into').selectOption({ label: 'Yard' })
    await button('Move').click()
    await closed()
    const groups = await instance.platform.groups.list(view())
    const [yard, hall] = ['Yard', 'Hall 1'].map((name) => groups.find((one) => one.name === name))
    assert.equal(hall?.parentId, yard?.id)
    await assertAccessible(page, 'asset-groups')
    await page.getByRole('link', { name: 'Hall 1' }).click()
    await open('Hall 1', 'Delete')
    await page.getByText(/Assets \(1\): Pump 1.*moves to the group above/).waitFor()
    await button('Delete the group').click()
    await page.getByText('6 in all').waitFor()
    const [pump] = await instance.platform.assets.list(view(), { text: 'Pump 1' })
    assert.equal(pump?.groupId, yard?.id)
    assert.deepEqual(shown.errors, [])
  })
})

describe('places of assets in the console', { skip: consoleSkipped }, () => {
  onConsole()

  it('draws those that lie over one another as one, and zooms to them', async () => {
    const { assets } = instance.platform
    const ids: string[] = []
    for (const latitude of [52.5201, 52.5202, 53.5]) {
      const location = { latitude, longitude: 13.4 }
      ids.push((await assets.create(view(), { name: `Valve ${latitude}`, location })).id)
    }
    await page.goto(`${shown.origin}/assets/${ids[0]}/location`)
    await isReadableOnPhone()
    await page.getByRole('button', { name: /^\d assets close together$/ }).press('Enter')
    await page.getByText('Close together:').waitFor()
    await assertAccessible(page, 'location-cluster')
    await button('Show all places').click()
    await page.getByRole('button', { name: /^\d assets close together$/ }).press('Enter')
    await page.getByRole('paragraph').getByRole('link', { name: 'Valve 52.5202' }).click()
    await page.getByRole('heading', { level: 1, name: 'Valve 52.5202' }).waitFor()
    assert.equal(page.url(), `${shown.origin}/assets/${ids[1]}/location`)
    await page.getByLabel('Degrees north').fill('53.5')
    await button('Save').click()
    await page.getByText('53.5° north, 13.4° east').waitFor()
    const { location } = await assets.get(view(), ids[1] ?? '')
    assert.deepEqual(location, { latitude: 53.5, longitude: 13.4 })
  })
})
