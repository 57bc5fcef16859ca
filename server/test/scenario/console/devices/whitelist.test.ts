import { strict as assert } from 'node:assert'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites, suiteContext } from '../../../fixtures/suite.ts'
import { openCa } from '../../../fixtures/wire/ca.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'
import { openOpenssl } from '../../../fixtures/wire/openssl.ts'

const csv = 'ID,Tags\npump-1,"[{""name"":""site"",""value"":""a, b""}]"\npump-2,\npump-3,nonsense\n'

let instance: TestPlatform
let shown: TestConsole
let page: Page

const devices = async () => {
  const { platform, businessId, connector } = instance
  const found = await platform.provisioning.identities.list(businessId, connector.id)
  return found.devices.map(({ identity }) => identity).sort()
}
const address = (view: string) => `${shown.origin}/connectors/${instance.connector.id}${view}`
const choose = async (label: string, name: string, text: string) => {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByLabel(label, { exact: true }).click(),
  ])
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
}
const saved = async (button: string) => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  return readFile(await download.path(), 'utf8')
}

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, shown } = await testConsole(suite))
  page = await shown.tab(`/connectors/${instance.connector.id}`)
  await shown.signIn(page, instance.account)
})

describe('whitelist and content', { skip: consoleSkipped }, () => {
  onConsole()

  it('whitelists one identity', async () => {
    await page.getByRole('button', { name: 'Whitelist an identity' }).click()
    await page.getByLabel('Identity', { exact: true }).fill('pump-0')
    await page.getByRole('button', { name: 'Whitelist', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'pump-0' }).waitFor()
    assert.deepEqual(await devices(), ['pump-0'])
  })

  it('checks a file, writes it, and gives its rows back with their results', async () => {
    await page.goto(address(''))
    await page.getByRole('button', { name: 'Whitelist by a CSV file' }).click()
    await choose('CSV file of identities', 'devices.csv', csv)
    await page.getByRole('button', { name: 'Check only' }).click()
    await page.getByText(/Nothing was written.* 2 added, .* 1 failed/).waitFor()
    await page.getByRole('cell', { name: 'pump-3' }).waitFor()
    assert.deepEqual(await devices(), ['pump-0'])
    await assertAccessible(page, 'whitelist-file')
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
    await page.goto(address('/content'))
    await page.getByText('Nothing yet.').waitFor()
    await choose('File', 'firmware.bin', 'new firmware')
    await page.getByLabel('Version or note').fill('1.2.0')
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('12 bytes').waitFor()
    const [content] = await contents()
    assert.deepEqual([content?.id, content?.meta], ['firmware.bin', '1.2.0'])
    await assertAccessible(page, 'content')
    await page.getByRole('button', { name: 'Delete firmware.bin' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Nothing yet.').waitFor()
    assert.deepEqual(await contents(), [])
  })
})

describe('certificates and log files', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  onConsole()

  it('creates the built-in authority, and extends a window', async () => {
    await page.goto(address('/certificates'))
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
    const connector = await connectors.create(businessId, { id: 'signed', name: 'Signed' })
    await connectors.patch(businessId, connector.id, { pki: { enabled: true, caPem: ca.pem } })
    for (const [name, days] of [
      ['later', 300],
      ['sooner', 3],
    ] as const) {
      const key = await openssl.request({ subject: `/CN=${name}` })
      const certificate = await ca.sign(key.csr, { days })
      await identities.whitelist(businessId, connector.id, name, {
        authType: 'certificate',
        certificate,
      })
    }
    await page.goto(`${shown.origin}/connectors/${connector.id}/certificates`)
    await page.getByText('2 days').waitFor()
    const rows = page.getByRole('row').filter({ hasText: 'days' })
    assert.deepEqual(await rows.getByRole('link').allTextContents(), ['sooner', 'later'])
    await assertAccessible(page, 'certificates')
    await page.getByRole('link', { name: 'sooner' }).click()
    await page.getByRole('heading', { level: 1, name: 'sooner' }).waitFor()
  })

  it('searches the log by text and time, and saves it', async () => {
    const { httpUrl, connector } = instance
    const device = await newDevice(httpUrl, connector.id, 'valve.1')
    await device.write('temperature=20.5')
    await device.write('temperature=33.5')
    await page.goto(address('/log'))
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
    await assertAccessible(page, 'connector-log')
    const refused = shown.errors.splice(0).filter((error) => !/status of 4\d\d/.test(error))
    assert.deepEqual(refused, [])
  })
})
