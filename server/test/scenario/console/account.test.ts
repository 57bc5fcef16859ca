import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { generateSync } from 'otplib'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'

const eve = { email: 'eve@example.com', password: 'a long enough phrase' }
const next = 'another long phrase'

describe('the own account in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  const dialog = () => page.getByRole('dialog')
  const signIn = (password: string, code?: string) =>
    fetch(`${instance.httpUrl}/api:1/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: eve.email, password, code }),
    })

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    await instance.platform.accounts.createUser(instance.businessId, { ...eve, role: 'Viewer' })
    page = await shown.tab('/')
    await shown.signIn(page, eve)
  })

  it('lists the own sessions, and ends one', async () => {
    const { token } = (await (await signIn(eve.password)).json()) as { token: string }
    await page.getByRole('button', { name: eve.email }).click()
    await page.getByRole('menuitem', { name: 'My account' }).click()
    await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor()
    await page.getByRole('button', { name: 'End the session of node' }).click()
    await page.getByRole('button', { name: 'End the session of node' }).waitFor({
      state: 'detached',
    })
    const headers = { authorization: `token ${token}` }
    assert.equal((await fetch(`${instance.httpUrl}/api:1/whoami`, { headers })).status, 401)
    await assertAccessible(page, 'account')
  })

  it('sets up a second step, and removes it', async () => {
    await page.getByRole('button', { name: 'Set up a second step' }).click()
    await dialog().getByLabel('Your password', { exact: true }).fill('wrong')
    await dialog().getByRole('button', { name: 'Next' }).click()
    await dialog().getByRole('alert').waitFor()
    await dialog().getByLabel('Your password', { exact: true }).fill(eve.password)
    await dialog().getByRole('button', { name: 'Next' }).click()
    const key = await dialog().getByLabel('Key for the app', { exact: true }).innerText()
    const secret = key.replaceAll(' ', '')
    const address = dialog().getByLabel('Address of the key', { exact: false }).last()
    assert.match(await address.innerText(), /^otpauth:\/\/totp\//)
    await assertAccessible(page, 'account-second-step')
    await dialog().getByRole('textbox', { name: 'Code' }).fill(generateSync({ secret }))
    await dialog().getByRole('button', { name: 'Confirm' }).click()
    await dialog().getByText('They are not shown again', { exact: false }).waitFor()
    const [code = '', other = ''] = await dialog().getByRole('listitem').allInnerTexts()
    await assertAccessible(page, 'account-recovery-codes')
    await dialog().getByRole('button', { name: 'I have kept them' }).click()
    assert.equal((await signIn(eve.password)).status, 401)
    assert.equal((await signIn(eve.password, code)).status, 200)
    await page.getByText(/recovery codes are left/).waitFor()
    await page.getByRole('button', { name: 'Remove the second step' }).click()
    await dialog().getByRole('textbox', { name: 'Code' }).fill(other)
    await dialog().getByRole('button', { name: 'Remove the second step' }).click()
    await dialog().waitFor({ state: 'detached' })
    assert.equal((await signIn(eve.password)).status, 200)
  })

  it('changes the password, which ends all sessions', async () => {
    await page.getByLabel('Password until now', { exact: true }).fill(eve.password)
    await page.getByLabel('New password', { exact: true }).fill(next)
    await page.getByLabel('New password, again', { exact: true }).fill('other')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('The two passwords are not the same.').waitFor()
    await page.getByLabel('New password, again', { exact: true }).fill(next)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('Your password is changed. Sign in with it.').waitFor()
    assert.equal((await signIn(next)).status, 200)
    await shown.signIn(page, { ...eve, password: next })
    await page.goto(`${shown.origin}/account`)
    await page.getByRole('button', { name: 'End all' }).click()
    await assertAccessible(page, 'account-end-all')
    await dialog().getByRole('button', { name: 'End all' }).click()
    await page.getByText('All your sessions are ended.').waitFor()
    assert.deepEqual(
      shown.errors.filter((one) => !/status of (400|401|403)/.test(one)),
      [],
    )
  })
})
