import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { skip, type TestConsole, testConsole } from '../../fixtures/browser/console.ts'
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
async function readAnswer(shown: ReturnType<typeof operation>, status: number): Promise<string> {
  const answer = shown.locator('.live-responses-table')
  await answer.getByText(String(status), { exact: true }).first().waitFor()
  return answer.innerText()
}

describe('the page of the management API', { skip }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  async function groups(): Promise<string> {
    const headers = { authorization: instance.basic }
    return (await fetch(`${instance.httpUrl}/api:1/groups`, { headers })).text()
  }

  before(async () => {
    ;({ instance, shown } = await testConsole(suite, { expected: /status of 40[13]/ }))
  })

  it('sends a request that reads with the session of the console', async () => {
    const { account } = instance
    const first = await shown.signInAs(account, '/explorer')
    const opened = first.context().waitForEvent('page')
    await first.getByRole('link', { name: 'Open the REST API' }).click()
    page = await opened
    await page.getByText(`Requests are made as ${account.email} of `).waitFor()
    // The viewer draws what is in view: the operations of the first tag, whatever comes behind it.
    await page.getByText('Set the quotas of one business').waitFor()
    await page.locator('#operations-instance-setQuotas button').first().click()
    await page.getByText('wrong_content_type').first().waitFor()
    assert.equal(await page.evaluate("document.querySelector('nav a').href"), `${shown.origin}/`)
    const asked = `performance.getEntriesByType('resource').map(({ name }) => name)`
    const names = (await page.evaluate(asked)) as string[]
    assert.ok(names.includes(`${shown.origin}/api:1/openapi.json`), String(names))
    const token = await page.evaluate("JSON.parse(localStorage['millrace.session']).token")
    const list = await open(page, 'listUsers')
    assert.equal(await operation(page, 'createGroup').count(), 0)
    await list.getByText('Permission: User Management.').waitFor()
    await list.getByRole('button', { name: 'Execute' }).press('Enter')
    const answer = await readAnswer(list, 200)
    assert.ok(answer.includes(`"email": "${account.email}"`), answer)
    assert.match(answer, /content-type: application\/json/)
    assert.ok(!(await page.content()).includes(String(token)), 'the token is not shown')
  })

  it('asks before a request that changes something', async () => {
    const make = await open(page, 'createGroup')
    const dialog = page.getByRole('dialog', { name: 'Send this request?' })
    await make.getByRole('button', { name: 'Execute' }).click()
    await dialog.getByText('POST /api:1/groups').waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    assert.ok(!(await groups()).includes('Plant 2'), 'it was cancelled')
    await make.getByRole('button', { name: 'Execute' }).click()
    await dialog.getByRole('button', { name: 'Send' }).click()
    await readAnswer(make, 201)
    assert.ok((await groups()).includes('Plant 2'))
  })

  it('takes an API token where nobody is signed in, and keeps it in memory', async () => {
    await shown.forget()
    page = await shown.tab('/api:1/docs')
    await page.getByText('Nobody: requests are sent without a credential.').waitFor()
    const use = async (token: string) => {
      await page.getByLabel(/^Use an API token/).fill(token)
      await page.getByRole('button', { name: 'Use the token' }).click()
      await page.getByText(/^Requests are made as token:.*with the API token/).waitFor()
    }
    const { accounts } = instance.platform
    const makeToken = async (role: string) =>
      (await accounts.createToken(instance.businessId, { name: role, role })).token
    const token = await makeToken('Administrator')
    await use(token)
    const list = await open(page, 'listUsers')
    await list.getByRole('button', { name: 'Execute' }).click()
    await readAnswer(list, 200)
    const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'
    assert.ok(!String(await page.evaluate(kept)).includes(token))
    await page.getByRole('button', { name: 'Forget the token' }).click()
    await page.getByText('Nobody: requests are sent without a credential.').waitFor()
    await use(await makeToken('Viewer'))
    await list.getByRole('button', { name: 'Execute' }).click()
    assert.match(await readAnswer(list, 403), /"code": "forbidden"/)
  })
})
