import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { makeLongBoard, panelAssets, renderedRows } from '../../../fixtures/browser/board.ts'
import {
  assertAccessible,
  consoleSkipped,
  signedInConsole,
} from '../../../fixtures/browser/console.ts'
import { until } from '../../../fixtures/interface.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import type { TestDevice } from '../../../fixtures/wire/device.ts'

const rowCount = 1_000
const lastName = `pump-${rowCount - 1}`
/** More than fits into 900 pixels, with the blocks above and below that. */
const renderedMax = 150

const scrolledIntoView = (element: { scrollIntoView(): void }) => element.scrollIntoView()

describe('tables with 1,000 live rows', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let page: Page
  let lastDevice: TestDevice
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  const show = (name: string) => link(name).evaluate(scrolledIntoView)
  const rendered = (name: string, isRendered: boolean) =>
    until(
      () => renderedRows(page),
      (rows) => rows.includes(name) === isRendered,
    )

  before(async () => {
    const signedIn = await signedInConsole(suite)
    ;({ instance, page } = signedIn)
    const board = await makeLongBoard(instance, rowCount)
    lastDevice = board.lastDevice
    await page.goto(`${signedIn.shown.origin}${board.path}`)
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
    await rendered('pump-777', false)
    assert.equal(await page.evaluate(`window.find('pump-777')`), true)
    await rendered('pump-777', true)
    await page.keyboard.press('Control+A')
    const selected = String(await page.evaluate('getSelection().toString()'))
    for (const name of ['pump-0', 'pump-500', lastName]) {
      assert.ok(selected.includes(name), `${name} is not selected`)
    }
  })

  it('have nothing that axe finds', async () => {
    // So few that axe ends in time: it looks at each row, also at those out of sight.
    const board = await makeLongBoard(instance, 101)
    await page.goto(new URL(board.path, page.url()).href)
    await rendered('pump-0', true)
    await rendered('pump-100', false)
    await assertAccessible(page, 'long-tables')
  })
})
