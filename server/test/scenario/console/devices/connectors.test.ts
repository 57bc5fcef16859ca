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
import { newDevice } from '../../../fixtures/wire/device.ts'

describe('connectors in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  const connectors = () => instance.platform.provisioning.connectors
  const settingsOf = (id: string) => connectors().get(instance.businessId, id)
  const idOf = async (name: string) => {
    await page.getByRole('heading', { level: 1, name }).waitFor()
    return new URL(page.url()).pathname.split('/')[2] ?? ''
  }

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    page = await shown.tab('/connectors')
    await shown.signIn(page, instance.account)
  })

  it('creates a connector, with an error at its field first', async () => {
    await page.getByRole('link', { name: 'New connector' }).click()
    const host = page.getByLabel('Host label')
    await host.fill(instance.connector.id)
    await page.getByLabel('Name', { exact: true }).fill('Pumps <b>')
    await page.getByLabel(/Self-registration/).check()
    await page.getByLabel('Protocol').selectOption('mqtt')
    await page.getByRole('button', { name: 'Create the connector' }).click()
    await page.locator('input[name=id][aria-invalid=true]').waitFor()
    await assertAccessible(page, 'new-connector')
    await host.fill('pumps')
    await page.getByRole('button', { name: 'Create the connector' }).click()
    assert.equal(await idOf('Pumps <b>'), 'pumps')
    const made = await settingsOf('pumps')
    assert.deepEqual(
      [made.name, made.protocolName, made.devmode, made.selfRegistration],
      ['Pumps <b>', 'mqtt', false, true],
    )
  })

  it('imports a definition from a file, and names what it left out', async () => {
    await page.goto(`${shown.origin}/connectors?add=import`)
    const choose = async (text: string) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByLabel('Definition (JSON)').click(),
      ])
      const buffer = Buffer.from(text)
      await chooser.setFiles({ name: 'tanks.json', mimeType: 'application/json', buffer })
    }
    await choose('[]')
    await page.getByText('The file is no JSON object.').waitFor()
    const resources = { level: { format: 'float' }, alarm: { format: 'boolean' } }
    await choose(JSON.stringify({ name: 'Tanks', tags_schema: [], resources }))
    await page.getByText('It defines 2 resources.').waitFor()
    await assertAccessible(page, 'import-connector')
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByText('tags_schema').waitFor()
    await page.getByRole('link', { name: 'Tanks' }).click()
    const made = await settingsOf(await idOf('Tanks'))
    assert.deepEqual([...made.resources.keys()].sort(), ['alarm', 'level'])
  })

  it('changes settings, and reveals those of PKI and of its vendor', async () => {
    await page.goto(`${shown.origin}/connectors/pumps/settings`)
    await page.getByRole('button', { name: 'Change the settings' }).click()
    assert.equal(await page.getByLabel('Client CA certificate (PEM)').count(), 0)
    await page.getByLabel(/Enable PKI/).check()
    assert.equal(await page.getByLabel('Profile name').count(), 0)
    await page.getByLabel('Certificate vendor').selectOption('internal')
    await page.getByLabel('Validity in months').fill('999')
    await page.getByLabel('Identity prefix').fill('P-')
    await page.getByLabel(/Restrict IP/).check()
    await page.getByLabel(/Addresses and ranges/).fill('10.0.0.0/8')
    await page.getByRole('button', { name: 'Save the changes' }).click()
    await page.locator('[aria-invalid=true]').waitFor()
    assert.equal(await page.getByLabel('Validity in months').getAttribute('aria-invalid'), 'true')
    await assertAccessible(page, 'connector-settings-form')
    await page.getByLabel('Validity in months').fill('12')
    await page.getByRole('button', { name: 'Save the changes' }).click()
    await page.getByRole('button', { name: 'Change the settings' }).waitFor()
    await assertAccessible(page, 'connector-settings')
    const { pki, ipRestriction, identityFormat } = await settingsOf('pumps')
    assert.deepEqual([pki.vendor, pki.vendorOptions.validityMonths], ['internal', 12])
    assert.deepEqual(ipRestriction, { enabled: true, allowed: ['10.0.0.0/8'] })
    assert.equal(identityFormat.prefix, 'P-')
  })

  it('deletes a connector after it named what depends on it', async () => {
    const { id, name } = instance.connector
    await newDevice(instance.httpUrl, id, 'pump.7')
    await page.goto(`${shown.origin}/connectors/${id}/settings`)
    await page.getByRole('button', { name: 'Delete the connector' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/Devices \(1\): pump\.7/).waitFor()
    await assertAccessible(page, 'delete-connector')
    const action = dialog.getByRole('button', { name: 'Delete' })
    assert.equal(await action.isDisabled(), true)
    await dialog.getByLabel(/Type its name/).fill(name)
    await action.click()
    await page.getByRole('heading', { level: 1, name: 'Connectors' }).waitFor()
    await assert.rejects(settingsOf(id), { code: 'not_found' })
    await assertAccessible(page, 'connectors')
    const refused = shown.errors.splice(0).filter((error) => !/status of 4\d\d/.test(error))
    assert.deepEqual(refused, [])
  })
})
