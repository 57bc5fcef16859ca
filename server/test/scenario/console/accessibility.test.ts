import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../../fixtures/browser/accessibility.ts'
import { goAnew, signedInConsole, skip, type TestConsole } from '../../fixtures/browser/console.ts'
import { fillBusiness, type Made } from '../../fixtures/browser/plant.ts'
import { assetPages, dashboardPages } from '../../fixtures/browser/states/assets.ts'
import { conflicts } from '../../fixtures/browser/states/conflicts.ts'
import { devicePages } from '../../fixtures/browser/states/devices.ts'
import {
  emptyPages,
  germanPages,
  otherPages,
  pagesWithoutValues,
  setupPages,
  signedOutPages,
} from '../../fixtures/browser/states/others.ts'
import { solutionPages } from '../../fixtures/browser/states/solutions.ts'
import type { States } from '../../fixtures/browser/steps.ts'
import type { TestPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'

describe('pages of the console that axe looks at', { skip }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page
  let made: Made

  before(async () => {
    ;({ instance, shown, page } = await signedInConsole(suite, {
      expected: /status of 4|ERR_FAILED/,
    }))
    page.on('dialog', (question) => void question.accept())
    made = { instance } as Made
  })

  /** True while the page is as it was opened, so that a link leads to the next one. */
  let isUntouched = false

  /** Opens an address with names of ids, as `:asset`. */
  async function open(path: string): Promise<void> {
    const address = path.replace(/:([a-z]+)/g, (_, id) => String(made[id as 'asset']))
    if (isUntouched) return goAnew(page, address)
    await page.goto(`${shown.origin}${address}`)
    await page.locator('h1').first().waitFor()
  }

  const check = (pages: States) => {
    for (const [path, states] of Object.entries(pages)) {
      for (const [name, steps] of Object.entries(states)) {
        it(`${path}: ${name}`, async () => {
          await open(path)
          isUntouched = false
          for (const step of steps) await step(page, made)
          await assertAccessible(page, name, steps.length === 1 ? 'whole' : 'changed')
          isUntouched = steps.length === 1 && pages !== signedOutPages
        })
      }
    }
  }

  check(emptyPages)
  it('is given one of everything', async () => {
    made = await fillBusiness(suite, instance)
  })
  const full = [devicePages, assetPages, dashboardPages, solutionPages, setupPages, otherPages]
  for (const pages of [...full, conflicts, germanPages]) check(pages)
  it('is signed out', async () => {
    isUntouched = false
    await page.evaluate('localStorage.clear()')
  })
  check(signedOutPages)
  it('is signed in as a person who sees no values', async () => {
    page = await shown.signInAs(made.lister)
    isUntouched = false
  })
  check(pagesWithoutValues)
})
