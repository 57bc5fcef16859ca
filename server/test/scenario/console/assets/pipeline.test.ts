import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { createClient, type MillraceClient } from '@millrace/client'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../../src/groups/index.ts'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../../fixtures/browser/console.ts'
import { until } from '../../../fixtures/interface.ts'
import { fakeModule, insight, module } from '../../../fixtures/pipelines.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'

const markup = `<img src=x onerror="document.title='run'">`
const hostile = `${markup}${'W'.repeat(200)} \u202E\u05D0\u05D1\u05D2`

/** An asset with a number that a device wrote, two of four above 20, and a text. */
async function recorded({ platform, businessId, connector, httpUrl }: TestPlatform) {
  const view = wholeView(businessId)
  const device = await newDevice(httpUrl, connector.id, 'tried')
  const { id } = await platform.assets.create(view, {
    name: 'Pump',
    device: { connectorId: connector.id, identity: 'tried' },
    signals: [
      { name: 'Temperature', primitiveType: 'NUMERIC', source: { alias: 'temperature' } },
      { name: 'Place', primitiveType: 'STRING', source: { alias: 'a' } },
    ],
  })
  const [signal] = await platform.assets.signals.ofAssets(view, [id])
  for (const value of [10, 25, 10, 30]) {
    assert.equal((await device.write(`temperature=${value}`)).status, 204)
  }
  await until(
    () => platform.assets.history(view, signal?.id ?? '', { order: 'asc' }),
    ({ length }) => length === 4,
  )
  return { asset: id, device }
}

/** A module whose words are hostile, with a constant of each kind. */
async function hostileModule({ platform, businessId }: TestPlatform) {
  const constants = [
    {
      name: 'mode',
      type: 'string',
      enum: ['a', 'b'],
      enum_presented: ['First', 'Second'],
      translations: { de: { enum_presented: ['Erste', 'Zweite'] } },
    },
    { name: 'factor', type: 'number', minimum: 1, maximum: 5 },
    { name: 'names', type: 'string', multiple: true },
  ]
  const odd = insight('odd', { name: hostile, description: hostile, constants })
  const fake = await fakeModule(suite, module([odd], { name: 'Odd' }))
  await platform.pipelines.modules.add(businessId, { url: fake.url })
}

const suite = suiteContext()

describe('the pipeline editor of the console', { skip: consoleSkipped }, () => {
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page
  let client: MillraceClient
  let asset: string
  let device: Awaited<ReturnType<typeof newDevice>>

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    client = createClient({ url: instance.httpUrl, credential: { apiToken: instance.token } })
    ;({ asset, device } = await recorded(instance))
    await hostileModule(instance)
    page = await shown.tab(`/assets/${asset}/pipeline`)
    await shown.signIn(page, instance.account)
  })

  const saved = async () =>
    (await client.GET('/api:1/pipelines/{asset}', { params: { path: { asset } } })).data
  const save = () => page.getByRole('button', { name: 'Save the pipeline' }).click()

  it('adds a function; an inlet takes only what fits, and says why not', async () => {
    await page.getByRole('heading', { level: 1, name: 'Pipeline of Pump' }).waitFor()
    await page.getByRole('button', { name: 'Add Threshold' }).click()
    const inlet = page.getByLabel('value', { exact: true })
    const text = inlet.getByRole('option', { name: 'Place (STRING, not NUMERIC)' })
    await text.waitFor({ state: 'attached' })
    assert.equal(await text.isDisabled(), true)
    await save()
    await page.getByText('1 fault').or(page.getByText('2 faults')).first().waitFor()
    await assertAccessible(page, 'pipeline-faults')
    assert.deepEqual((await saved())?.links, [])
  })

  it('shows how often a rule would have fired, before it is saved', async () => {
    await page.getByLabel('value', { exact: true }).selectOption({ label: 'Temperature' })
    await page.getByLabel('warning').fill('20')
    await page.getByRole('button', { name: 'Simulate' }).click()
    await page.getByText('would have fired 2 times (saved pipeline: 0)').waitFor()
    assert.equal((await saved())?.version, 0)
  })

  it('saves the pipeline as one change, and stops and starts a link', async () => {
    await save()
    await page.getByText('Version 1').waitFor()
    const [link] = (await saved())?.links ?? []
    assert.deepEqual([link?.functionId, link?.constants?.warning], ['threshold', 20])
    await page.getByRole('checkbox', { name: 'Threshold runs' }).uncheck()
    await save()
    await page.getByText('Version 2').waitFor()
    assert.equal((await saved())?.links[0]?.enabled, false)
  })

  it('shows both changes of two people, who choose', async () => {
    await page.getByLabel('warning').fill('21')
    const { links = [], version } = (await saved()) ?? {}
    const theirs = links.map((link) => ({ ...link, name: 'Too hot' }))
    const body = { links: theirs, whole: true, ...(version !== undefined && { version }) }
    await client.PUT('/api:1/pipelines/{asset}', { params: { path: { asset } }, body })
    await page.getByText('Somebody else saved version 3 in the meantime').waitFor()
    const sides = page.getByRole('region', { name: 'What they changed' })
    assert.match(await sides.innerText(), /Too hot: name/)
    await assertAccessible(page, 'pipeline-conflict')
    await page.getByRole('button', { name: 'Save mine in place of theirs' }).click()
    await page.getByText('Version 4').waitFor()
    const [link] = (await saved())?.links ?? []
    assert.deepEqual([link?.name, link?.constants?.warning], ['Threshold', 21])
  })

  it('shows a hostile description as text, and its constants as a form', async () => {
    await page.getByLabel('Module').selectOption({ label: 'Odd' })
    await page.getByRole('button', { name: `Add ${markup}` }).click()
    await page.getByLabel('mode').selectOption({ label: 'Second' })
    await page.getByLabel('factor').fill('9')
    await page.getByLabel('names').fill('x\ny')
    await page.getByLabel('in', { exact: true }).selectOption({ label: 'Temperature' })
    await save()
    await page.getByText('1 fault').first().waitFor()
    await assertAccessible(page, 'pipeline-hostile')
    assert.equal(await page.locator('main img').count(), 0)
    await page.getByLabel('factor').fill('2')
    await page.getByLabel('Name', { exact: true }).fill('Odd one')
    await save()
    await page.getByText('Version 5').waitFor()
    const odd = (await saved())?.links.find(({ functionId }) => functionId === 'odd')
    assert.deepEqual(odd?.constants, { mode: 'b', factor: 2, names: ['x', 'y'] })
  })

  it('restores an earlier version', async () => {
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByLabel('From version').selectOption('1')
    await page.getByText('Threshold: enabled, constants').waitFor()
    await assertAccessible(page, 'pipeline-versions')
    await page.getByRole('button', { name: 'Restore version 1', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByRole('button', { name: 'Restore version 5' }).waitFor()
    const links = (await saved())?.links ?? []
    assert.deepEqual([links.length, links[0]?.enabled], [1, true])
  })

  it('follows a value of a status to the write of the device', async () => {
    assert.equal((await device.write('temperature=40')).status, 204)
    assert.equal((await device.write('temperature=10')).status, 204)
    await page.getByRole('tab', { name: 'Editor' }).click()
    await page.getByRole('button', { name: 'Threshold', exact: true }).click()
    await page.getByRole('button', { name: /^Trace the newest value of/ }).click()
    const steps = page.getByRole('list', { name: 'The way of a value' })
    await steps.getByText(/tried wrote it/).waitFor()
    await steps.getByText('Threshold: Its level went from 2 to 0').waitFor()
    const which = page.getByRole('dialog').getByLabel('Value', { exact: true })
    await which.locator('option').nth(2).waitFor({ state: 'attached' })
    await which.selectOption({ index: 2 })
    await steps.getByText('Threshold: Its level went from 0 to 2').waitFor()
    await assertAccessible(page, 'pipeline-trace')
    assert.deepEqual(
      shown.errors.filter((text) => !/status of 4/.test(text)),
      [],
    )
  })
})
