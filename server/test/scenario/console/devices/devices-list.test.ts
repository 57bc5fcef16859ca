import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../../fixtures/browser/console.ts'
import { atEnd } from '../../../fixtures/ends.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'

const run = promisify(execFile)

describe('the devices of a connector in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  const identities = () => instance.platform.provisioning.identities
  const list = (input: object) =>
    identities().list(instance.businessId, instance.connector.id, input)
  const rows = () => page.getByRole('row').filter({ has: page.getByRole('checkbox') })

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    const { businessId, connector, httpUrl } = instance
    for (let n = 0; n < 60; n++) {
      const tags = n < 3 ? [{ name: 'site', value: 'north' }] : []
      await identities().whitelist(businessId, connector.id, `pump.${n + 10}`, { tags })
    }
    await newDevice(httpUrl, connector.id, 'valve.1')
    page = await shown.tab(`/connectors/${connector.id}`)
    await shown.signIn(page, instance.account)
  })

  it('pages through the devices, with their total', async () => {
    await page.getByText('61 in all').waitFor()
    assert.equal(await rows().count(), 50)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByRole('link', { name: 'pump.69' }).waitFor()
    assert.equal(await rows().count(), 11)
    await page.goBack()
    await page.getByRole('link', { name: 'valve.1' }).waitFor()
    await assertAccessible(page, 'device-list')
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
    shown.errors.splice(0)
    await page.goto(`${shown.origin}/connectors/${instance.connector.id}?tag=site`)
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
    await assertAccessible(page, 'devices-delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('3 changed, 0 left as they were, 0 failed.').waitFor()
    assert.equal((await list({})).total, 58)
    assert.deepEqual(shown.errors, [])
  })

  it('gives commands that connect a first device over TLS, as they stand', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-first-'))
    atEnd(t, () => rm(folder, { recursive: true }))
    const shell = (command: string) => run('bash', ['-c', command], { cwd: folder })
    const shownCommand = async () => (await page.locator('main pre').first().textContent()) ?? ''
    const made = await fetch(`${shown.origin}/api:1/connectors`, {
      method: 'POST',
      headers: { authorization: instance.basic, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'Encrypted',
        provisioning: { generate_identity: true },
        resources: { level: { format: 'string', allowed: ['low', 'high'] } },
      }),
    })
    const { id } = (await made.json()) as { id: string }
    await page.goto(`${shown.origin}/connectors/${id}`)
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
