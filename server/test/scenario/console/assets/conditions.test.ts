import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../../src/groups/index.ts'
import { setStatus } from '../../../fixtures/assets.ts'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

describe('conditions in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  const condition = async (assetId: string) => {
    const { platform, businessId } = instance
    const filters = [{ assetId }]
    const found = await platform.assets.conditions.query(wholeView(businessId), { filters })
    return found.results[0] ?? assert.fail('there is no condition')
  }
  let boiler: { readonly id: string }

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    const { platform, businessId, clock } = instance
    const view = wholeView(businessId)
    boiler = await platform.assets.create(view, { name: '<i>Boiler</i>' })
    const fan = await platform.assets.create(view, { name: 'Fan' })
    const ts = clock.nowUs()
    await platform.database.transaction(async (held) => {
      const hot = { ts, level: 3, type: 'hot', value: 99 } as const
      await setStatus(platform.assets, held, businessId, boiler.id, 'r1', hot)
      await setStatus(platform.assets, held, businessId, fan.id, 'r2', { ts: ts + 1, level: 1 })
    })
  })

  it('shows those of all assets, by level, in the address', async () => {
    page = await shown.tab('/conditions')
    await shown.signIn(page, instance.account)
    await page.getByRole('link', { name: '<i>Boiler</i>' }).waitFor()
    await page.getByText('2 in all').waitFor()
    await page.getByLabel('Level').selectOption('critical')
    await page.getByText('1 in all').waitFor()
    assert.match(page.url(), /level=critical/)
    await assertAccessible(page, 'conditions')
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
    await assertAccessible(page, 'comments')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByRole('button', { name: 'Acknowledge' }).waitFor({ state: 'detached' })
    assert.notEqual((await condition(boiler.id)).acknowledgedAt, null)
    await page.getByRole('link', { name: '<i>Boiler</i>' }).click()
    await page.getByRole('tab', { name: 'Conditions', selected: true }).waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('button', { name: 'Clear' }).waitFor({ state: 'detached' })
    assert.notEqual((await condition(boiler.id)).clearedAt, null)
    assert.deepEqual(shown.errors, [])
  })
})
