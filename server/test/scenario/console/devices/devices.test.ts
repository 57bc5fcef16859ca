import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { wholeView } from '../../../../src/groups/index.ts'
import { BrowserPage, findBrowser } from '../../../fixtures/browser/browser.ts'
import { buildConsole } from '../../../fixtures/browser/console.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../../fixtures/wire/device.ts'
import { type Relay, relayTo } from '../../../fixtures/wire/relay.ts'

const browser = findBrowser()
const skip = browser === undefined ? 'this machine has no Chromium' : false

describe('the console in a browser', { skip }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let relay: Relay
  let page: BrowserPage
  let device: TestDevice

  before(async () => {
    await buildConsole()
    instance = await testPlatform(suite)
    const { httpUrl, connector, platform, businessId } = instance
    relay = await relayTo(suite, httpUrl)
    device = await newDevice(httpUrl, connector.id, 'pump.7')
    await device.write('temperature=20.5')
    await platform.assets.create(wholeView(businessId), {
      name: 'Pump 7',
      device: { connectorId: connector.id, identity: 'pump.7' },
      signals: [{ name: 'Heat', primitiveType: 'NUMERIC', source: { alias: 'temperature' } }],
    })
    await platform.scripting.solutions.create(businessId, { id: 'alerts', name: 'Alerts' })
    page = await BrowserPage.open(suite, browser ?? '')
  })

  const signIn = async (password: string) => {
    await page.type('input[name=email]', instance.account.email)
    await page.type('input[name=password]', password)
    await page.press('Sign in')
  }

  it('signs in with the right password alone', async () => {
    await page.visit(`${relay.origin}/connectors/${instance.connector.id}/devices/pump.7`)
    await page.shows('Sign in')
    await signIn('wrong')
    await page.shows('The e-mail address or the password is not right.')
    await signIn(instance.account.password)
    await page.shows('temperature')
    assert.deepEqual(page.errors.splice(0).map(statusOf), ['401'])
  })

  it('shows devices, assets and notifications, and the log as it comes', async () => {
    const { id } = instance.connector
    await page.visit(`${relay.origin}/assets`)
    await page.shows('Pump 7')
    const pump = `[...document.querySelectorAll('main a')]
      .find((one) => one.innerText === 'Pump 7')`
    await page.evaluate(`${pump}.click()`)
    await page.shows('Heat')
    await page.visit(`${relay.origin}/solutions`)
    await page.shows('Alerts')
    await page.visit(`${relay.origin}/solutions/alerts/notifications`)
    await page.shows('Nothing has arrived here.')
    await page.visit(`${relay.origin}/connectors/${id}`)
    await page.shows('pump.7')
    await page.press('Log')
    await page.shows('live')
    await device.write('temperature=21.5')
    await page.shows('Wrote temperature=21.5.')
  })

  it('changes a device and a setting', async () => {
    const { id } = instance.connector
    await page.visit(`${relay.origin}/connectors/${id}/devices/pump.7`)
    await page.press('Lock')
    await page.shows('locked')
    await page.press('Unlock')
    await page.visit(`${relay.origin}/connectors/${id}/settings`)
    await page.press('Change the settings')
    await page.shows('Most identities')
    await page.type('form input[inputmode=numeric]', 'four')
    await page.press('Save the changes')
    await page.shows('must be a whole number')
    await page.type('form input[inputmode=numeric]', '12')
    await page.press('Save the changes')
    await page.shows('12 characters')
    assert.deepEqual(page.errors.splice(0).map(statusOf), ['400'])
  })

  it('reports that the server is out of reach, and goes on when it is back', async () => {
    await page.press('Log')
    await page.shows('Pause')
    await page.shows('live')
    relay.cut(true)
    await page.shows('Millrace cannot be reached')
    await page.shows('reconnecting')
    await device.write('temperature=22.5')
    relay.mend()
    await page.shows('Wrote temperature=22.5.')
    // Of the requests that failed meanwhile.
    page.errors.splice(0)
  })

  it('deletes a device', async () => {
    await page.visit(`${relay.origin}/connectors/${instance.connector.id}/devices/pump.7`)
    await page.press('Delete')
    await page.shows('Delete pump.7?')
    await page.press('Delete', '[role=dialog]')
    await page.shows('No device yet.')
    assert.doesNotMatch(await textOf(page), /This page has a fault/)
  })

  it('asks no other address, and ends the session at the sign-out', async () => {
    await page.press(instance.account.email)
    await page.press('Sign out')
    await page.shows('E-mail address')
    assert.doesNotMatch(await textOf(page), /could not be reached/)
    const isForeign = (url: string) => !url.startsWith(relay.origin) && !/^data:/.test(url)
    assert.deepEqual(page.requested.filter(isForeign), [])
    assert.deepEqual(page.errors, [])
  })
})

async function textOf(page: BrowserPage): Promise<string> {
  return String(await page.evaluate('document.body.innerText'))
}

function statusOf(error: string): string | undefined {
  return /status of (\d+)/.exec(error)?.[1] ?? error
}
