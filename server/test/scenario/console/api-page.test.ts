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

const operation = (page: Page, id: string) => page.locator(`#operations-accounts-${id}`)

/** Finds the operation by the search, and opens it. */
async function open(page: Page, id: string) {
  await page.getByLabel(/^Search/).fill(id)
  const shown = operation(page, id)
  await shown.locator('.opblock-summary-control').press('Enter')
  await shown.getByRole('button', { name: 'Execute' }).waitFor()
  return shown
}

/** Waits for the answer in the operation. */
async function answerOf(shown: ReturnType<typeof operation>, status: number): Promise<string> {
  const answer = shown.locator('.live-responses-table')
  await answer.getByText(String(status), { exact: true }).first().waitFor()
  return answer.innerText()
}

describe('the page of the management API', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  async function groups(): Promise<string> {
    const headers = { authorization: instance.basic }
    return (await fetch(`${instance.httpUrl}/api:1/groups`, { headers })).text()
  }

  /** Signs in to the console, and opens the page by its link. */
  async function openPage(account: { email: string; password: string }): Promise<void> {
    await shown.forget()
    const first = await shown.tab('/explorer')
    await shown.signIn(first, account)
    const opened = first.context().waitForEvent('page')
    await first.getByRole('link', { name: 'Open the REST API' }).click()
    page = await opened
    await page.getByText(`Requests are made as ${account.email} of `).waitFor()
  }

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
  })

  it('sends a request that reads with the session of the console', async () => {
    await openPage(instance.account)
    const token = await page.evaluate("JSON.parse(localStorage['millrace.session']).token")
    await assertAccessible(page, 'api-page')
    const list = await open(page, 'listUsers')
    assert.equal(await operation(page, 'createGroup').count(), 0)
    await list.getByText('Permission: User Management.').waitFor()
    await list.getByRole('button', { name: 'Execute' }).press('Enter')
    const answer = await answerOf(list, 200)
    assert.ok(answer.includes(`"email": "${instance.account.email}"`), answer)
    assert.match(answer, /content-type: application\/json/)
    assert.ok(!(await page.content()).includes(String(token)), 'the token is not shown')
    await assertAccessible(page, 'api-page-answer')
  })

  it('asks before a request that changes something', async () => {
    const make = await open(page, 'createGroup')
    const dialog = page.getByRole('dialog', { name: 'Send this request?' })
    await make.getByRole('button', { name: 'Execute' }).click()
    await dialog.getByText('POST /api:1/groups').waitFor()
    await assertAccessible(page, 'api-page-confirm')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    assert.ok(!(await groups()).includes('Plant 2'), 'it was cancelled')
    await make.getByRole('button', { name: 'Execute' }).click()
    await dialog.getByRole('button', { name: 'Send' }).click()
    await answerOf(make, 201)
    assert.ok((await groups()).includes('Plant 2'))
  })

  it('shows the refusal of what a Viewer may not do', async () => {
    const viewer = { email: 'vera@example.com', password: 'a long enough phrase' }
    await instance.platform.accounts.createUser(instance.businessId, { ...viewer, role: 'Viewer' })
    await openPage(viewer)
    const list = await open(page, 'listUsers')
    await list.getByRole('button', { name: 'Execute' }).click()
    assert.match(await answerOf(list, 403), /"code": "forbidden"/)
  })

  it('takes an API token where nobody is signed in, and keeps it in memory', async () => {
    const answer = await fetch(`${instance.httpUrl}/api:1/api-tokens`, {
      method: 'POST',
      headers: { authorization: instance.basic, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'reporting', role: 'Administrator' }),
    })
    const { token } = (await answer.json()) as { token: string }
    await shown.forget()
    page = await shown.tab('/api:1/docs')
    await page.getByText('Nobody: requests are sent without a credential.').waitFor()
    await page.getByLabel(/^Use an API token/).fill(token)
    await page.getByRole('button', { name: 'Use the token' }).click()
    await page.getByText(/^Requests are made as token:.*with the API token/).waitFor()
    const list = await open(page, 'listUsers')
    await list.getByRole('button', { name: 'Execute' }).click()
    await answerOf(list, 200)
    const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'
    assert.ok(!String(await page.evaluate(kept)).includes(token))
    await page.getByRole('button', { name: 'Forget the token' }).click()
    await page.getByText('Nobody: requests are sent without a credential.').waitFor()
    const others = shown.errors.filter((one) => !/status of 40[13]/.test(one))
    assert.deepEqual(others, [])
  })
})
