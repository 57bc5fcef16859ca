import { strict as assert } from 'node:assert'
import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Dashboard } from '../../../../src/dashboards/index.ts'
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

const eve = { email: 'eve@example.com', password: 'a long pass phrase' }
const board = '<b onmouseover="alert(1)">Kessel</b> غلاية'

let instance: TestPlatform
let shown: TestConsole
let device: TestDevice
let pump: { readonly id: string }
let signal: { readonly id: string }

const view = () => wholeView(instance.businessId)

/** A tank farm of three assets, of which one has a device and all but one have a place. */
async function plant(): Promise<void> {
  const { httpUrl, connector, platform, businessId } = instance
  device = await newDevice(httpUrl, connector.id, 'pump.7')
  await device.write('temperature=20.5')
  await platform.accounts.createUser(businessId, { ...eve, role: 'Viewer' })
  const hall = await platform.groups.create(view(), { name: 'Hall 1' })
  const source = { alias: 'temperature' }
  const heat = { name: 'Heat', primitiveType: 'NUMERIC', dataUnit: 'DEG_CELSIUS', source } as const
  const from = { connectorId: connector.id, identity: 'pump.7' }
  pump = await platform.assets.create(view(), {
    name: 'Pump 7',
    groupId: hall.id,
    device: from,
    signals: [heat],
    location: { latitude: 52.5, longitude: 13.4 },
  })
  await platform.assets.create(view(), {
    name: 'W'.repeat(200),
    groupId: hall.id,
    location: { latitude: 52.6, longitude: 13.2 },
  })
  const [made] = await platform.assets.signals.ofAssets(view(), [pump.id])
  if (made !== undefined) signal = made
  await device.write('temperature=21.5')
}

/** The dashboard as it is stored. */
async function stored(name: string): Promise<Dashboard> {
  const { dashboards } = instance.platform
  const found = (await dashboards.list(instance.businessId)).filter((one) => one.name === name)
  assert.ok(found[0] !== undefined, name)
  return dashboards.get(instance.businessId, found[0].id)
}

const dialog = (page: Page) => page.getByRole('dialog')

async function openForm(page: Page, type: string, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Add panel' }).click()
  await dialog(page).getByLabel('Type').selectOption(type)
  await dialog(page).getByLabel('Title').fill(title)
}

async function finish(page: Page): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Add', exact: true }).click()
  await dialog(page).waitFor({ state: 'detached' })
}

async function chooseSignal(page: Page): Promise<void> {
  await dialog(page).getByRole('combobox', { name: 'Asset', exact: true }).fill('Pump')
  await page.getByRole('option', { name: 'Pump 7' }).click()
  await dialog(page).getByRole('combobox', { name: 'Signal' }).selectOption({ label: 'Heat' })
  await dialog(page).getByRole('listitem').getByText('Pump 7 · Heat').waitFor()
}

async function chooseGroup(page: Page): Promise<void> {
  const group = dialog(page).getByRole('combobox', { name: 'Group' })
  await group.getByText('Hall 1').waitFor({ state: 'attached' })
  const label = (await group.locator('option', { hasText: 'Hall 1' }).textContent()) ?? ''
  await group.selectOption({ label })
}

/** A panel of each type, in this order. */
async function addPanels(page: Page): Promise<void> {
  await openForm(page, 'Value', 'Heat now')
  await dialog(page).getByRole('button', { name: 'Add', exact: true }).click()
  await dialog(page).getByText('Choose what the panel shows.').waitFor()
  await chooseSignal(page)
  await dialog(page).getByLabel('Warning at').fill('30')
  await assertAccessible(page, 'dashboard-panel-form')
  await finish(page)
  for (const [type, title] of [
    ['Plot', 'Heat today'],
    ['Gauge', 'Heat meter'],
  ] as const) {
    await openForm(page, type, title)
    await chooseSignal(page)
    if (type === 'Gauge') await dialog(page).getByLabel('To', { exact: true }).fill('60')
    await finish(page)
  }
  await openForm(page, 'Table', 'Hall')
  await chooseGroup(page)
  await dialog(page).getByLabel('Name of the signal').fill('Heat')
  await finish(page)
  for (const [type, title] of [
    ['Map', 'Where'],
    ['Status', 'How'],
  ] as const) {
    await openForm(page, type, title)
    await chooseGroup(page)
    await finish(page)
  }
  await openForm(page, 'Text', 'Shift')
  await dialog(page).getByRole('textbox', { name: 'Text' }).fill('Call 112.\nThen the shift.')
  await finish(page)
}

const panelOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

describe('dashboards in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let page: Page

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    await plant()
  })

  it('makes one with a panel of each type, moved and resized by keys and pointer', async () => {
    page = await shown.tab('/dashboards')
    await shown.signIn(page, instance.account)
    await page.getByText('There is no dashboard yet.').waitFor()
    await page.getByRole('button', { name: 'New dashboard' }).click()
    await dialog(page).getByLabel('Name').fill(board)
    await dialog(page).getByRole('button', { name: 'Create' }).click()
    await page.getByText('Add a first panel').waitFor()
    await addPanels(page)
    await page.getByRole('button', { name: 'Resize Heat now' }).press('ArrowDown')
    await page.getByRole('button', { name: 'Move Shift', exact: true }).press('ArrowRight')
    await page.getByText(/^Column \d+, row \d+, 3 wide, 3 high$/).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Move Heat now', exact: true }).hover()
    const before = await panelOf(page, 'Heat now').boundingBox()
    await page.mouse.down()
    await page.mouse.move((before?.x ?? 0) + 500, (before?.y ?? 0) + 20, { steps: 4 })
    await page.mouse.up()
    await assertAccessible(page, 'dashboard-edit')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    const { document } = await stored(board)
    const types = ['value', 'plot', 'gauge', 'table', 'map', 'status', 'text']
    assert.deepEqual(
      document.panels.map(({ type }) => type),
      types,
    )
    const [value] = document.panels
    assert.deepEqual([value?.height, value?.warning], [4, 30])
    assert.ok((value?.column ?? 0) > 2, 'it was dragged to the right')
    assert.deepEqual(value?.signals, [{ asset: pump.id, signal: signal.id }])
  })

  it('shows values as a device writes them, and the state of a group', async () => {
    await panelOf(page, 'Heat now').getByText('21.5').waitFor()
    await page.locator('[data-state=live]').waitFor()
    await device.write('temperature=33.25')
    await panelOf(page, 'Heat now').getByText('33.25').waitFor()
    await panelOf(page, 'Heat now').getByText('warning').waitFor()
    await panelOf(page, 'Heat meter').getByRole('img', { name: 'Heat meter: 33.25 °C' }).waitFor()
    await panelOf(page, 'Hall').getByRole('row').filter({ hasText: '33.25 °C' }).waitFor()
    await panelOf(page, 'Heat today').getByRole('figure').waitFor()
    await panelOf(page, 'Where').getByRole('link', { name: 'Pump 7' }).waitFor()
    await panelOf(page, 'How').getByText('All are normal.').waitFor()
    await assertAccessible(page, 'dashboard')
    await page.getByLabel('Period').selectOption('7d')
    await page.waitForURL(/period=7d/)
  })

  it('stands alone on a wall, at an address of its own', async () => {
    await page.goto(`${shown.origin}/dashboards/${(await stored(board)).id}?wall=1`)
    await panelOf(page, 'Heat now').getByText('33.25').waitFor()
    assert.equal(await page.getByRole('navigation').count(), 0)
    assert.equal(await page.getByRole('banner').count(), 0)
    await assertAccessible(page, 'dashboard-wall')
    await page.getByRole('button', { name: 'Leave full screen' }).focus()
    await page.getByRole('button', { name: 'Leave full screen' }).press('Enter')
    await page.getByRole('button', { name: 'Full screen' }).waitFor()
    await page.getByRole('button', { name: 'Full screen' }).click()
    await page.waitForURL(/wall=1/)
    await page.getByRole('button', { name: 'Leave full screen' }).press('Enter')
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  })

  it('says in its panel that an asset is gone', async () => {
    const { dashboards } = instance.platform
    const at = { column: 0, row: 0, width: 6, height: 3 }
    const made = await dashboards.create(
      { businessId: instance.businessId, subject: 'platform', view: instance.businessId },
      {
        name: 'Ghosts',
        panels: [
          { id: 'a', type: 'value', title: 'Old', ...at, signals: [{ asset: 'x', signal: 'y' }] },
          { id: 'b', type: 'map', ...at, column: 6, group: 'nowhere' },
        ],
      },
    )
    await page.goto(`${shown.origin}/dashboards/${made.id}`)
    await panelOf(page, 'Old').getByText('What this panel shows was deleted').waitFor()
    await panelOf(page, 'Map').getByText('There is no asset that you may see.').waitFor()
    await dashboards.remove(instance.businessId, made.id)
  })
})

describe('a dashboard in several hands', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let page: Page
  let id: string

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    await plant()
    const at = { column: 0, row: 0, width: 4, height: 2 }
    const author = { businessId: instance.businessId, subject: 'x', view: instance.businessId }
    const panels = [
      { id: 'note', type: 'text' as const, title: 'Note', text: 'Shift A', ...at },
      { id: 'how', type: 'status' as const, title: 'How', assets: [pump.id], ...at, column: 4 },
    ]
    ;({ id } = await instance.platform.dashboards.create(author, { name: 'Farm', panels }))
    page = await shown.tab(`/dashboards/${id}?edit=true`)
    await shown.signIn(page, instance.account)
  })

  /** Another person saves. */
  async function saveElsewhere(name: string): Promise<void> {
    const { businessId, platform } = instance
    const { version, document } = await platform.dashboards.get(businessId, id)
    const author = { businessId, subject: 'user:other', view: businessId }
    await platform.dashboards.replace(author, id, version, { ...document, name })
  }

  it('lets the second of two persons choose', async () => {
    await page.getByRole('button', { name: 'Remove Note' }).click()
    await saveElsewhere('Theirs')
    await page.getByRole('button', { name: 'Save' }).click()
    const theirs = dialog(page).getByRole('region', { name: 'What they changed' })
    await theirs.getByText('name, description or period').waitFor()
    const mine = dialog(page).getByRole('region', { name: 'What you changed' })
    await mine.getByText('Note: removed').waitFor()
    await assertAccessible(page, 'dashboard-conflict')
    await dialog(page).getByRole('button', { name: 'Take theirs' }).click()
    await page.getByRole('button', { name: 'Remove Note' }).waitFor()
    await page.getByRole('button', { name: 'Remove Note' }).click()
    await saveElsewhere('Theirs again')
    await page.getByRole('button', { name: 'Save' }).click()
    await dialog(page).getByRole('button', { name: 'Save mine' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    const { document } = await stored('Theirs')
    assert.deepEqual(
      document.panels.map(({ id: one }) => one),
      ['how'],
    )
  })

  it('asks before changes are left, and discards them on demand', async () => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Remove How' }).click()
    await page.getByRole('link', { name: 'Assets' }).first().click()
    await dialog(page).getByText('Leave without saving?').waitFor()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await panelOf(page, 'How').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  })

  it('is exported and imported as the same', async () => {
    await page.getByRole('button', { name: 'Actions for Theirs' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as JSON' }).click(),
    ])
    const text = await readFile(await file.path(), 'utf8')
    assert.deepEqual(JSON.parse(text), (await stored('Theirs')).document)
    await page.goto(`${shown.origin}/dashboards`)
    await page.getByRole('button', { name: 'Import' }).click()
    const field = dialog(page).getByRole('textbox', { name: 'Document' })
    await field.fill(text.replace('"width": 4', '"width": 13'))
    await dialog(page).getByRole('button', { name: 'Import' }).click()
    await dialog(page).getByText('/panels/0/width').waitFor()
    await dialog(page)
      .getByText(/^line \d+$/)
      .waitFor()
    await assertAccessible(page, 'dashboard-import')
    await field.fill(text.replace('"Theirs"', '"Copy"'))
    await dialog(page).getByRole('button', { name: 'Import' }).click()
    await page.getByRole('heading', { level: 1, name: 'Copy' }).waitFor()
    const { document } = await stored('Copy')
    assert.deepEqual({ ...document, name: 'Theirs' }, (await stored('Theirs')).document)
  })

  it('is listed, and deleted', async () => {
    await page.goto(`${shown.origin}/dashboards`)
    await page.getByRole('link', { name: 'Copy' }).waitFor()
    await assertAccessible(page, 'dashboards')
    await page.getByRole('button', { name: 'Actions for Copy' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: 'Copy' }).waitFor({ state: 'detached' })
    const left = await instance.platform.dashboards.list(instance.businessId)
    assert.deepEqual(
      left.map(({ name }) => name),
      ['Theirs'],
    )
  })

  it('offers a Viewer no change', async () => {
    await shown.forget()
    page = await shown.tab(`/dashboards/${id}?edit=true`)
    await shown.signIn(page, eve)
    await panelOf(page, 'How').waitFor()
    await page.getByRole('button', { name: 'Full screen' }).waitFor()
    for (const name of ['Edit', 'Save', 'Remove How']) {
      assert.equal(await page.getByRole('button', { name }).count(), 0, name)
    }
    await page.getByRole('link', { name: 'Dashboards' }).first().click()
    await page.getByRole('link', { name: 'Theirs' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'New dashboard' }).count(), 0)
    const unexpected = shown.errors.filter((one) => !/status of (400|409)/.test(one))
    assert.deepEqual(unexpected, [])
  })
})
