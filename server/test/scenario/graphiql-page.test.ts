import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { wholeView } from '../../src/groups/index.ts'
import { BrowserPage, findBrowser } from '../fixtures/browser/browser.ts'
import { until } from '../fixtures/engine.ts'
import { type TestPlatform, testPlatform } from '../fixtures/platform.ts'
import { root } from '../fixtures/processes/page.ts'
import { suiteContext } from '../fixtures/suite.ts'

const browser = findBrowser()
const skip = browser === undefined ? 'this machine has no Chromium' : false

describe('GraphiQL at GET /api/graphql', () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let address: string
  before(async () => {
    const { buildConsole } = (await import(
      pathToFileURL(join(root, 'dev', 'install.mjs')).href
    )) as { buildConsole: () => Promise<void> }
    await buildConsole()
    instance = await testPlatform(suite)
    address = `${instance.httpUrl}/api/graphql`
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
  const open = async (page: BrowserPage) => {
    await page.visit(address)
    const editors = `document.querySelectorAll('.CodeMirror').length`
    await until(async () => (await page.evaluate(editors)) === 4)
  }
  const run = async (page: BrowserPage) => {
    await page.press('Execute query')
    await page.shows('"Pump 7"')
  }
  /** The editor of the headers is the last of three; that of the answer is behind it. */
  const setHeaders = (page: BrowserPage, authorization: string) =>
    page.evaluate(`document.querySelectorAll('.graphiql-editor .CodeMirror')[2].CodeMirror
      .setValue(${JSON.stringify(JSON.stringify({ Authorization: authorization }))})`)

  it('runs a query with an API token, and asks no other address', { skip }, async (t) => {
    const page = await BrowserPage.open(t, browser ?? '')
    await open(page)
    await page.press('Headers')
    // Without a credential it shows the refusal.
    await page.press('Execute query')
    await page.shows('unknown_credential')
    await setHeaders(page, `Automation ${instance.token}`)
    await run(page)
    await page.shows('Cost of the last answer: ')
    await page.evaluate(`document.querySelector('.bar input').click()`)
    await page.press('Execute query')
    await page.shows('it would run')
    await page.shows('Back to the console')
    await page.press('Re-fetch GraphQL schema')
    await page.press('Show Documentation Explorer')
    await page.shows('All Schema Types')
    const { origin } = new URL(address)
    const foreign = page.requested.filter((url) => !url.startsWith(origin) && !/^data:/.test(url))
    assert.deepEqual(foreign, [])
    const others = page.errors.filter((text) => !text.includes('401'))
    assert.deepEqual(others, [])
  })

  it('takes the session of the console in its tab, and shows a subscription', {
    skip,
  }, async (t) => {
    const { httpUrl, account, platform, businessId } = instance
    const page = await BrowserPage.open(t, browser ?? '')
    await page.visit(`${httpUrl}/api:1/docs`)
    await page.shows('Millrace')
    const signedIn = await fetch(`${httpUrl}/api:1/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account),
    })
    const { token } = (await signedIn.json()) as { token: string }
    const session = JSON.stringify({ token, email: account.email })
    const store = `localStorage.setItem('millrace.session', ${JSON.stringify(session)})`
    await page.evaluate(store)
    await open(page)
    await run(page)
    const [asset] = await platform.assets.list(wholeView(businessId), { limit: 1 })
    const text = `subscription { statuses(assetIds: ["${asset?.id}"]) { status { level } } }`
    await page.evaluate(`document.querySelector('.graphiql-editor .CodeMirror').CodeMirror
      .setValue(${JSON.stringify(text)})`)
    // The name of the tab is that of the operation.
    await page.shows('<untitled>')
    await page.press('Execute query')
    await page.shows('"normal"')
    await page.press('Stop query')
    assert.deepEqual(page.errors, [])
  })
})
