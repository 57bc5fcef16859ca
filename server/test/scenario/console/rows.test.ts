import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../src/people/groups/index.ts'
import { makeLongBoard, panelAssets, renderedRows } from '../../fixtures/browser/board.ts'
import { signedInConsole, skip, type TestConsole } from '../../fixtures/browser/console.ts'
import { countRenders, takeRenders } from '../../fixtures/browser/renders.ts'
import { until } from '../../fixtures/interface.ts'
import type { TestPlatform } from '../../fixtures/platform.ts'
import { sharedBySuites } from '../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../fixtures/wire/device.ts'

let instance: TestPlatform
let shown: TestConsole
let page: Page

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, shown, page } = await signedInConsole(suite))
})

const names = Array.from({ length: 15 }, (_, at) => `pump-${at + 10}`)
const devices: TestDevice[] = []

/** An asset with a device each, half of them in a group a panel, the second one out of sight. */
async function makeBoard({ platform, businessId, httpUrl, connector }: TestPlatform) {
  const view = wholeView(businessId)
  const { id: group } = await platform.groups.create(view, { name: 'Hall' })
  const heat = { name: 'Heat', primitiveType: 'NUMERIC', source: { alias: 'temperature' } } as const
  const signals = []
  for (const name of names) {
    devices.push(await newDevice(httpUrl, connector.id, name))
    const device = { connectorId: connector.id, identity: name }
    const asset = { name, groupId: group, device, signals: [heat] }
    const { id } = await platform.assets.create(view, asset)
    const [made] = await platform.assets.signals.ofAssets(view, [id])
    signals.push({ asset: id, signal: made?.id ?? '' })
  }
  const table = { type: 'table', column: 0, width: 12, height: 12 } as const
  const panels = [
    { ...table, id: 'signals', title: 'Signals', row: 0, signals },
    { ...table, id: 'assets', title: 'Assets', row: 80, group, signal_name: 'Heat' },
  ]
  const author = { businessId, subject: 'test', view: businessId }
  return platform.dashboards.create(author, { name: 'Rows', panels })
}

/** The texts of two columns of a panel's rows, in their order. */
async function readRows(page: Page, panel: string, column: number): Promise<string[]> {
  const rows = page.getByRole('region', { name: panel, exact: true }).locator('tbody tr')
  const cells = await rows.evaluateAll((all) =>
    all.map((row) => [...(row as unknown as Row).cells].map((cell) => cell.textContent)),
  )
  return cells.map((row) => `${row[0]} ${row[column]}`)
}
type Row = { readonly cells: Iterable<{ readonly textContent: string }> }

/** The names of the links in the order of a screen reader: the list of nodes has another one. */
async function linksRead(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const linksFrom = (id: string): string[] => {
    const node = byId.get(id)
    if (node === undefined) return []
    const own = node.role?.value === 'link' ? [String(node.name?.value)] : []
    return [...own, ...(node.childIds ?? []).flatMap(linksFrom)]
  }
  return linksFrom(nodes[0]?.nodeId ?? '')
}

describe('live rows of a dashboard', { skip }, () => {
  onConsole()

  before(async () => {
    const { id } = await makeBoard(instance)
    await countRenders(page)
    await page.goto(`${shown.origin}/dashboards/${id}`)
    await page.locator('[data-state=live]').waitFor()
  })

  it('are right after many changes, also those that are out of sight', async () => {
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(devices.map((one, at) => one.write(`temperature=${round * 20 + at}`)))
    }
    const wanted = names.map((name, at) => `${name} ${180 + at}`)
    for (const [panel, column] of [['Signals', 2] as const, ['Assets', 1] as const]) {
      const read = async () => (await readRows(page, panel, column)).sort()
      const shown = await until(read, (rows) => rows.join() === wanted.join())
      assert.deepEqual(shown, wanted)
    }
  })

  it('are read by a screen reader in their order, also those that are out of sight', async () => {
    const order = [...(await readRows(page, 'Signals', 0)), ...(await readRows(page, 'Assets', 0))]
    const read = (await linksRead(page)).filter((one) => names.includes(one))
    assert.deepEqual(
      read,
      order.map((row) => row.split(' ')[0]),
    )
  })

  it('are reached by keys in their order, and come into sight', async () => {
    const order = (await readRows(page, 'Assets', 0)).map((row) => row.split(' ')[0])
    const signals = page.getByRole('region', { name: 'Signals', exact: true })
    await signals.getByRole('link').last().focus()
    await page.keyboard.press('Tab')
    for (const name of order) {
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate('document.activeElement.textContent'), name)
    }
    const top = await page.evaluate('document.activeElement.getBoundingClientRect().top')
    assert.ok(Number(top) > 0 && Number(top) < 900, `it is at ${top}`)
  })

  it('are rendered alone: a value renders its own rows and no other', async () => {
    const [device] = devices
    const read = () => readRows(page, 'Signals', 2)
    await until(read, (rows) => rows.length === names.length)
    await takeRenders(page)
    await device?.write('temperature=77')
    await until(read, (rows) => rows.includes(`${names[0]} 77`))
    assert.deepEqual(await takeRenders(page), [names[0], names[0]], 'the row of each panel')
  })
})

const rowCount = 400
const lastName = `pump-${rowCount - 1}`
/** More than fits into 900 pixels, with the blocks above and below that. */
const renderedMax = 150

const scrolledIntoView = (element: { scrollIntoView(): void }) => element.scrollIntoView()

describe('tables with 400 live rows', { skip }, () => {
  onConsole()
  let lastDevice: TestDevice
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  const show = (name: string) => link(name).evaluate(scrolledIntoView)
  const rendered = (name: string, isRendered: boolean) =>
    until(
      () => renderedRows(page),
      (rows) => rows.includes(name) === isRendered,
    )

  before(async () => {
    const board = await makeLongBoard(instance, rowCount)
    lastDevice = board.lastDevice
    await page.goto(`${shown.origin}${board.path}`)
    await page.locator('[data-state=live]').waitFor()
    await page
      .locator('tbody tr')
      .nth(rowCount - 1)
      .waitFor({ state: 'attached' })
  })

  it('are rendered where they are in sight, and elsewhere not', async () => {
    const first = await rendered('pump-0', true)
    assert.ok(first.length <= renderedMax, `${first.length} rows are rendered`)
    await show(lastName)
    await rendered('pump-0', false)
    const last = await rendered(lastName, true)
    assert.ok(last.length <= renderedMax, `${last.length} rows are rendered`)
    await show('pump-0')
    await rendered('pump-0', true)
  })

  it('have the newest value of a row that was out of sight', async () => {
    await show('pump-0')
    await rendered(lastName, false)
    for (const value of [20, 21, 22]) await lastDevice.write(`temperature=${value}`)
    const row = page.getByRole('row').filter({ hasText: lastName })
    await until(
      () => row.textContent(),
      (text) => text?.includes('22') === true,
    )
    await show(lastName)
    const rows = await rendered(lastName, true)
    assert.ok(rows.includes(lastName))
  })

  it('keep the focus of a row that scrolls out, and keys go on from there', async () => {
    const active = () => page.evaluate('document.activeElement.textContent')
    await show('pump-0')
    await link('pump-2').focus()
    await show(lastName)
    await rendered(lastName, true)
    assert.equal(await active(), 'pump-2')
    await page.keyboard.press('Tab')
    assert.equal(await active(), 'pump-3')
    await rendered('pump-3', true)
  })

  it('give a screen reader the number of rows, and the place of each', async () => {
    await show(lastName)
    await rendered(lastName, true)
    const tables = page.getByRole('table')
    assert.equal(await tables.count(), rowCount / panelAssets)
    assert.equal(await tables.last().getAttribute('aria-rowcount'), `${panelAssets + 1}`)
    const heads = tables.last().getByRole('row').first()
    assert.equal(await heads.getAttribute('aria-rowindex'), '1')
    const last = tables.last().getByRole('row').filter({ hasText: lastName })
    assert.equal(await last.getAttribute('aria-rowindex'), `${panelAssets + 1}`)
    const session = await page.context().newCDPSession(page)
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    const role = (id: string | undefined) => nodes.find((one) => one.nodeId === id)?.role?.value
    const link = nodes.find((one) => one.name?.value === lastName && one.role?.value === 'link')
    const cell = nodes.find((one) => one.nodeId === link?.parentId)
    assert.deepEqual([role(cell?.nodeId), role(cell?.parentId)], ['cell', 'row'])
  })

  it('are found by the search of the browser, and selected', async () => {
    await show('pump-0')
    await rendered('pump-277', false)
    assert.equal(await page.evaluate(`window.find('pump-277')`), true)
    await rendered('pump-277', true)
    await page.keyboard.press('Control+A')
    const selected = String(await page.evaluate('getSelection().toString()'))
    for (const name of ['pump-0', 'pump-200', lastName]) {
      assert.ok(selected.includes(name), `${name} is not selected`)
    }
  })
})
