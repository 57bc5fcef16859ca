import { strict as assert } from 'node:assert'
import { readFile } from 'node:fs/promises'
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

let instance: TestPlatform
let shown: TestConsole
let page: Page

const dialog = () => page.getByRole('dialog')
const gone = () => dialog().waitFor({ state: 'detached' })

async function ask(method: string, path: string, body?: object) {
  const headers = { authorization: instance.basic, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${instance.httpUrl}/api:1${path}`, { method, headers, ...sent })
  const text = await answer.text()
  return text === '' ? {} : JSON.parse(text)
}

async function begin(suite: ReturnType<typeof suiteContext>, path: string): Promise<void> {
  ;({ instance, shown } = await testConsole(suite))
  page = await shown.tab(path)
  await shown.signIn(page, instance.account)
}

const noErrors = () =>
  assert.deepEqual(
    shown.errors.filter((one) => !/status of 40[0134]/.test(one)),
    [],
  )

describe('the audit log in Setup', { skip: consoleSkipped }, () => {
  const suite = suiteContext()

  before(async () => {
    await begin(suite, '/')
    for (let count = 1; count <= 60; count += 1) {
      await ask('POST', '/groups', { name: `Hall ${count} <b>` })
    }
    await ask('DELETE', '/connectors/nothing')
  })

  it('shows who did what, filtered by an address that can be sent', async () => {
    await page.goto(`${shown.origin}/setup/audit`)
    await page.getByRole('cell', { name: 'deleteConnector nothing' }).waitFor()
    await assertAccessible(page, 'setup-audit')
    await page.getByLabel('Action').fill('createGroup')
    await page.getByLabel('Person or token').fill(instance.account.email)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.waitForURL(/action=createGroup/)
    await page.getByText('deleteConnector').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Older' }).click()
    await page.waitForURL(/before=/)
    await page.getByText('Hall 1 <b>', { exact: true }).waitFor()
    const { entries } = await ask('GET', '/audit?action=createGroup&limit=100')
    const oldest = entries.at(-1)
    await page.goto(page.url())
    await page.getByText('createGroup').first().waitFor()
    assert.equal(await page.getByRole('row').count(), 1 + entries.length - 50)
    assert.equal(oldest.name, instance.account.email)
  })

  it('saves all that is filtered, not only the page that is shown', async () => {
    await page.goto(`${shown.origin}/setup/audit?action=createGroup`)
    await page.getByRole('button', { name: 'Older' }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    const { entries } = await ask('GET', '/audit?action=createGroup&limit=100')
    assert.equal(lines.length, 1 + entries.length)
    assert.match(lines[1] ?? '', /^\d{4}-.*,management,127\.0\.0\.1,createGroup,/)
    await page.getByLabel('Outcome').selectOption('not_found')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByText('Nothing matches.').waitFor()
    noErrors()
  })
})

describe('the sign-in in Setup', { skip: consoleSkipped }, () => {
  const suite = suiteContext()

  before(() => begin(suite, '/setup/sign-in'))

  it('sets up a provider, says what is missing, and removes it', async () => {
    await page.getByText(/Users sign in by a password/).waitFor()
    await assertAccessible(page, 'setup-sign-in')
    await page.getByRole('button', { name: 'Set up a provider' }).click()
    await dialog().getByRole('button', { name: 'Save the provider' }).click()
    assert.equal(await dialog().getByText('This is needed.').count(), 5)
    await dialog().getByLabel('Name on the button').fill('Acme')
    await dialog().getByLabel('Issuer').fill('ftp://login.acme.example')
    await dialog().getByLabel('Client id').fill('millrace')
    await dialog().getByLabel('Client secret', { exact: true }).fill('a secret')
    await dialog().getByLabel('Domains of e-mail addresses').fill('acme.example\nacme.test')
    await dialog().getByRole('button', { name: 'Save the provider' }).click()
    await dialog().getByText('is a URL https://…').waitFor()
    await assertAccessible(page, 'setup-provider')
    await dialog().getByLabel('Issuer').fill('https://login.acme.example')
    await dialog().getByRole('button', { name: 'Save the provider' }).click()
    await gone()
    const { redirect_uri: uri, ...set } = await ask('GET', '/business/oidc')
    assert.deepEqual(set, {
      label: 'Acme',
      issuer: 'https://login.acme.example',
      client_id: 'millrace',
      domains: ['acme.example', 'acme.test'],
      creates_role: null,
    })
    await page.getByText(uri).waitFor()
    await assertAccessible(page, 'setup-sign-in-provider')
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click()
    await gone()
    assert.equal((await ask('GET', '/business/oidc')).code, 'not_found')
  })

  it('demands a second step, which is set up at the next sign-in', async () => {
    await page.getByText('Each user decides').waitFor()
    await page.getByRole('button', { name: 'Demand it of everyone' }).click()
    await dialog()
      .getByText(/Users without one are signed out/)
      .waitFor()
    await dialog().getByRole('button', { name: 'Demand it of everyone' }).click()
    const { email, password } = instance.account
    await page.getByLabel('E-mail address').waitFor()
    assert.equal(await instance.platform.accounts.demandsTotp(instance.businessId), true)
    await page.getByLabel('E-mail address').fill(email)
    await page.locator('input[name=password]').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const secret = await page.getByLabel('Key for the app', { exact: true }).innerText()
    await page.getByLabel('Code').fill(generateSync({ secret: secret.replaceAll(' ', '') }))
    await page.getByRole('button', { name: 'Confirm and sign in' }).click()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByText('Everyone needs a second step').waitFor()
    noErrors()
  })
})

describe('limits and use in Setup', { skip: consoleSkipped }, () => {
  const suite = suiteContext()

  before(async () => {
    await begin(suite, '/')
    const { accounts } = instance.platform
    await accounts.quotas.set(instance.businessId, { users: 1, tokens: 100, storage: 10 ** 9 })
  })

  it('shows what is used beside its quota, and what is used up', async () => {
    await page.goto(`${shown.origin}/setup/limits`)
    await page.getByText('1 of 1', { exact: true }).waitFor()
    await page.getByText('used up').waitFor()
    const { tokens, users } = await ask('GET', '/usage')
    assert.deepEqual(users, { used: 1, most: 1 })
    await page.getByText(`${tokens.used} of 100`, { exact: true }).waitFor()
    await page.getByText('400 days').waitFor()
    await assertAccessible(page, 'setup-limits')
  })

  it('keeps values of one connector for another time', async () => {
    await page.getByLabel('Days; empty: as above').fill('-1')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('A number above 0, or nothing.').waitFor()
    await page.getByLabel('Days; empty: as above').fill('1.5')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved.').waitFor()
    const path = `/connectors/${instance.connector.id}/retention`
    assert.deepEqual(await ask('GET', path), { hours: 36 })
    noErrors()
  })
})
