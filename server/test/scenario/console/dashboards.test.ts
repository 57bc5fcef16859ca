import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Dashboard } from '../../../src/insight/dashboards/index.ts'
import { wholeView } from '../../../src/people/groups/index.ts'
import {
  goTo,
  savedBy,
  signedInConsole,
  skip,
  type TestConsole,
} from '../../fixtures/browser/console.ts'
import { type TestPlatform, unique } from '../../fixtures/platform.ts'
import { sharedBySuites } from '../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../fixtures/wire/device.ts'

const eve = { email: `${unique('eve')}@example.com`, password: 'a long pass phrase' }
const board = '<b onmouseover="alert(1)">Kessel</b> غلاية'

let instance: TestPlatform
let shown: TestConsole
let page: Page
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

const dialog = () => page.getByRole('dialog')

async function openForm(type: string, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Add panel' }).click()
  await dialog().getByLabel('Type').selectOption(type)
  await dialog().getByLabel('Title').fill(title)
}

async function finish(): Promise<void> {
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await dialog().waitFor({ state: 'detached' })
}

async function chooseSignal(): Promise<void> {
  await dialog().getByRole('combobox', { name: 'Asset', exact: true }).fill('Pump')
  await page.getByRole('option', { name: 'Pump 7' }).click()
  await dialog().getByRole('combobox', { name: 'Signal' }).selectOption({ label: 'Heat' })
  await dialog().getByRole('listitem').getByText('Pump 7 · Heat').waitFor()
}

async function chooseGroup(): Promise<void> {
  const group = dialog().getByRole('combobox', { name: 'Group' })
  await group.getByText('Hall 1').waitFor({ state: 'attached' })
  const label = (await group.locator('option', { hasText: 'Hall 1' }).textContent()) ?? ''
  await group.selectOption({ label })
}

/** A panel of each type, in this order. */
async function addPanels(): Promise<void> {
  await openForm('Value', 'Heat now')
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await dialog().getByText('Choose what the panel shows.').waitFor()
  await chooseSignal()
  await dialog().getByLabel('Warning at').fill('30')
  await finish()
  for (const [type, title] of [
    ['Plot', 'Heat today'],
    ['Gauge', 'Heat meter'],
  ] as const) {
    await openForm(type, title)
    await chooseSignal()
    if (type === 'Gauge') await dialog().getByLabel('To', { exact: true }).fill('60')
    await finish()
  }
  await openForm('Table', 'Hall')
  await chooseGroup()
  await dialog().getByLabel('Name of the signal').fill('Heat')
  await finish()
  for (const [type, title] of [
    ['Map', 'Where'],
    ['Status', 'How'],
  ] as const) {
    await openForm(type, title)
    await chooseGroup()
    await finish()
  }
  await openForm('Text', 'Shift')
  await dialog().getByRole('textbox', { name: 'Text' }).fill('Call 112.\nThen the shift.')
  await finish()
}

const findPanel = (name: string) => page.getByRole('region', { name, exact: true })

/** Dashboards that a test has deleted: whoever shows one asks for it once more. */
const deleted: string[] = []

/** Refused documents and changes, and a deleted dashboard, as the browser logs answers. */
function isExpected(error: string): boolean {
  if (/status of 400 .*\/dashboards$|status of 409 .*\/dashboards\/[^/]+$/.test(error)) return true
  return /status of 404/.test(error) && deleted.some((id) => error.endsWith(`/dashboards/${id}`))
}

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, shown, page } = await signedInConsole(suite, {
    path: '/dashboards',
    expected: { test: (error) => isExpected(error) },
  }))
  await plant()
})

describe('dashboards in the console', { skip }, () => {
  onConsole()

  it('makes one with a panel of each type, moved and resized by keys and pointer', async () => {
    await page.getByText('There is no dashboard yet.').waitFor()
    await page.getByRole('button', { name: 'New dashboard' }).click()
    await dialog().getByLabel('Name').fill(board)
    await dialog().getByRole('button', { name: 'Create' }).click()
    await page.getByText('Add a first panel').waitFor()
    await addPanels()
    await page.getByRole('button', { name: 'Resize Heat now' }).press('ArrowDown')
    await page.getByRole('button', { name: 'Move Shift', exact: true }).press('ArrowRight')
    await page.getByText(/^Column \d+, row \d+, 3 wide, 3 high$/).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Move Heat now', exact: true }).hover()
    const before = await findPanel('Heat now').boundingBox()
    await page.mouse.down()
    await page.mouse.move((before?.x ?? 0) + 500, (before?.y ?? 0) + 20, { steps: 4 })
    await page.mouse.up()
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
    await findPanel('Heat now').getByText('21.5').waitFor()
    await page.locator('[data-state=live]').waitFor()
    await device.write('temperature=33.25')
    await findPanel('Heat now').getByText('33.25').waitFor()
    await findPanel('Heat now').getByText('warning').waitFor()
    await findPanel('Heat meter').getByRole('img', { name: 'Heat meter: 33.25 °C' }).waitFor()
    await findPanel('Hall').getByRole('row').filter({ hasText: '33.25 °C' }).waitFor()
    await findPanel('Heat today').getByRole('figure').waitFor()
    await findPanel('Where').getByRole('link', { name: 'Pump 7' }).waitFor()
    await findPanel('How').getByText('All are normal.').waitFor()
    await page.getByLabel('Period').selectOption('7d')
    await page.waitForURL(/period=7d/)
  })

  it('stands alone on a wall, at an address of its own', async () => {
    await goTo(page, `/dashboards/${(await stored(board)).id}?wall=1`)
    await findPanel('Heat now').getByText('33.25').waitFor()
    assert.equal(await page.getByRole('navigation').count(), 0)
    assert.equal(await page.getByRole('banner').count(), 0)
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
    await goTo(page, `/dashboards/${made.id}`)
    await findPanel('Old').getByText('What this panel shows was deleted').waitFor()
    await findPanel('Map').getByText('There is no asset that you may see.').waitFor()
    deleted.push(made.id)
    await dashboards.remove(instance.businessId, made.id)
  })
})

describe('a dashboard in several hands', { skip }, () => {
  onConsole()
  let id: string

  before(async () => {
    const at = { column: 0, row: 0, width: 4, height: 2 }
    const author = { businessId: instance.businessId, subject: 'x', view: instance.businessId }
    const panels = [
      { id: 'note', type: 'text' as const, title: 'Note', text: 'Shift A', ...at },
      { id: 'how', type: 'status' as const, title: 'How', assets: [pump.id], ...at, column: 4 },
    ]
    ;({ id } = await instance.platform.dashboards.create(author, { name: 'Farm', panels }))
    await goTo(page, `/dashboards/${id}?edit=true`)
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
    const theirs = dialog().getByRole('region', { name: 'What they changed' })
    await theirs.getByText('name, description or period').waitFor()
    const mine = dialog().getByRole('region', { name: 'What you changed' })
    await mine.getByText('Note: removed').waitFor()
    await dialog().getByRole('button', { name: 'Take theirs' }).click()
    await page.getByRole('button', { name: 'Remove Note' }).waitFor()
    await page.getByRole('button', { name: 'Remove Note' }).click()
    await saveElsewhere('Theirs again')
    await page.getByRole('button', { name: 'Save' }).click()
    await dialog().getByRole('button', { name: 'Save mine' }).click()
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
    await dialog().getByText('Leave without saving?').waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await findPanel('How').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  })

  it('is exported and imported as the same', async () => {
    await page.getByRole('button', { name: 'Actions for Theirs' }).click()
    const text = await savedBy(page.getByRole('menuitem', { name: 'Export as JSON' }))
    assert.deepEqual(JSON.parse(text), (await stored('Theirs')).document)
    await goTo(page, '/dashboards')
    await page.getByRole('button', { name: 'Import' }).click()
    const field = dialog().getByRole('textbox', { name: 'Document' })
    await field.fill(text.replace('"width": 4', '"width": 13'))
    await dialog().getByRole('button', { name: 'Import' }).click()
    await dialog().getByText('/panels/0/width').waitFor()
    await dialog()
      .getByText(/^line \d+$/)
      .waitFor()
    await field.fill(text.replace('"Theirs"', '"Copy"'))
    await dialog().getByRole('button', { name: 'Import' }).click()
    await page.getByRole('heading', { level: 1, name: 'Copy' }).waitFor()
    const { document } = await stored('Copy')
    assert.deepEqual({ ...document, name: 'Theirs' }, (await stored('Theirs')).document)
  })

  it('is listed, and deleted', async () => {
    await goTo(page, '/dashboards')
    await page.getByRole('link', { name: 'Copy' }).waitFor()
    deleted.push((await stored('Copy')).id)
    await page.getByRole('button', { name: 'Actions for Copy' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: 'Copy' }).waitFor({ state: 'detached' })
    const left = await instance.platform.dashboards.list(instance.businessId)
    assert.deepEqual(left.map(({ name }) => name).sort(), [board, 'Theirs'])
  })

  it('offers a Viewer no change', async () => {
    page = await shown.signInAs(eve, `/dashboards/${id}?edit=true`)
    await findPanel('How').waitFor()
    await page.getByRole('button', { name: 'Full screen' }).waitFor()
    for (const name of ['Edit', 'Save', 'Remove How']) {
      assert.equal(await page.getByRole('button', { name }).count(), 0, name)
    }
    await page.getByRole('link', { name: 'Dashboards' }).first().click()
    await page.getByRole('link', { name: 'Theirs' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'New dashboard' }).count(), 0)
    assert.deepEqual(
      shown.errors.filter((one) => !isExpected(one)),
      [],
    )
  })
})

const lister = { ...eve, email: `${unique('lister')}@example.com` }
const sentence = 'Your role does not show values here'

describe('the console of a person who may not see values', { skip }, () => {
  onConsole()
  let dashboard = ''

  before(async () => {
    const { accounts, dashboards } = instance.platform
    await device.write('temperature=21.5')
    const place = { row: 0, width: 4, height: 3 }
    const { id: asset } = pump
    const signals = [{ asset, signal: signal.id }]
    const author = {
      businessId: instance.businessId,
      subject: 'platform',
      view: instance.businessId,
    }
    const found = await dashboards.create(author, {
      name: 'Hall',
      panels: [
        { id: 'a', type: 'value', title: 'Now', column: 0, ...place, signals },
        { id: 'b', type: 'plot', title: 'Today', column: 4, ...place, signals },
        { id: 'c', type: 'table', column: 8, ...place, assets: [asset], signal_name: 'Heat' },
        { id: 'd', type: 'status', column: 0, ...place, row: 3, assets: [asset] },
      ],
    })
    dashboard = found.id
    await accounts.createRole(instance.businessId, { name: 'Lister', permissions: ['View Asset'] })
    await accounts.createUser(instance.businessId, { ...lister, role: 'Lister' })
    page = await shown.signInAs(lister, `/assets/${asset}`)
  })

  const sentences = () => page.getByText(sentence)

  it('shows an asset with its signals, and a sentence in place of values', async () => {
    await page.getByRole('heading', { level: 1, name: 'Pump 7' }).waitFor()
    await sentences().waitFor()
    await page.getByRole('cell', { name: /^Heat/ }).waitFor()
    assert.equal(await page.getByText('21.5').count(), 0)
    assert.equal(await page.getByText('connecting').count(), 0)
    for (const tab of ['Plot', 'Conditions', 'Events and log']) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('tabpanel', { name: tab }).getByText(sentence).waitFor()
    }
    await page.getByRole('tab', { name: 'Location' }).click()
    await page.getByRole('tabpanel', { name: 'Location' }).waitFor()
  })

  it('shows dashboards: statuses and names, and the sentence in panels of values', async () => {
    await goTo(page, `/dashboards/${dashboard}`)
    await page.getByRole('heading', { level: 1, name: 'Hall' }).waitFor()
    await page.getByRole('link', { name: 'Pump 7' }).first().waitFor()
    assert.equal(await sentences().count(), 3, 'value, plot, table')
    await page.getByRole('list', { name: 'Assets by status' }).waitFor()
    assert.equal(await page.getByText('21.5').count(), 0)
  })

  it('shows no error, and asks for nothing that is refused', async () => {
    for (const path of ['/', '/assets', '/dashboards', `/assets/${pump.id}`]) {
      await page.goto(`${shown.origin}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      assert.deepEqual(await page.getByRole('alert').allInnerTexts(), [], path)
    }
    // Only who may change the asset reads its pipeline.
    await page.getByRole('heading', { level: 1, name: 'Pump 7' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Pipeline' }).count(), 0)
  })
})
