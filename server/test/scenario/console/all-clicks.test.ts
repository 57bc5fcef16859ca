import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { isLongForm } from '../../fixtures/bounds.ts'
import { clickEverything } from '../../fixtures/browser/clicks.ts'
import { signedInConsole, skip } from '../../fixtures/browser/console.ts'
import { fillBusiness } from '../../fixtures/browser/plant.ts'

/** Fewer would mean that links or buttons were not found. */
const clicksMin = 90
/** The most clicks on a page: a palette of functions has a hundred buttons. */
const clicksMax = isLongForm ? 40 : 10

describe('everything in the console', { skip }, () => {
  it('can be clicked without an error of a page or of the server', async (t) => {
    const { instance, shown, page } = await signedInConsole(t, { expected: /status of 4/ })
    await fillBusiness(t, instance)
    // A stream that stays open leaves the network never idle; without it lists read by timers.
    await page.route('**/api:1/changes', (route) => route.fulfill({ status: 403, json: {} }))
    const faults: string[] = []
    page.on('response', (answer) => {
      if (answer.status() >= 500) faults.push(`${answer.status()} ${answer.url()}`)
    })
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('dialog', (dialog) => void dialog.accept())
    const clicked = await clickEverything(page, shown.origin, clicksMax, async (what) => {
      assert.deepEqual(faults, [], what)
      assert.equal(await page.locator('h1').count(), 1, `${what}: the page has one title`)
      assert.equal(await page.locator('#content').count(), 1, `${what}: still signed in`)
    })
    const clicks = clicked.reduce((sum, one) => sum + one.clicks, 0)
    t.diagnostic(
      `${clicked.map((one) => `${one.path} ${one.clicks}`).join(', ')}: ${clicks} clicks`,
    )
    assert.ok(clicks >= clicksMin, `${clicks} clicks`)
  })
})
