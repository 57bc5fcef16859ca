import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { wholeView } from '../../src/people/groups/index.ts'
import { openConsole, skip, testConsole } from '../fixtures/browser/console.ts'
import type { TestPlatform } from '../fixtures/platform.ts'
import { suiteContext } from '../fixtures/suite.ts'

describe('GraphiQL at GET /api/graphql', () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let address: string
  let origin: string
  before(async () => {
    ;({ instance } = await testConsole(suite))
    address = `${instance.httpUrl}/api/graphql`
    ;({ origin } = new URL(address))
    await instance.platform.assets.create(wholeView(instance.businessId), { name: 'Pump 7' })
  })

  it('is served to browsers without a credential, and to them alone', async () => {
    const page = await fetch(address, { headers: { accept: 'text/html,application/xhtml+xml' } })
    assert.equal(page.status, 200)
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'; script-src 'self';/)
    const text = await page.text()
    const files = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = '']) => path)
    assert(files.length >= 4, text)
    for (const file of files) {
      assert.match(file, /^\/assets\//)
      assert.equal((await fetch(`${instance.httpUrl}${file}`)).status, 200)
    }
    const other = await fetch(`${address}?query={assetCount}`, {
      headers: { accept: 'application/json', authorization: instance.basic },
    })
    assert.deepEqual(((await other.json()) as { data: unknown }).data, { assetCount: 1 })
    assert.equal((await fetch(address)).status, 401)
  })

  /** The editors come by themselves: of the query, its variables and headers, and the answer. */
  const editors = (page: Page) => page.locator('.CodeMirror').nth(3).waitFor({ state: 'attached' })
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
  const shows = (page: Page, text: string) => page.getByText(text).first().waitFor()
  const execute = (page: Page) => press(page, /^Execute query/)

  /** The editor of the headers is the last of three; that of the answer is behind it. */
  const setHeaders = (page: Page, authorization: string) =>
    page.evaluate(`document.querySelectorAll('.graphiql-editor .CodeMirror')[2].CodeMirror
      .setValue(${JSON.stringify(JSON.stringify({ Authorization: authorization }))})`)

  it('runs a query with an API token, and asks no other address', { skip }, async (t) => {
    const shown = await openConsole(t, origin, { expected: /status of 401/ })
    const page = await shown.tab('/api/graphql')
    await editors(page)
    await press(page, 'Headers')
    // Without a credential it shows the refusal.
    await execute(page)
    await shows(page, 'unknown_credential')
    await setHeaders(page, `Automation ${instance.token}`)
    await execute(page)
    await shows(page, '"Pump 7"')
    await shows(page, 'Cost of the last answer: ')
    await page.locator('.bar input').click()
    await execute(page)
    await shows(page, 'it would run')
    await shows(page, 'Back to the console')
    await press(page, 'Re-fetch GraphQL schema')
    await press(page, 'Show Documentation Explorer')
    await shows(page, 'All Schema Types')
  })

  it('takes the session of the console in its tab, and shows a subscription', {
    skip,
  }, async (t) => {
    const { account, platform, businessId } = instance
    const shown = await openConsole(t, origin)
    const page = await shown.signInAs(account, '/explorer')
    await page.getByRole('link', { name: 'Open GraphiQL' }).click()
    await editors(page)
    await execute(page)
    await shows(page, '"Pump 7"')
    const [asset] = await platform.assets.list(wholeView(businessId), { limit: 1 })
    const text = `subscription { statuses(assetIds: ["${asset?.id}"]) { status { level } } }`
    await page.evaluate(`document.querySelector('.graphiql-editor .CodeMirror').CodeMirror
      .setValue(${JSON.stringify(text)})`)
    // The name of the tab is that of the operation.
    await shows(page, '<untitled>')
    await execute(page)
    await shows(page, '"normal"')
    await press(page, /^Stop query/)
    await page.getByRole('link', { name: 'Back to the console' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  })
})
