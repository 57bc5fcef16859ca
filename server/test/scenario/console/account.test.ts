import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { generateSync } from 'otplib'
import type { Page } from 'playwright-core'
import {
  goTo,
  signIn,
  skip,
  type TestConsole,
  testConsole,
} from '../../fixtures/browser/console.ts'
import { until } from '../../fixtures/interface.ts'
import { type TestPlatform, unique } from '../../fixtures/platform.ts'
import { sharedBySuites } from '../../fixtures/suite.ts'

let instance: TestPlatform
let shown: TestConsole
let page: Page

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, shown } = await testConsole(suite, { expected: /status of 40[0-4]/ }))
})

const shows = (text: string) => page.getByText(text).first().waitFor()
const field = (name: string) => page.locator(`input[name=${name}]`)
const button = (name: string) => page.getByRole('button', { name, exact: true })

const eve = { email: `${unique('eve')}@example.com`, password: 'a long enough phrase' }
const next = 'another long phrase'

describe('the own account in the console', { skip }, () => {
  onConsole()

  const dialog = () => page.getByRole('dialog')
  const newSession = (password: string, code?: string) =>
    fetch(`${instance.httpUrl}/api:1/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: eve.email, password, code }),
    })

  before(async () => {
    await instance.platform.accounts.createUser(instance.businessId, { ...eve, role: 'Viewer' })
    page = await shown.signInAs(eve)
  })

  it('lists the own sessions, and ends one', async () => {
    const { token } = (await (await newSession(eve.password)).json()) as { token: string }
    await page.getByRole('button', { name: eve.email }).click()
    await page.getByRole('menuitem', { name: 'My account' }).click()
    await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor()
    await button('End the session of node').click()
    await page.getByRole('button', { name: 'End the session of node' }).waitFor({
      state: 'detached',
    })
    const headers = { authorization: `token ${token}` }
    assert.equal((await fetch(`${instance.httpUrl}/api:1/whoami`, { headers })).status, 401)
  })

  it('sets up a second step, and removes it', async () => {
    await button('Set up a second step').click()
    await dialog().getByLabel('Your password', { exact: true }).fill('wrong')
    await dialog().getByRole('button', { name: 'Next' }).click()
    await dialog().getByRole('alert').waitFor()
    await dialog().getByLabel('Your password', { exact: true }).fill(eve.password)
    await dialog().getByRole('button', { name: 'Next' }).click()
    const key = await dialog().getByLabel('Key for the app', { exact: true }).innerText()
    const secret = key.replaceAll(' ', '')
    const address = dialog().getByLabel('Address of the key', { exact: false }).last()
    assert.match(await address.innerText(), /^otpauth:\/\/totp\//)
    await dialog().getByRole('textbox', { name: 'Code' }).fill(generateSync({ secret }))
    await dialog().getByRole('button', { name: 'Confirm' }).click()
    await dialog().getByText('They are not shown again', { exact: false }).waitFor()
    const [code = '', other = ''] = await dialog().getByRole('listitem').allInnerTexts()
    await dialog().getByRole('button', { name: 'I have kept them' }).click()
    assert.equal((await newSession(eve.password)).status, 401)
    assert.equal((await newSession(eve.password, code)).status, 200)
    await page.getByText(/recovery codes are left/).waitFor()
    await button('Remove the second step').click()
    await dialog().getByRole('textbox', { name: 'Code' }).fill(other)
    await dialog().getByRole('button', { name: 'Remove the second step' }).click()
    await dialog().waitFor({ state: 'detached' })
    assert.equal((await newSession(eve.password)).status, 200)
  })

  it('changes the password, which ends all sessions', async () => {
    await page.getByLabel('Password until now', { exact: true }).fill(eve.password)
    await page.getByLabel('New password', { exact: true }).fill(next)
    await page.getByLabel('New password, again', { exact: true }).fill('other')
    await button('Change the password').click()
    await page.getByText('The two passwords are not the same.').waitFor()
    await page.getByLabel('New password, again', { exact: true }).fill(next)
    await button('Change the password').click()
    await page.getByText('Your password is changed. Sign in with it.').waitFor()
    assert.equal((await newSession(next)).status, 200)
    await shown.signIn(page, { ...eve, password: next })
    await goTo(page, '/account')
    await button('End all').click()
    await dialog().getByRole('button', { name: 'End all' }).click()
    await page.getByText('All your sessions are ended.').waitFor()
  })
})

/** Every field has a name that a screen reader reads. */
async function hasLabels(): Promise<void> {
  const script = `[...document.querySelectorAll('input')]
    .filter((one) => one.labels?.length === 0 && !one.ariaLabel).length`
  assert.equal(await page.evaluate(script), 0)
  assert.equal(await page.locator('main h1').count(), 1)
}

describe('people who sign in to the console', { skip }, () => {
  onConsole()
  const ann = { email: `${unique('ann')}@example.com`, password: 'a long phrase' }
  const changed = { ...ann, password: 'another long phrase' }

  /** The part behind `#` of the link in the newest mail. */
  const findLink = (kind: 'invitation' | 'reset') =>
    until(
      async () => {
        const mails = await instance.platform.mail.list()
        const [mail] = mails.filter(({ to }) => to.includes(ann.email))
        return new RegExp(`#${kind}=[0-9a-f]{40}`).exec(mail?.text ?? '')?.[0] ?? ''
      },
      (link) => link !== '',
    )
  const open = (path: string) => page.goto(`${shown.origin}/${path}`)

  async function typePasswords(first: string, again = first): Promise<void> {
    await field('password').fill(first)
    await field('again').fill(again)
  }

  async function enter({ email, password }: typeof ann): Promise<void> {
    await field('email').fill(email)
    await field('password').fill(password)
    await button('Sign in').click()
  }

  async function signOut(): Promise<void> {
    await button(ann.email).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }

  before(async () => {
    await shown.forget()
    page = await shown.tab()
  })

  it('accepts an invitation with a password that is typed twice', async () => {
    const { accounts } = instance.platform
    await accounts.invite(instance.businessId, { email: ann.email, role: 'Viewer' })
    await open(await findLink('invitation'))
    await shows('Accept the invitation')
    await hasLabels()
    await field('name').fill('Ann')
    await typePasswords(ann.password, 'another one')
    await button('Accept').click()
    await shows('The two passwords are not the same.')
    await typePasswords('short')
    await button('Accept').click()
    await shows('A password has')
    await typePasswords(ann.password)
    await button('Accept').click()
    await shows(`You are a user now. Sign in as ${ann.email}.`)
    assert.equal(await page.evaluate('location.hash'), '')
    await signIn(page, ann)
  })

  it('sends a link to who forgot the password, and sets a new one by it', async () => {
    await signOut()
    await button('Forgot your password?').click()
    await button('Send a link').waitFor()
    await hasLabels()
    await field('email').fill(ann.email)
    await button('Send a link').click()
    await shows('If there is such a user, a mail with a link is on its way.')
    const link = await findLink('reset')
    await open(link)
    await shows('New password, again')
    await typePasswords(changed.password)
    await button('Set the password').click()
    await shows('Your password is set. Sign in with it.')
    await open(`?used${link}`)
    await shows('New password, again')
    await typePasswords('a third long phrase')
    await button('Set the password').click()
    await shows('The link is not valid: ask for another one.')
  })

  it('sets up the second step that the business demands, and shows its codes', async () => {
    await instance.platform.accounts.demandTotp(instance.businessId, true)
    await open('?again')
    await enter(changed)
    await shows('Set up a second step')
    await hasLabels()
    const key = await page.getByLabel('Key for the app', { exact: true }).innerText()
    await field('code').fill('000000')
    await button('Confirm and sign in').click()
    await shows('The code is not right, or was used before.')
    await field('code').fill(generateSync({ secret: key.replaceAll(' ', '') }))
    await button('Confirm and sign in').click()
    await shows('Keep your recovery codes')
    const [recovery = ''] = await page.locator('main li').allInnerTexts()
    await button('I have kept them').click()
    await button(ann.email).waitFor()
    await signOut()
    await enter(changed)
    await shows('Second step')
    await hasLabels()
    await field('code').fill(recovery)
    await button('Sign in').click()
    await button(ann.email).waitFor()
  })

  it('offers the provider of the business, and says what went wrong there', async () => {
    const { businessId, platform } = instance
    const provider = { label: 'Acme', issuer: 'http://127.0.0.1:1', clientId: 'millrace' }
    const rules = { secret: 'a secret', domains: ['example.com'], createsRole: null }
    await platform.accounts.setOidc(businessId, { ...provider, ...rules })
    await signOut()
    await open(`?provider#business=${businessId}`)
    const link = page.getByRole('link', { name: 'Sign in with Acme' })
    assert.equal(await link.getAttribute('href'), `/api:1/oidc/${businessId}/start`)
    await link.click()
    await shows('The sign-in at the provider failed. Try again.')
    assert.equal(await page.evaluate('location.hash'), '')
    await open(`?code#oidc=${'0'.repeat(40)}`)
    await shows('The sign-in is over. Try again.')
  })
})
