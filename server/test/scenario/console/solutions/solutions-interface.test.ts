import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

describe('the interface of a solution in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  const level = { name: 'level', script: 'return {level = 1}' }
  const parameters = async (solution: string, service: string) => {
    const { configurations } = instance.platform.scripting
    const all = await configurations.list(instance.businessId, solution)
    return all.find((one) => one.service === service)?.parameters ?? {}
  }

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    const { businessId, platform } = instance
    const { solutions, configurations } = platform.scripting
    for (const id of ['pumps', 'readers']) await solutions.create(businessId, { id, name: id })
    page = await shown.tab('/solutions/pumps/interface')
    await shown.signIn(page, instance.account)
    await page.getByText('The solution offers nothing').waitFor()
    const body = { default_script_key: 'Pump', operations: [level] }
    await configurations.add(businessId, 'pumps', { service: 'interface', body })
    await configurations.add(businessId, 'readers', { service: 'pumps', body: {} })
  })

  it('shows who uses it, and what a change would break', async () => {
    await page.getByRole('cell', { name: 'readers', exact: true }).waitFor()
    const field = page.getByLabel('Definition (JSON)')
    const live = JSON.parse(await field.inputValue())
    assert.equal(live.operations[0].name, 'level')
    await field.fill(JSON.stringify({ ...live, operations: [] }))
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText(/operation level: is gone/).waitFor()
    await page.getByText(/breaks readers/).waitFor()
    await assertAccessible(page, 'solution-interface')
    assert.match(JSON.stringify(await parameters('pumps', 'interface')), /level/)
  })

  it('publishes a definition that was checked', async () => {
    const field = page.getByLabel('Definition (JSON)')
    await page.getByRole('button', { name: 'Undo all changes' }).click()
    const live = JSON.parse(await field.inputValue())
    const more = { name: 'reset', script: 'return 1' }
    await field.fill(JSON.stringify({ ...live, operations: [...live.operations, more] }))
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('Nothing that others rely on').waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    await assertAccessible(page, 'solution-publish')
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Not published yet.').waitFor({ state: 'hidden' })
    assert.match(JSON.stringify(await parameters('pumps', 'interface')), /reset/)
    assert.deepEqual(shown.errors, [])
  })

  it('breaks subscribers alone whom the check has named', async () => {
    const { businessId, platform } = instance
    const { solutions, configurations } = platform.scripting
    const [own] = await configurations.list(businessId, 'readers')
    await configurations.remove(businessId, 'readers', own?.id ?? '')
    const field = page.getByLabel('Definition (JSON)')
    const live = JSON.parse(await field.inputValue())
    await field.fill(JSON.stringify({ ...live, operations: [] }))
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('no subscriber uses it').first().waitFor()
    await solutions.create(businessId, { id: 'latecomer', name: 'latecomer' })
    await configurations.add(businessId, 'latecomer', { service: 'pumps', body: {} })
    await page.getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await dialog.getByText('breaking_change').waitFor()
    assert.match(JSON.stringify(await parameters('pumps', 'interface')), /reset/)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.deepEqual(JSON.parse(await field.inputValue()).operations, [])
  })
})
