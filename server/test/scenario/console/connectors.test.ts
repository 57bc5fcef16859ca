import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { chooseFile, goTo, savedBy, signedInConsole, skip } from '../../fixtures/browser/console.ts'
import { exampleConnector, type TestPlatform, unique } from '../../fixtures/platform.ts'
import { sharedBySuites, suiteContext } from '../../fixtures/suite.ts'
import { openCa } from '../../fixtures/wire/ca.ts'
import { newDevice, send, type TestDevice } from '../../fixtures/wire/device.ts'
import { openOpenssl } from '../../fixtures/wire/openssl.ts'

let instance: TestPlatform
let page: Page

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, page } = await signedInConsole(suite, {
    path: '/connectors',
    expected: /status of 4\d\d/,
  }))
})

describe('connectors in the console', { skip }, () => {
  onConsole()

  const pumps = unique('pumps')
  const connectors = () => instance.platform.provisioning.connectors
  const readSettings = (id: string) => connectors().get(instance.businessId, id)
  const readId = async (name: string) => {
    await page.getByRole('heading', { level: 1, name }).waitFor()
    return new URL(page.url()).pathname.split('/')[2] ?? ''
  }

  it('creates a connector, with an error at its field first', async () => {
    await page.getByRole('link', { name: 'New connector' }).click()
    const host = page.getByLabel('Host label')
    await host.fill(instance.connector.id)
    await page.getByLabel('Name', { exact: true }).fill('Pumps <b>')
    await page.getByLabel(/Self-registration/).check()
    await page.getByLabel('Protocol').selectOption('mqtt')
    await page.getByRole('button', { name: 'Create the connector' }).click()
    await page.locator('input[name=id][aria-invalid=true]').waitFor()
    await host.fill(pumps)
    await page.getByRole('button', { name: 'Create the connector' }).click()
    assert.equal(await readId('Pumps <b>'), pumps)
    const made = await readSettings(pumps)
    assert.deepEqual(
      [made.name, made.protocolName, made.devmode, made.selfRegistration],
      ['Pumps <b>', 'mqtt', false, true],
    )
  })

  it('imports a definition from a file, and names what it left out', async () => {
    await goTo(page, '/connectors?add=import')
    const choose = (text: string) =>
      chooseFile(page.getByLabel('Definition (JSON)'), 'tanks.json', text)
    await choose('[]')
    await page.getByText('The file is no JSON object.').waitFor()
    const resources = { level: { format: 'float' }, alarm: { format: 'boolean' } }
    await choose(JSON.stringify({ name: 'Tanks', tags_schema: [], resources }))
    await page.getByText('It defines 2 resources.').waitFor()
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByText('tags_schema').waitFor()
    await page.getByRole('link', { name: 'Tanks' }).click()
    const made = await readSettings(await readId('Tanks'))
    assert.deepEqual([...made.resources.keys()].sort(), ['alarm', 'level'])
  })

  it('changes settings, and reveals those of PKI and of its vendor', async () => {
    await goTo(page, `/connectors/${pumps}/settings`)
    await page.getByRole('button', { name: 'Change the settings' }).click()
    assert.equal(await page.getByLabel('Client CA certificate (PEM)').count(), 0)
    await page.getByLabel(/Enable PKI/).check()
    assert.equal(await page.getByLabel('Profile name').count(), 0)
    await page.getByLabel('Certificate vendor').selectOption('internal')
    await page.getByLabel('Validity in months').fill('999')
    await page.getByLabel('Identity prefix').fill('P-')
    await page.locator('form input[inputmode=numeric]').first().fill('12')
    await page.getByLabel(/Restrict IP/).check()
    await page.getByLabel(/Addresses and ranges/).fill('10.0.0.0/8')
    await page.getByRole('button', { name: 'Save the changes' }).click()
    await page.locator('[aria-invalid=true]').waitFor()
    assert.equal(await page.getByLabel('Validity in months').getAttribute('aria-invalid'), 'true')
    await page.getByLabel('Validity in months').fill('12')
    await page.getByRole('button', { name: 'Save the changes' }).click()
    await page.getByRole('button', { name: 'Change the settings' }).waitFor()
    await page.getByText('12 characters').waitFor()
    const { pki, ipRestriction, identityFormat } = await readSettings(pumps)
    assert.deepEqual([pki.vendor, pki.vendorOptions.validityMonths], ['internal', 12])
    assert.deepEqual(ipRestriction, { enabled: true, allowed: ['10.0.0.0/8'] })
    assert.equal(identityFormat.prefix, 'P-')
  })

  it('deletes a connector after it named what depends on it', async () => {
    const settings = { ...exampleConnector, name: 'Doomed' }
    const { id, name } = await connectors().create(instance.businessId, settings)
    await newDevice(instance.httpUrl, id, 'pump.7')
    await goTo(page, `/connectors/${id}/settings`)
    await page.getByRole('button', { name: 'Delete the connector' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/Devices \(1\): pump\.7/).waitFor()
    const action = dialog.getByRole('button', { name: 'Delete' })
    assert.equal(await action.isDisabled(), true)
    await dialog.getByLabel(/Type its name/).fill(name)
    await action.click()
    await page.getByRole('heading', { level: 1, name: 'Connectors' }).waitFor()
    await assert.rejects(readSettings(id), { code: 'not_found' })
  })
})

const csv = 'ID,Tags\npump-1,"[{""name"":""site"",""value"":""a, b""}]"\npump-2,\npump-3,nonsense\n'

const devices = async () => {
  const { platform, businessId, connector } = instance
  const found = await platform.provisioning.identities.list(businessId, connector.id)
  return found.devices.map(({ identity }) => identity).sort()
}
const open = (view: string) => goTo(page, `/connectors/${instance.connector.id}${view}`)
const choose = (label: string, name: string, text: string) =>
  chooseFile(page.getByLabel(label, { exact: true }), name, text)
const saved = (name: string) => savedBy(page.getByRole('button', { name }))

describe('whitelist and content', { skip }, () => {
  onConsole()

  it('whitelists one identity', async () => {
    await open('')
    await page.getByRole('button', { name: 'Whitelist an identity' }).click()
    await page.getByLabel('Identity', { exact: true }).fill('pump-0')
    await page.getByRole('button', { name: 'Whitelist', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'pump-0' }).waitFor()
    assert.deepEqual(await devices(), ['pump-0'])
  })

  it('checks a file, writes it, and gives its rows back with their results', async () => {
    await open('')
    await page.getByRole('button', { name: 'Whitelist by a CSV file' }).click()
    await choose('CSV file of identities', 'devices.csv', csv)
    await page.getByRole('button', { name: 'Check only' }).click()
    await page.getByText(/Nothing was written.* 2 added, .* 1 failed/).waitFor()
    await page.getByRole('cell', { name: 'pump-3' }).waitFor()
    assert.deepEqual(await devices(), ['pump-0'])
    await page.getByRole('button', { name: 'Whitelist them' }).click()
    await page.getByText(/^Written: 2 added/).waitFor()
    assert.deepEqual(await devices(), ['pump-0', 'pump-1', 'pump-2'])
    const answer = await saved('Download the rows with their results')
    assert.match(answer, /^ID,Tags,status,code,message/)
    await choose('CSV file of identities', 'devices.csv', answer.replace('nonsense', ''))
    await page.getByRole('button', { name: 'Whitelist them' }).click()
    await page.getByText(/^Written: 1 added, 0 changed, 2 unchanged, 0 failed/).waitFor()
    assert.deepEqual(await devices(), ['pump-0', 'pump-1', 'pump-2', 'pump-3'])
  })

  it('uploads and deletes a content', async () => {
    const contents = () =>
      instance.platform.provisioning.contents.list(instance.businessId, instance.connector.id)
    await open('/content')
    await page.getByText('Nothing yet.').waitFor()
    await choose('File', 'firmware.bin', 'new firmware')
    await page.getByLabel('Version or note').fill('1.2.0')
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('12 bytes').waitFor()
    const [content] = await contents()
    assert.deepEqual([content?.id, content?.meta], ['firmware.bin', '1.2.0'])
    await page.getByRole('button', { name: 'Delete firmware.bin' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Nothing yet.').waitFor()
    assert.deepEqual(await contents(), [])
  })
})

describe('certificates and log files', { skip }, () => {
  onConsole()
  const suite = suiteContext()

  it('creates the built-in authority, and extends a window', async () => {
    await open('/certificates')
    await page.getByRole('button', { name: '+48 h: pump-0' }).click()
    await page.getByRole('button', { name: 'Create and use it' }).click()
    await page.getByText(/The built-in authority is valid from/).waitFor()
    assert.match(await saved('Download the authority'), /^-----BEGIN CERTIFICATE-----/)
    const { platform, businessId, connector } = instance
    const { pki } = await platform.provisioning.connectors.get(businessId, connector.id)
    assert.equal(pki.vendor, 'internal')
  })

  it('lists the certificate of a device by its end, and leads to the device', async () => {
    const { platform, businessId } = instance
    const { connectors, identities } = platform.provisioning
    const openssl = await openOpenssl(suite)
    const ca = await openCa(openssl)
    // The other one has the built-in authority.
    const connector = await connectors.create(businessId, { name: 'Signed' })
    await connectors.patch(businessId, connector.id, { pki: { enabled: true, caPem: ca.pem } })
    for (const [name, days] of [
      ['later', 300],
      ['sooner', 3],
    ] as const) {
      const key = await openssl.request({ subject: `/CN=${name}` })
      const certificate = await ca.sign(key.csr, { days })
      await identities.whitelist(businessId, connector.id, name, {
        auth: { type: 'certificate', key: certificate },
      })
    }
    await goTo(page, `/connectors/${connector.id}/certificates`)
    await page.getByText('2 days').waitFor()
    const rows = page.getByRole('row').filter({ hasText: 'days' })
    assert.deepEqual(await rows.getByRole('link').allTextContents(), ['sooner', 'later'])
    await page.getByRole('link', { name: 'sooner' }).click()
    await page.getByRole('heading', { level: 1, name: 'sooner' }).waitFor()
  })

  it('searches the log by text and time, and saves it', async () => {
    const { httpUrl, connector } = instance
    const device = await newDevice(httpUrl, connector.id, 'valve.1')
    await device.write('temperature=20.5')
    await device.write('temperature=33.5')
    await open('/log')
    await page.getByText('Wrote temperature=20.5.').waitFor()
    await page.getByLabel('Text').fill('33.5')
    await page.getByText('1 lines').waitFor()
    const file = await saved('Download as CSV')
    assert.match(file, /^time,type,severity/)
    assert.match(file, /Wrote temperature=33\.5/)
    assert.doesNotMatch(file, /20\.5/)
    await page.getByLabel('From', { exact: true }).fill('2001-01-01T00:00')
    await page.getByLabel('To', { exact: true }).fill('2001-01-02T00:00')
    await page.getByRole('button', { name: 'Show the lines of this time' }).click()
    await page.getByText('0 lines of this time').waitFor()
    await page.getByLabel('To', { exact: true }).fill('2101-01-02T00:00')
    await page.getByRole('button', { name: 'Show the lines of this time' }).click()
    await page.getByText('1 lines of this time').waitFor()
  })
})

describe('campaigns of contents in the console', { skip }, () => {
  onConsole()
  let pump: TestDevice

  const campaigns = () =>
    instance.platform.provisioning.campaigns.list(instance.businessId, instance.connector.id)
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  before(async () => {
    const { businessId, connector, httpUrl, platform } = instance
    pump = await newDevice(httpUrl, connector.id, 'pump.7')
    await newDevice(httpUrl, connector.id, 'pump.8')
    for (const identity of ['pump.7', 'pump.8']) {
      const add = [{ name: 'site', value: 'north' }]
      await platform.provisioning.identities.changeTags(businessId, connector.id, identity, { add })
    }
  })

  it('begins one for the devices of a tag', async () => {
    await goTo(page, `/connectors/${instance.connector.id}/content`)
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
    await page.getByRole('link', { name: 'site:north' }).click()
    await page.getByRole('link', { name: 'pump.8' }).click()
    await page.getByRole('heading', { level: 1, name: 'pump.8' }).waitFor()
    await page.getByRole('tab', { name: 'Content', exact: true }).click()
    await page.getByText('offered', { exact: true }).waitFor()
    await goTo(page, `/connectors/${instance.connector.id}/devices/pump.7/content`)
    await page.getByText('downloaded', { exact: true }).waitFor()
    await page.getByText('8 of 8 bytes').waitFor()
  })

  it('ends one', async () => {
    await goTo(page, `/connectors/${instance.connector.id}/content`)
    await button('End the campaign of firmware.bin for site:north').click()
    await button('End it').click()
    await page.getByText('No campaign yet.').waitFor()
    assert.deepEqual(await campaigns(), [])
  })
})

async function* bytes(): AsyncGenerator<Buffer> {
  yield Buffer.from('firmware')
}
