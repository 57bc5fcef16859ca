import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  consoleSkipped,
  signedInConsole,
  type TestConsole,
} from '../../fixtures/browser/console.ts'
import { suiteContext } from '../../fixtures/suite.ts'

/** The files of the build with the German texts. */
const german = '**/assets/translations-de-*.js'

describe('the language of the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let shown: TestConsole
  let page: Page
  let email: string

  before(async () => {
    const signedIn = await signedInConsole(suite)
    ;({ shown, page } = signedIn)
    email = signedIn.instance.account.email
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })

  async function choose(language: string): Promise<void> {
    await page.getByRole('button', { name: email, exact: true }).click()
    await page.getByRole('menuitemradio', { name: language }).click()
    await page.keyboard.press('Escape')
  }

  it('stays in English while German cannot be loaded, and says so', async () => {
    await page.route(german, (route) => route.abort())
    await choose('Deutsch')
    const alert = page.getByRole('alert')
    await alert.getByText('Die deutschen Texte konnten nicht geladen werden').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.lang'), 'en')
    await assertAccessible(page, 'missing-texts')
  })

  it('changes to German once it can be loaded, without a new page', async () => {
    await page.evaluate('window.isSamePage = true')
    await page.unroute(german)
    await page.getByRole('button', { name: 'Erneut versuchen' }).click()
    await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    assert.equal(await page.evaluate('document.documentElement.lang'), 'de')
    assert.equal(await page.evaluate('window.isSamePage'), true)
  })

  it('opens a page when its German texts are there, and shows no English one before', async () => {
    await page.evaluate(keepHeadings)
    await page.route(german, (route) => route.abort())
    await page.getByRole('link', { name: 'Konnektoren' }).first().click()
    await page.getByRole('button', { name: 'Erneut versuchen' }).waitFor()
    await page.unroute(german)
    await page.getByRole('button', { name: 'Erneut versuchen' }).click()
    await page.getByRole('heading', { level: 1, name: 'Konnektoren' }).waitFor()
    const headings = (await page.evaluate('window.headings')) as string[]
    assert.ok(headings.includes('Konnektoren'))
    assert.ok(!headings.includes('Connectors'), headings.join(', '))
  })

  it('tries again by itself when the browser is online again', async () => {
    await page.route(german, (route) => route.abort())
    await page.reload()
    await page.getByRole('button', { name: 'Erneut versuchen' }).waitFor()
    await page.unroute(german)
    await page.evaluate(`window.dispatchEvent(new Event('online'))`)
    await page.getByRole('heading', { level: 1, name: 'Konnektoren' }).waitFor()
  })

  it('opens in English, if that is chosen in place of what is missing', async () => {
    await page.route(german, (route) => route.abort())
    await page.reload()
    await page.getByRole('button', { name: 'English', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Connectors' }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    const failed = shown.errors.filter((text) => !text.includes('ERR_FAILED'))
    assert.deepEqual(failed, [])
  })
})

/** Keeps the text of each heading that is shown from now on. */
const keepHeadings = `(() => {
  window.headings = []
  const keep = () => {
    for (const one of document.querySelectorAll('h1')) window.headings.push(one.textContent)
  }
  const all = { childList: true, subtree: true, characterData: true }
  new MutationObserver(keep).observe(document, all)
})()`
