import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { goTo, signedInConsole, skip } from '../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'
import { askManagement } from '../../fixtures/wire/ask.ts'

describe('limits and use in Setup', { skip }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let page: Page
  before(async () => {
    ;({ instance, page } = await signedInConsole(suite, { path: '/setup' }))
  })

  const ask = (method: string, path: string, body?: object) =>
    askManagement(instance, method, path, body)

  it('shows what is used beside its quota, and what is used up', async () => {
    const { tokens, users } = await ask('GET', '/usage')
    const quotas = { users: users.used, tokens: 100, storage: 10 ** 9 }
    await instance.platform.accounts.quotas.set(instance.businessId, quotas)
    await goTo(page, '/setup/limits')
    await page.getByText(`${users.used} of ${users.used}`, { exact: true }).waitFor()
    await page.getByText('used up').waitFor()
    const now = await ask('GET', '/usage')
    assert.deepEqual(now.users, { used: users.used, most: users.used })
    await page.getByText(`${tokens.used} of 100`, { exact: true }).waitFor()
    await page.getByText('400 days').waitFor()
  })

  it('keeps values of one connector for another time', async () => {
    await page.getByLabel('Days; empty: as above').fill('-1')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('A number above 0, or nothing.').waitFor()
    await page.getByLabel('Days; empty: as above').fill('1.5')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved.').waitFor()
    const path = `/connectors/${instance.connector.id}/retention`
    assert.deepEqual(await ask('GET', path), { hours: 36 })
  })
})
