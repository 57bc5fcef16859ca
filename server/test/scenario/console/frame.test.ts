import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../src/groups/index.ts'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'
import { newDevice } from '../../fixtures/wire/device.ts'

describe('the frame of the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    const { httpUrl, connector, platform, businessId } = instance
    await newDevice(httpUrl, connector.id, 'pump.7')
    await platform.assets.create(wholeView(businessId), { name: 'Pump 7', signals: [] })
    await platform.scripting.solutions.create(businessId, { id: 'pumps', name: 'Pump alerts' })
  })

  it('opens the address that was asked for after the sign-in', async () => {
    page = await shown.tab(`/connectors/${instance.connector.id}/log`)
    await shown.signIn(page, instance.account)
    await page.getByRole('tab', { name: 'Log', selected: true }).waitFor()
    assert.equal(new URL(page.url()).pathname, `/connectors/${instance.connector.id}/log`)
  })

  it('goes to each part, shows the way, and back', async () => {
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await assertAccessible(page, 'overview')
    await page.getByRole('navigation').getByRole('link', { name: 'Connectors' }).click()
    await page.getByRole('link', { name: instance.connector.name }).click()
    await page.getByRole('link', { name: /pump\.7/ }).click()
    await page.getByRole('heading', { level: 1, name: 'pump.7' }).waitFor()
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
    assert.match(await crumbs.innerText(), /Connectors[\s\S]*pump\.7/)
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: instance.connector.name }).waitFor()
    assert.equal(await page.title(), `${instance.connector.name} · Millrace`)
  })

  it('finds devices, assets and solutions by their names, with the keyboard alone', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('pump')
    const options = page.getByRole('dialog').getByRole('option')
    await options.nth(2).waitFor()
    assert.deepEqual(
      (await options.allInnerTexts()).map((text) => text.split(/\s+/)[0]),
      ['Device', 'Asset', 'Solution'],
    )
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/assets\//)
    await page.getByRole('heading', { name: 'Pump 7' }).waitFor()
  })

  it('keeps theme and language, and the session for another tab', async () => {
    await page.getByRole('button', { name: instance.account.email }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await page.keyboard.press('Escape')
    const other = await shown.tab('/assets')
    await other.getByRole('heading', { level: 1, name: 'Anlagen' }).waitFor()
    assert.equal(await other.evaluate('document.documentElement.lang'), 'de')
    const scheme = await other.evaluate('document.documentElement.dataset.mantineColorScheme')
    assert.equal(scheme, 'dark')
    await other.getByRole('button', { name: instance.account.email }).click()
    await other.getByRole('menuitemradio', { name: 'English' }).click()
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail address').waitFor()
    await other.close()
  })

  it('shows no part that the role may not see', async () => {
    const viewer = { email: 'vera@example.com', password: 'a long enough phrase' }
    await instance.platform.accounts.createUser(instance.businessId, { ...viewer, role: 'Viewer' })
    await shown.forget()
    page = await shown.tab('/')
    await shown.signIn(page, viewer)
    await page.getByRole('link', { name: 'Assets' }).first().waitFor()
    assert.equal(await page.getByRole('link', { name: 'Connectors' }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Solutions' }).count(), 0)
    await page.goto(`${shown.origin}/nowhere`)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await assertAccessible(page, 'not-found')
    assert.deepEqual(shown.errors, [])
  })

  it('signs out at once, and says so if the server could not be reached', async () => {
    const sent = Promise.withResolvers<void>()
    const isAnswered = Promise.withResolvers<void>()
    await page.route('**/api:1/token', async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback()
      sent.resolve()
      await isAnswered.promise
      await route.abort()
    })
    await page.getByRole('button', { name: 'vera@example.com' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await sent.promise
    await page.getByLabel('E-mail address').waitFor()
    isAnswered.resolve()
    await page.getByText('the session there ends by itself').waitFor()
    await shown.signIn(page, { email: 'vera@example.com', password: 'a long enough phrase' })
    await page.getByRole('link', { name: 'Assets' }).first().waitFor()
  })
})
