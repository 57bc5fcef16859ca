import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { generateSync } from 'otplib'
import { BrowserPage, findBrowser } from '../../fixtures/browser/browser.ts'
import { buildConsole } from '../../fixtures/browser/console.ts'
import { type TestPlatform, testPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'

const browser = findBrowser()
const skip = browser === undefined ? 'this machine has no Chromium' : false
const eve = { email: 'eve@example.com', password: 'a long phrase' }

/** Every field has a name that a screen reader reads. */
async function hasLabels(page: BrowserPage): Promise<void> {
  const script = `[...document.querySelectorAll('input')]
    .filter((one) => one.labels?.length === 0 && !one.ariaLabel).length`
  assert.equal(await page.evaluate(script), 0)
  assert.equal(await page.evaluate("document.querySelectorAll('main h1').length"), 1)
}

/** The part behind `#` of the link in the newest mail. */
async function linkOf(instance: TestPlatform, kind: 'invitation' | 'reset'): Promise<string> {
  for (let tries = 0; tries < 10_000; tries += 1) {
    const [mail] = await instance.platform.mail.list()
    const found = new RegExp(`#${kind}=[0-9a-f]{40}`).exec(mail?.text ?? '')
    if (found !== null) return found[0]
  }
  return assert.fail(`no mail has a link #${kind}`)
}

async function signOut(page: BrowserPage): Promise<void> {
  await page.press(eve.email)
  await page.press('Sign out')
}

describe('people in the console', { skip }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let page: BrowserPage

  before(async () => {
    await buildConsole()
    instance = await testPlatform(suite)
    page = await BrowserPage.open(suite, browser ?? '')
  })

  async function typePasswords(first: string, again = first): Promise<void> {
    await page.type('input[name=password]', first)
    await page.type('input[name=again]', again)
  }

  async function signIn(password: string): Promise<void> {
    await page.shows('E-mail address')
    await page.type('input[name=email]', eve.email)
    await page.type('input[name=password]', password)
    await page.press('Sign in')
  }

  it('accepts an invitation with a password that is typed twice', async () => {
    const { platform, businessId, httpUrl } = instance
    await platform.accounts.invite(businessId, { email: eve.email, role: 'Viewer' })
    await page.visit(`${httpUrl}/${await linkOf(instance, 'invitation')}`)
    await page.shows('Accept the invitation')
    await hasLabels(page)
    await page.type('input[name=name]', 'Eve')
    await typePasswords(eve.password, 'another one')
    await page.press('Accept')
    await page.shows('The two passwords are not the same.')
    await typePasswords('short')
    await page.press('Accept')
    await page.shows('A password has')
    await typePasswords(eve.password)
    await page.press('Accept')
    await page.shows('You are a user now. Sign in as eve@example.com.')
    assert.equal(await page.evaluate('location.hash'), '')
    await signIn(eve.password)
    await page.shows(eve.email)
    page.errors.splice(0)
  })

  it('sends a link to who forgot the password, and sets a new one by it', async () => {
    await signOut(page)
    await page.press('Forgot your password?')
    await page.shows('Send a link')
    await hasLabels(page)
    await page.type('input[name=email]', eve.email)
    await page.press('Send a link')
    await page.shows('If there is such a user, a mail with a link is on its way.')
    const link = await linkOf(instance, 'reset')
    await page.visit(`${instance.httpUrl}/${link}`)
    await page.shows('New password, again')
    await typePasswords('another long phrase')
    await page.press('Set the password')
    await page.shows('Your password is set. Sign in with it.')
    await page.visit(`${instance.httpUrl}/${link}`)
    await page.shows('New password, again')
    await typePasswords('a third long phrase')
    await page.press('Set the password')
    await page.shows('The link is not valid: ask for another one.')
    page.errors.splice(0)
  })

  it('sets up the second step that the business demands, and shows its codes', async () => {
    const { platform, businessId, httpUrl } = instance
    await platform.accounts.demandTotp(businessId, true)
    await page.visit(`${httpUrl}/?again`)
    await signIn('another long phrase')
    await page.shows('Set up a second step')
    await hasLabels(page)
    const key = await page.evaluate(
      'document.querySelector(\'[aria-label="Key for the app"]\').innerText',
    )
    const secret = String(key).replaceAll(' ', '')
    await page.type('input[name=code]', '000000')
    await page.press('Confirm and sign in')
    await page.shows('The code is not right, or was used before.')
    await page.type('input[name=code]', generateSync({ secret }))
    await page.press('Confirm and sign in')
    await page.shows('Keep your recovery codes')
    const [recovery] = (await page.evaluate(
      "[...document.querySelectorAll('main li')].map((one) => one.innerText)",
    )) as string[]
    await page.press('I have kept them')
    await page.shows(eve.email)
    await signOut(page)
    await signIn('another long phrase')
    await page.shows('Second step')
    await hasLabels(page)
    await page.type('input[name=code]', recovery ?? '')
    await page.press('Sign in')
    await page.shows(eve.email)
  })

  it('offers the provider of the business, and says what went wrong there', async () => {
    const { platform, businessId, httpUrl } = instance
    const provider = { label: 'Acme', issuer: 'http://127.0.0.1:1', clientId: 'millrace' }
    const rules = { secret: 'a secret', domains: ['example.com'], createsRole: null }
    await platform.accounts.setOidc(businessId, { ...provider, ...rules })
    await signOut(page)
    await page.visit(`${httpUrl}/?provider`)
    await page.shows('Sign in with Acme')
    const script = "document.querySelector('main a[href]').getAttribute('href')"
    const href = String(await page.evaluate(script))
    assert.equal(href, `/api:1/oidc/${businessId}/start`)
    await page.visit(`${httpUrl}${href}`)
    await page.shows('The sign-in at the provider failed. Try again.')
    assert.equal(await page.evaluate('location.hash'), '')
    await page.visit(`${httpUrl}/?code#oidc=${'0'.repeat(40)}`)
    await page.shows('The sign-in is over. Try again.')
  })
})
