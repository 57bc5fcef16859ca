import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import {
  goTo,
  openConsole,
  signedInConsole,
  skip,
  type TestConsole,
} from '../../fixtures/browser/console.ts'
import { atEnd } from '../../fixtures/ends.ts'
import { exampleConnector, type TestPlatform } from '../../fixtures/platform.ts'
import { sharedBySuites, suiteContext } from '../../fixtures/suite.ts'
import { askManagement } from '../../fixtures/wire/ask.ts'
import { newDevice, type TestDevice } from '../../fixtures/wire/device.ts'
import { type Relay, relayTo } from '../../fixtures/wire/relay.ts'

let instance: TestPlatform
let page: Page

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, page } = await signedInConsole(suite, { expected: /status of 4\d\d/ }))
})

/** A connector that no other test of the file uses. */
const newConnector = ({ businessId, platform }: TestPlatform) =>
  platform.provisioning.connectors.create(businessId, exampleConnector)

describe('the console behind a network that breaks', { skip }, () => {
  onConsole()
  const suite = suiteContext()
  let relay: Relay
  let console: TestConsole
  let page: Page
  let device: TestDevice
  let path: string

  before(async () => {
    const connector = await newConnector(instance)
    relay = await relayTo(suite, instance.httpUrl)
    device = await newDevice(instance.httpUrl, connector.id, 'pump.7')
    await device.write('temperature=20.5')
    path = `/connectors/${connector.id}`
    console = await openConsole(suite, relay.origin)
    page = await console.tab(`${path}/devices/pump.7`)
  })

  const shows = (text: string) => page.getByText(text).filter({ visible: true }).first().waitFor()
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const takeErrors = () =>
    console.errors.splice(0).map((error) => /status of (\d+)/.exec(error)?.[1] ?? error)

  it('signs in with the right password alone', async () => {
    await page.getByLabel('E-mail address').fill(instance.account.email)
    await page.locator('input[name=password]').fill('wrong')
    await press('Sign in')
    await shows('The e-mail address or the password is not right.')
    await console.signIn(page, instance.account)
    await shows('temperature')
    assert.deepEqual(takeErrors(), ['401'])
  })

  it('reports that the server is out of reach, and goes on when it is back', async () => {
    await page.getByRole('tab', { name: 'Log', exact: true }).click()
    await shows('live')
    await device.write('temperature=21.5')
    await shows('Wrote temperature=21.5.')
    relay.cut(true)
    await shows('Millrace cannot be reached')
    await shows('reconnecting')
    await device.write('temperature=22.5')
    relay.mend()
    await shows('Wrote temperature=22.5.')
    // Drops the errors of requests that failed meanwhile.
    takeErrors()
  })

  it('locks and deletes a device, and ends the session at the sign-out', async () => {
    await goTo(page, `${path}/devices/pump.7`)
    await press('Lock')
    await shows('locked')
    await press('Unlock')
    await press('Delete')
    await shows('Delete pump.7?')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await shows('No device yet.')
    assert.equal(await page.getByText('This page has a fault').count(), 0)
    await press(instance.account.email)
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await shows('E-mail address')
    assert.equal(await page.getByText('could not be reached').count(), 0)
  })
})

describe('a device in the console', { skip }, () => {
  onConsole()
  let device: TestDevice
  let connectorId: string

  const read = () =>
    instance.platform.provisioning.identities.get(instance.businessId, connectorId, 'pump.7')
  const open = (view: string) => page.getByRole('tab', { name: view, exact: true }).click()

  before(async () => {
    const { businessId, httpUrl, platform } = instance
    connectorId = (await newConnector(instance)).id
    await platform.provisioning.connectors.patch(businessId, connectorId, {
      resources: {
        temperature: { format: 'number', unit: 'DEG_CELSIUS' },
        speed: { format: 'number', settable: true, allowed: ['0-100'] },
        valve: { format: 'boolean', settable: true },
      },
    })
    device = await newDevice(httpUrl, connectorId, 'pump.7')
    for (const value of [20.5, 21, 22.5]) await device.write(`temperature=${value}`)
    await goTo(page, `/connectors/${connectorId}/devices/pump.7`)
  })

  it('sets a resource by the form of its format, with an error at its field', async () => {
    await page.getByRole('button', { name: 'Set speed' }).click()
    await page.getByLabel('speed', { exact: true }).fill('fast')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByText('must be a number').waitFor()
    await page.getByLabel('speed', { exact: true }).fill('500')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByText(/speed/).and(page.locator('p[id$=error]')).waitFor()
    await page.getByLabel('speed', { exact: true }).fill('50')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByText('not confirmed').waitFor()
    await page.getByRole('button', { name: 'Set valve' }).click()
    await page.getByLabel('valve', { exact: true }).selectOption('true')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByText('not confirmed').nth(1).waitFor()
    const { state } = await read()
    assert.deepEqual([state.speed?.set, state.valve?.set], ['50', 'true'])
  })

  it('plots what the device wrote', async () => {
    await open('History')
    await page.getByRole('img', { name: /temperature: 22.5/ }).waitFor()
    assert.match(page.url(), /\/history$/)
    await device.write('temperature=23.5')
    await page.getByRole('img', { name: /temperature: 23.5/ }).waitFor()
  })

  it('shows its own log and its timeline, live', async () => {
    await newDevice(instance.httpUrl, connectorId, 'other.1')
    await open('Log')
    await page.getByText('Wrote temperature=23.5.').waitFor()
    assert.equal(await page.getByText('other.1').count(), 0)
    await open('Timeline')
    await page.getByRole('row').filter({ hasText: 'provision' }).first().waitFor()
    assert.equal(await page.getByText('Wrote temperature').count(), 0)
  })

  it('rotates its credential, and shows the new token once', async () => {
    await open('Credentials')
    await page.getByLabel('New credential').selectOption('token')
    await page.getByRole('button', { name: 'Open a rotation' }).click()
    await page.getByText('It is shown once').waitFor()
    const { rotations } = instance.platform.provisioning
    const where = [instance.businessId, connectorId, 'pump.7'] as const
    assert.equal((await rotations.get(...where)).given, true)
    await page.getByRole('button', { name: 'Cancel the rotation' }).click()
    await page.getByRole('button', { name: 'Open a rotation' }).waitFor()
    await assert.rejects(rotations.get(...where), { code: 'not_found' })
  })

  it('adds and removes tags', async () => {
    await open('Tags')
    await page.getByLabel('Name', { exact: true }).fill('site')
    await page.getByLabel('Value').fill('<b>north</b>')
    await page.getByRole('button', { name: 'Add the tag' }).click()
    await page.getByRole('button', { name: 'Remove site' }).waitFor()
    assert.deepEqual((await read()).tags, [{ name: 'site', value: '<b>north</b>' }])
    await page.getByRole('button', { name: 'Remove site' }).click()
    await page.getByText('No tags yet.').waitFor()
    assert.deepEqual((await read()).tags, [])
  })
})

const run = promisify(execFile)

describe('the devices of a connector in the console', { skip }, () => {
  onConsole()

  const identities = () => instance.platform.provisioning.identities
  const list = (input: object) =>
    identities().list(instance.businessId, instance.connector.id, input)
  const rows = () => page.getByRole('row').filter({ has: page.getByRole('checkbox') })

  before(async () => {
    const { businessId, connector, httpUrl } = instance
    for (let n = 0; n < 60; n++) {
      const tags = n < 3 ? [{ name: 'site', value: 'north' }] : []
      await identities().whitelist(businessId, connector.id, `pump.${n + 10}`, { tags })
    }
    await newDevice(httpUrl, connector.id, 'valve.1')
    await goTo(page, `/connectors/${connector.id}`)
  })

  it('pages through the devices, with their total', async () => {
    await page.getByText('61 in all').waitFor()
    // It comes first as soon as its connection is listed.
    await page.getByRole('link', { name: 'valve.1' }).waitFor()
    assert.equal(await rows().count(), 50)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByRole('link', { name: 'pump.69' }).waitFor()
    assert.equal(await rows().count(), 11)
    await page.goBack()
    await page.getByRole('link', { name: 'valve.1' }).waitFor()
  })

  it('filters by the address of the page, and counts what is left', async () => {
    await page.getByLabel('Tag', { exact: true }).fill('site:north')
    await page.getByText('3 of 61').waitFor()
    assert.equal(await rows().count(), 3)
    assert.match(page.url(), /tag=site/)
    await page.getByLabel('Status').selectOption('locked')
    await page.getByText('No device matches the filters.').waitFor()
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await page.getByLabel('Connection').selectOption('yes')
    await page.getByText('1 of 61').waitFor()
    await page.getByRole('link', { name: 'valve.1' }).waitFor()
    await page.getByLabel('Address or range').fill('nonsense')
    await page.getByText('is neither an address nor a CIDR range').first().waitFor()
    await goTo(page, `/connectors/${instance.connector.id}?tag=site`)
    await page.getByText('3 of 61').waitFor()
  })

  it('locks those of a page and deletes all that match, after a preview of how many', async () => {
    await rows().first().getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Lock', exact: true }).click()
    await page.getByRole('dialog').getByText('Lock: 1 devices?').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Lock' }).click()
    await page.getByText('1 changed, 0 left as they were, 0 failed.').waitFor()
    assert.equal((await list({ status: 'locked' })).devices.length, 1)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByLabel('all 3 that match').check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByText('Delete: 3 devices?').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('3 changed, 0 left as they were, 0 failed.').waitFor()
    assert.equal((await list({})).total, 58)
  })

  it('gives commands that connect a first device over TLS, as they stand', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-first-'))
    atEnd(t, () => rm(folder, { recursive: true }))
    const shell = (command: string) => run('bash', ['-c', command], { cwd: folder })
    const shownCommand = async () => (await page.locator('main pre').first().textContent()) ?? ''
    const { id } = await askManagement(instance, 'POST', '/connectors', {
      name: 'Encrypted',
      provisioning: { generate_identity: true },
      resources: { level: { format: 'string', allowed: ['low', 'high'] } },
    })
    await goTo(page, `/connectors/${id}`)
    await page.getByText('A device registers itself with its activation:').waitFor()
    await page.getByRole('button', { name: 'Copy the command' }).waitFor()
    await shell(`${await shownCommand()}\necho "$TOKEN" > token`)
    await page.getByRole('link', { name: 'my-device' }).click()
    await page.getByText('With the token of its activation:').waitFor()
    await page.getByRole('button', { name: 'Copy the command' }).waitFor()
    const { stdout } = await shell(`TOKEN=$(cat token)\n${await shownCommand()}`)
    assert.match(stdout, /204 No Content/)
    const device = await identities().get(instance.businessId, id, 'my-device')
    assert.equal(device.state.level?.reported, 'low')
  })
})
