import { strict as assert } from 'node:assert'
import { it } from 'node:test'
import { BrowserPage, findBrowser } from '../fixtures/browser/browser.ts'
import { testPlatform } from '../fixtures/platform.ts'
import { assertOk, assertRefused, managementFixture } from '../fixtures/wire/management.ts'

const browser = findBrowser()
const skip = browser === undefined ? 'this machine has no Chromium' : false

it('shows the API in a browser, and asks no other address', { skip }, async (t) => {
  const { httpUrl } = await testPlatform(t)
  const page = await BrowserPage.open(t, browser ?? '')
  await page.visit(`${httpUrl}/api:1/docs`)
  // The viewer draws what is in view: the operations of the first tag, whatever comes behind it.
  await page.shows('Set the quotas of one business')
  const button = '#operations-instance-setQuotas button'
  await page.evaluate(`document.querySelector('${button}').click()`)
  await page.shows('wrong_content_type')
  const back = "document.querySelector('nav a').href"
  assert.equal(await page.evaluate(back), `${new URL(httpUrl).origin}/`)
  const { origin } = new URL(httpUrl)
  const own = page.requested.filter((url) => url.startsWith(`${origin}/`))
  const foreign = page.requested.filter((url) => !url.startsWith(origin) && !/^data:/.test(url))
  assert.deepEqual(foreign, [])
  assert.ok(own.includes(`${origin}/api:1/openapi.json`), String(own))
  assert.deepEqual(page.errors, [])
})

it('serves the page and its files without a credential, and no other file', async (t) => {
  const { ask } = await managementFixture(t)
  const page = await ask('GET', '/api%3A1/docs/', { as: null })
  assertOk(page)
  assert.match(String(page.headers['content-security-policy']), /script-src 'self'(;|$)/)
  const files = [...page.body.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path = '']) => path)
  assert.ok(files.length >= 4, String(files))
  for (const file of files) assertOk(await ask('GET', file, { as: null }))
  for (const file of ['package.json', '..%2Fpackage.json', 'swagger-ui.js']) {
    assertRefused(await ask('GET', `/api:1/docs/${file}`, { as: null }), 'not_found')
  }
})
