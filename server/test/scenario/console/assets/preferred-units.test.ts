import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../../src/groups/index.ts'
import {
  assertAccessible,
  consoleSkipped,
  openConsole,
  signedInConsole,
  type TestConsole,
} from '../../../fixtures/browser/console.ts'
import { until } from '../../../fixtures/interface.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const numeric = { primitiveType: 'NUMERIC' as const }
const eve = { email: 'eve@example.com', password: 'a long enough phrase' }

describe('preferred units in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page
  let path = ''

  /** What the API has of the user of the instance. */
  const kept = async (): Promise<{ units: Record<string, string> }> => {
    const headers = { authorization: instance.basic }
    const answer = await fetch(`${instance.httpUrl}/api:1/preferences`, { headers })
    return (await answer.json()) as { units: Record<string, string> }
  }
  const plotOf = async (person: typeof eve) => {
    const other = await openConsole(suite, shown.origin)
    const tab = await other.tab(path)
    await other.signIn(tab, person)
    return tab
  }

  before(async () => {
    ;({ instance, shown, page } = await signedInConsole(suite))
    const { assets, accounts } = instance.platform
    const view = wholeView(instance.businessId)
    const asset = await assets.create(view, { name: 'Kettle' })
    const measured = { dataType: 'TEMPERATURE', dataUnit: 'DEG_CELSIUS', ...numeric }
    await assets.signals.create(view, asset.id, { name: 'Warmth', ...measured })
    await accounts.createUser(instance.businessId, { ...eve, role: 'Viewer' })
    path = `/assets/${asset.id}/plot`
    await page.goto(`${shown.origin}${path}`)
  })

  it('are those chosen in a plot, in each browser of the person and of nobody else', async () => {
    await page.getByText('Warmth (°C)').waitFor()
    await page.getByLabel('Units').selectOption('us')
    await until(kept, ({ units }) => units.TEMPERATURE === 'us')
    await page.getByText('Warmth (°F)').waitFor()
    const mine = await plotOf(instance.account)
    await mine.getByText('Warmth (°F)').waitFor()
    assert.equal(await mine.getByLabel('Units').inputValue(), 'us')
    const others = await plotOf(eve)
    await others.getByText('Warmth (°C)').waitFor()
    assert.equal(await others.getByLabel('Units').inputValue(), 'own')
  })

  it('are listed, added and removed in the account', async () => {
    await page.goto(`${shown.origin}/account`)
    const pane = page.getByRole('region', { name: 'Preferred units' })
    assert.equal(await pane.getByLabel('Units of Temperature').inputValue(), 'us')
    await pane.getByLabel('Another type').selectOption('Pressure')
    await pane.getByLabel('Its units').selectOption('metric')
    await pane.getByRole('button', { name: 'Add' }).click()
    await pane.getByLabel('Units of Pressure').waitFor()
    await assertAccessible(page, 'account-units')
    assert.deepEqual(await kept(), { units: { PRESSURE: 'metric', TEMPERATURE: 'us' } })
    await pane.getByLabel('Units of Temperature').selectOption('own')
    await pane.getByLabel('Units of Temperature').waitFor({ state: 'detached' })
    assert.deepEqual(await kept(), { units: { PRESSURE: 'metric' } })
    await page.goto(`${shown.origin}${path}`)
    await page.getByText('Warmth (°C)').waitFor()
    assert.deepEqual(shown.errors, [])
  })
})
