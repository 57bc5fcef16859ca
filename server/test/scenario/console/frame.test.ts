import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../src/people/groups/index.ts'
import { goTo, signedInConsole, skip, type TestConsole } from '../../fixtures/browser/console.ts'
import { atEnd } from '../../fixtures/ends.ts'
import { type TestPlatform, unique } from '../../fixtures/platform.ts'
import { sharedBySuites, suiteContext } from '../../fixtures/suite.ts'
import { askManagement } from '../../fixtures/wire/ask.ts'
import { newDevice } from '../../fixtures/wire/device.ts'

const vera = { email: `${unique('vera')}@example.com`, password: 'a long enough phrase' }
let instance: TestPlatform
let shown: TestConsole
let page: Page

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, shown, page } = await signedInConsole(suite, { expected: /ERR_FAILED/ }))
  const { httpUrl, connector, platform, businessId } = instance
  await newDevice(httpUrl, connector.id, 'pump.7')
  await platform.assets.create(wholeView(businessId), { name: 'Pump 7', signals: [] })
  const id = unique('pumps')
  await platform.scripting.solutions.create(businessId, { id, name: 'Pump alerts' })
})

const run = promisify(execFile)

/** The commands that run a program of the page, in a folder of its own. */
const programs = [
  { name: 'curl', file: 'device.sh', command: 'bash device.sh' },
  { name: 'Python', file: 'device.py', command: 'python3 device.py' },
  { name: 'Node', file: 'device.mjs', command: `${process.execPath} device.mjs` },
] as const

describe('the overview of the console', { skip }, () => {
  onConsole()
  const suite = suiteContext()
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-program-'))
    atEnd(suite, () => rm(folder, { recursive: true }))
  })

  async function readProgram(name: string): Promise<string> {
    await page.getByRole('tab', { name, exact: true }).click()
    return (await page.getByLabel('Program', { exact: true }).textContent()) ?? ''
  }

  const path = () => `/service/${instance.connector.id}/device2`

  it('shows what there is, and that nothing failed', async () => {
    await page.getByText('Messages a second').waitFor()
    await page.getByText('All assets are normal.').waitFor()
    await page.getByText('Nothing failed').waitFor()
  })

  for (const { name, file, command } of programs) {
    it(`connects a device by the program in ${name}, copied as it stands`, async () => {
      await goTo(page, '/connect')
      const identity = `first.${name.toLowerCase()}`
      await page.getByLabel('Identity of the device').fill(identity)
      await writeFile(join(folder, file), await readProgram(name))
      await page.getByText(`Waiting for ${identity}`).waitFor()
      await run('bash', ['-c', command], { cwd: folder })
      await page.getByText(`${identity} has written.`).waitFor()
      const { state } = await askManagement(instance, 'GET', `${path()}/identity/${identity}`)
      assert.deepEqual(
        Object.values<{ reported: string }>(state).map((one) => one.reported),
        ['21.5'],
      )
      await page.getByRole('link', { name: 'Open the device' }).click()
      await page.getByRole('heading', { level: 1, name: identity }).waitFor()
    })
  }

  it('offers programs that trust the authority to a connector without developer mode', async () => {
    await askManagement(instance, 'PATCH', path(), { protocol: { devmode: false } })
    await goTo(page, '/connect')
    for (const name of ['curl', 'Python', 'Node', 'C', 'MQTT', 'ESP32 (Arduino)']) {
      assert.match(await readProgram(name), /BEGIN CERTIFICATE/, name)
    }
  })
})
/** The files of the build with the German texts. */
const german = '**/assets/translations-de-*.js'

describe('the language of the console', { skip }, () => {
  onConsole()

  async function choose(language: string): Promise<void> {
    await page.getByRole('button', { name: instance.account.email, exact: true }).click()
    await page.getByRole('menuitemradio', { name: language }).click()
    await page.keyboard.press('Escape')
  }

  it('stays in English while German cannot be loaded, and says so', async () => {
    await page.goto(shown.origin)
    await page.route(german, (route) => route.abort())
    await choose('Deutsch')
    const alert = page.getByRole('alert')
    await alert.getByText('Die deutschen Texte konnten nicht geladen werden').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.lang'), 'en')
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

describe('the frame of the console', { skip }, () => {
  onConsole()

  it('opens the address that was asked for after the sign-in', async () => {
    page = await shown.signInAs(instance.account, `/connectors/${instance.connector.id}/log`)
    await page.getByRole('tab', { name: 'Log', selected: true }).waitFor()
    assert.equal(new URL(page.url()).pathname, `/connectors/${instance.connector.id}/log`)
  })

  it('goes to each part, shows the way, and back', async () => {
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
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
    await instance.platform.accounts.createUser(instance.businessId, { ...vera, role: 'Viewer' })
    page = await shown.signInAs(vera)
    await page.getByRole('link', { name: 'Assets' }).first().waitFor()
    assert.equal(await page.getByRole('link', { name: 'Connectors' }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Solutions' }).count(), 0)
    await goTo(page, '/nowhere')
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
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
    await page.getByRole('button', { name: vera.email }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await sent.promise
    await page.getByLabel('E-mail address').waitFor()
    isAnswered.resolve()
    await page.getByText('the session there ends by itself').waitFor()
    await shown.signIn(page, vera)
    await page.getByRole('link', { name: 'Assets' }).first().waitFor()
  })
})
