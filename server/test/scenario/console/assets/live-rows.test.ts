import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../../src/groups/index.ts'
import { consoleSkipped, signedInConsole } from '../../../fixtures/browser/console.ts'
import { countRenders, takeRenders } from '../../../fixtures/browser/renders.ts'
import { until } from '../../../fixtures/interface.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../../fixtures/wire/device.ts'

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
async function rowsOf(page: Page, panel: string, column: number): Promise<string[]> {
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

describe('live rows of a dashboard', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let page: Page

  before(async () => {
    const signedIn = await signedInConsole(suite)
    page = signedIn.page
    const { id } = await makeBoard(signedIn.instance)
    await countRenders(page)
    await page.goto(`${signedIn.shown.origin}/dashboards/${id}`)
    await page.locator('[data-state=live]').waitFor()
  })

  it('are right after many changes, also those that are out of sight', async () => {
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(devices.map((one, at) => one.write(`temperature=${round * 20 + at}`)))
    }
    const wanted = names.map((name, at) => `${name} ${180 + at}`)
    for (const [panel, column] of [['Signals', 2] as const, ['Assets', 1] as const]) {
      const read = async () => (await rowsOf(page, panel, column)).sort()
      const shown = await until(read, (rows) => rows.join() === wanted.join())
      assert.deepEqual(shown, wanted)
    }
  })

  it('are read by a screen reader in their order, also those that are out of sight', async () => {
    const order = [...(await rowsOf(page, 'Signals', 0)), ...(await rowsOf(page, 'Assets', 0))]
    const read = (await linksRead(page)).filter((one) => names.includes(one))
    assert.deepEqual(
      read,
      order.map((row) => row.split(' ')[0]),
    )
  })

  it('are reached by keys in their order, and come into sight', async () => {
    const order = (await rowsOf(page, 'Assets', 0)).map((row) => row.split(' ')[0])
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
    const read = () => rowsOf(page, 'Signals', 2)
    await until(read, (rows) => rows.length === names.length)
    await takeRenders(page)
    await device?.write('temperature=77')
    await until(read, (rows) => rows.includes(`${names[0]} 77`))
    assert.deepEqual(await takeRenders(page), [names[0], names[0]], 'the row of each panel')
  })
})
