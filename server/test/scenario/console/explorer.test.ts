import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'

describe('the Explorer', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    page = await shown.tab('/')
    await shown.signIn(page, instance.account)
  })

  it('leads to both APIs, and shows the cost of a query', async () => {
    await page.getByRole('link', { name: 'Explorer', exact: true }).click()
    await page.getByRole('heading', { name: 'Graph API (GraphQL)' }).waitFor()
    await assertAccessible(page, 'explorer')
    await page.getByRole('link', { name: 'Open GraphiQL' }).click()
    // The editors come by themselves, one after the other.
    await page.locator('.CodeMirror').nth(3).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: /Execute query/ }).click()
    await page.getByText(/^Cost of the last answer: /).waitFor()
    const asked = await page.evaluate(
      `document.querySelectorAll('.result-window .CodeMirror')[0].CodeMirror.getValue()`,
    )
    assert.match(String(asked), /"assetCount": 0/)
    await page.getByRole('link', { name: 'Back to the console' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await page.goto(`${shown.origin}/explorer`)
    const rest = page.getByRole('link', { name: 'Open the REST API' })
    const path = (await rest.getAttribute('href')) ?? ''
    assert.equal((await fetch(`${shown.origin}${path}`)).status, 200)
    assert.deepEqual(shown.errors, [])
  })
})
