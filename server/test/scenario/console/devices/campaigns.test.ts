import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  consoleSkipped,
  signedInConsole,
  type TestConsole,
} from '../../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { newDevice, send, type TestDevice } from '../../../fixtures/wire/device.ts'

describe('campaigns of contents in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page
  let pump: TestDevice

  const campaigns = () =>
    instance.platform.provisioning.campaigns.list(instance.businessId, instance.connector.id)
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  before(async () => {
    ;({ instance, shown, page } = await signedInConsole(suite))
    const { businessId, connector, httpUrl, platform } = instance
    pump = await newDevice(httpUrl, connector.id, 'pump.7')
    await newDevice(httpUrl, connector.id, 'pump.8')
    for (const identity of ['pump.7', 'pump.8']) {
      const add = [{ name: 'site', value: 'north' }]
      await platform.provisioning.identities.changeTags(businessId, connector.id, identity, { add })
    }
  })

  it('begins one for the devices of a tag', async () => {
    await page.goto(`${shown.origin}/connectors/${instance.connector.id}/content`)
    await page.getByText('Upload a content first').waitFor()
    const { contents } = instance.platform.provisioning
    const where = [instance.businessId, instance.connector.id, 'firmware.bin'] as const
    await contents.put(...where, { meta: '1.4.0' }, bytes())
    await page.locator('select[name=content]').selectOption('firmware.bin')
    await page.getByLabel('Tag of the devices').fill('site')
    await page.getByLabel('Value of the tag').fill('north')
    await button('Begin the campaign').click()
    await page.getByText('0 of 2 have downloaded it').waitFor()
    await page.getByLabel('Tag of the devices').fill('site')
    await page.getByLabel('Value of the tag').fill('north')
    await button('Begin the campaign').click()
    await page.getByText('The content has a campaign of this tag already.').waitFor()
    assert.equal(await page.getByLabel('Value of the tag').inputValue(), 'north')
    assert.deepEqual((await campaigns())[0]?.tag, { name: 'site', value: 'north' })
  })

  it('shows its progress, and leads to its devices', async () => {
    await send(instance.httpUrl, 'GET', '/provision/download?id=firmware.bin', {
      'X-vendor-CIK': pump.token,
    })
    await page.reload()
    await page.getByText('1 of 2 have downloaded it').waitFor()
    await assertAccessible(page, 'campaigns')
    await page.getByRole('link', { name: 'site:north' }).click()
    await page.getByRole('link', { name: 'pump.8' }).click()
    await page.getByRole('heading', { level: 1, name: 'pump.8' }).waitFor()
    await page.getByRole('tab', { name: 'Content', exact: true }).click()
    await page.getByText('offered', { exact: true }).waitFor()
    await page.goto(`${shown.origin}/connectors/${instance.connector.id}/devices/pump.7/content`)
    await page.getByText('downloaded', { exact: true }).waitFor()
    await page.getByText('8 of 8 bytes').waitFor()
    await assertAccessible(page, 'device-content')
  })

  it('ends one', async () => {
    await page.goto(`${shown.origin}/connectors/${instance.connector.id}/content`)
    await button('End the campaign of firmware.bin for site:north').click()
    await button('End it').click()
    await page.getByText('No campaign yet.').waitFor()
    assert.deepEqual(await campaigns(), [])
    const refused = shown.errors.splice(0).filter((error) => !/status of 4\d\d/.test(error))
    assert.deepEqual(refused, [])
  })
})

async function* bytes(): AsyncGenerator<Buffer> {
  yield Buffer.from('firmware')
}
