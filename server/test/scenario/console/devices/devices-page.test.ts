import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../../fixtures/wire/device.ts'

describe('a device in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page
  let device: TestDevice

  const read = () =>
    instance.platform.provisioning.identities.get(
      instance.businessId,
      instance.connector.id,
      'pump.7',
    )
  const open = (view: string) => page.getByRole('tab', { name: view, exact: true }).click()

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    const { businessId, connector, httpUrl, platform } = instance
    await platform.provisioning.connectors.patch(businessId, connector.id, {
      resources: {
        temperature: { format: 'number', unit: 'DEG_CELSIUS' },
        speed: { format: 'number', settable: true, allowed: ['0-100'] },
        valve: { format: 'boolean', settable: true },
      },
    })
    device = await newDevice(httpUrl, connector.id, 'pump.7')
    for (const value of [20.5, 21, 22.5]) await device.write(`temperature=${value}`)
    page = await shown.tab(`/connectors/${connector.id}/devices/pump.7`)
    await shown.signIn(page, instance.account)
  })

  it('sets a resource by the form of its format, with an error at its field', async () => {
    await page.getByRole('button', { name: 'Set speed' }).click()
    await page.getByLabel('speed', { exact: true }).fill('fast')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByText('must be a number').waitFor()
    await page.getByLabel('speed', { exact: true }).fill('500')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByText(/speed/).and(page.locator('p[id$=error]')).waitFor()
    await assertAccessible(page, 'device-set')
    await page.getByLabel('speed', { exact: true }).fill('50')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByText('not confirmed').waitFor()
    await page.getByRole('button', { name: 'Set valve' }).click()
    await page.getByLabel('valve', { exact: true }).selectOption('true')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByText('not confirmed').nth(1).waitFor()
    const { state } = await read()
    assert.deepEqual([state.speed?.set, state.valve?.set], ['50', 'true'])
    await assertAccessible(page, 'device-resources')
  })

  it('plots what the device wrote', async () => {
    await open('History')
    await page.getByRole('img', { name: /temperature: 22.5/ }).waitFor()
    assert.match(page.url(), /\/history$/)
    await device.write('temperature=23.5')
    await page.getByRole('img', { name: /temperature: 23.5/ }).waitFor()
    await assertAccessible(page, 'device-history')
  })

  it('shows its own log and its timeline, live', async () => {
    await newDevice(instance.httpUrl, instance.connector.id, 'other.1')
    await open('Log')
    await page.getByText('Wrote temperature=23.5.').waitFor()
    assert.equal(await page.getByText('other.1').count(), 0)
    await open('Timeline')
    await page.getByRole('row').filter({ hasText: 'provision' }).first().waitFor()
    assert.equal(await page.getByText('Wrote temperature').count(), 0)
    await assertAccessible(page, 'device-timeline')
  })

  it('rotates its credential, and shows the new token once', async () => {
    await open('Credentials')
    await page.getByLabel('New credential').selectOption('token')
    await page.getByRole('button', { name: 'Open a rotation' }).click()
    await page.getByText('It is shown once').waitFor()
    await assertAccessible(page, 'device-credentials')
    const { rotations } = instance.platform.provisioning
    const where = [instance.businessId, instance.connector.id, 'pump.7'] as const
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
    await assertAccessible(page, 'device-tags')
    await page.getByRole('button', { name: 'Remove site' }).click()
    await page.getByText('No tags yet.').waitFor()
    assert.deepEqual((await read()).tags, [])
    const refused = shown.errors.splice(0).filter((error) => !/status of 4\d\d/.test(error))
    assert.deepEqual(refused, [])
  })
})
