import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { createClient, unwrap } from '@millrace/client'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

describe('settings of a solution in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  const api = () => createClient({ url: shown.origin, credential: instance.account })
  const params = { path: { solution: 'pumps' } }
  const variables = async () => {
    const path = '/api:1/solution/{solution}/env'
    const { variables: all } = await unwrap(api().GET(path, { params }))
    return all.map(({ name, is_set: isSet }) => [name, isSet])
  }

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    const { businessId, platform } = instance
    const { solutions, configurations } = platform.scripting
    for (const id of ['pumps', 'readers']) await solutions.create(businessId, { id, name: id })
    const body = { operations: [{ name: 'level', script: 'return 1' }] }
    await configurations.add(businessId, 'pumps', { service: 'interface', body })
    await configurations.add(businessId, 'readers', { service: 'pumps', body: {} })
    page = await shown.tab('/solutions/pumps/settings')
    await shown.signIn(page, instance.account)
  })

  it('sets a variable that nobody sees any more, and removes it', async () => {
    await page.getByText('No variables yet.').waitFor()
    const form = page.getByRole('region', { name: 'Variables' })
    await form.getByLabel('Name').fill('7 up')
    await form.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByText('no digit first').waitFor()
    await form.getByLabel('Name').fill('TOKEN')
    await form.getByRole('textbox', { name: 'Value' }).fill('s3cret')
    await form.getByRole('button', { name: 'Set', exact: true }).click()
    await form.getByRole('row', { name: /TOKEN/ }).getByText('set', { exact: true }).waitFor()
    assert.deepEqual(await variables(), [['TOKEN', true]])
    assert.equal((await page.content()).includes('s3cret'), false)
    await assertAccessible(page, 'solution-settings')
    await form.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No variables yet.').waitFor()
    assert.deepEqual(await variables(), [])
  })

  it('shows what it uses of its limits', async () => {
    const used = page.getByRole('region', { name: 'Used' })
    await used.getByRole('row', { name: /^Services 1 100 1\s?%$/ }).waitFor()
    await used.getByRole('row', { name: /^Keys of the keystore 0 / }).waitFor()
    await unwrap(
      api().PATCH('/api:1/solution/{solution}/env', {
        params,
        body: { values: { USED: 'x' } },
      }),
    )
    await page.reload()
    await used.getByRole('row', { name: /^Variables 1 / }).waitFor()
    const body = { values: { USED: null } }
    await unwrap(api().PATCH('/api:1/solution/{solution}/env', { params, body }))
  })

  it('changes its name and limits, with an error at the field', async () => {
    await page.getByLabel('CPU in milliseconds').fill('much')
    await page.getByText('must be a whole number').waitFor()
    await page.getByLabel('CPU in milliseconds').fill('999999999')
    await page.getByLabel('Description').fill('Watches <b>pumps</b>')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('p[id$=error]').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    await assertAccessible(page, 'solution-limits')
    await page.getByLabel('CPU in milliseconds').fill('700')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Not saved yet.').waitFor({ state: 'hidden' })
    const stored = await unwrap(api().GET('/api:1/solution/{solution}', { params }))
    assert.deepEqual([stored.limits, stored.description], [{ cpu_ms: 700 }, 'Watches <b>pumps</b>'])
  })

  it('changes the quota of a subscriber', async () => {
    await page.getByRole('tab', { name: 'Interface' }).click()
    await page.getByRole('button', { name: 'Change the quota of readers' }).click()
    await page.getByLabel('Calls a day').fill('-1')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('must be a whole number, 0 or more').waitFor()
    await page.getByLabel('Calls a day').fill('1000')
    await assertAccessible(page, 'solution-quota')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: '0 of 1,000' }).waitFor()
    const path = '/api:1/solution/{solution}/subscribers'
    const { items } = await unwrap(api().GET(path, { params }))
    assert.equal(items[0]?.quota.calls_daily, 1_000)
    const refused = shown.errors.splice(0).filter((error) => !/status of 4\d\d/.test(error))
    assert.deepEqual(refused, [])
  })
})
