import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
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
import { type FakeModule, fakeModule, insight, module } from '../../../fixtures/pipelines.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../../fixtures/wire/device.ts'

const modes = {
  name: 'modes',
  type: 'string',
  multiple: true,
  enum: ['a', 'b', 'c'],
  enum_presented: ['First', 'Second', 'Third'],
}
const described = (more = {}) => insight('work', { constants: [modes], ...more })

let instance: TestPlatform
let shown: TestConsole
let page: Page
let client: MillraceClient
let fake: FakeModule
let moduleId: string
let asset: string
let device: TestDevice

const view = () => wholeView(instance.businessId)
const saved = async () =>
  (await client.GET('/api:1/pipelines/{asset}', { params: { path: { asset } } })).data
const failed = async () => (await client.GET('/api:1/failed-calls')).data?.calls ?? []
const button = (name: string) => page.getByRole('button', { name, exact: true })

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, shown } = await testConsole(suite))
  const { platform, businessId, connector, httpUrl } = instance
  client = createClient({ url: httpUrl, credential: { apiToken: instance.token } })
  device = await newDevice(httpUrl, connector.id, 'tried')
  const made = await platform.assets.create(view(), {
    name: 'Pump',
    device: { connectorId: connector.id, identity: 'tried' },
    signals: [{ name: 'Heat', primitiveType: 'NUMERIC', source: { alias: 'temperature' } }],
  })
  asset = made.id
  fake = await fakeModule(suite, module([described()], { name: 'Shop' }))
  moduleId = (await platform.pipelines.modules.add(businessId, { url: fake.url })).id
  page = await shown.tab(`/assets/${asset}/pipeline`)
  await shown.signIn(page, instance.account)
})

describe('what goes wrong in a pipeline, in its editor', { skip: consoleSkipped }, () => {
  onConsole()

  it('takes checks, a timeout and several values of a constant by forms', async () => {
    await page.getByLabel('Module').selectOption({ label: 'Shop' })
    await button('Add The work').click()
    await page.getByLabel('in', { exact: true }).selectOption({ label: 'Heat' })
    await page.getByLabel('Timeout of a call in seconds').fill('5')
    await page.getByLabel('modes', { exact: true }).first().click()
    await page.getByRole('option', { name: 'Second' }).click()
    await page.getByRole('option', { name: 'Third' }).click()
    await page.getByLabel('modes', { exact: true }).first().press('Escape')
    await button('Add a check').click()
    await page.getByLabel('At most', { exact: true }).fill('100')
    await button('Add a check').click()
    await page.getByLabel('What must hold').nth(1).selectOption('time')
    await page.getByLabel('Days, such as mon, tue').fill('mon, tue')
    await page.getByLabel('From', { exact: true }).fill('25:00')
    await page.getByLabel('To', { exact: true }).fill('18:00')
    await button('Save the pipeline').click()
    await page.getByText('1 fault').first().waitFor()
    await assertAccessible(page, 'pipeline-checks')
    await page.getByLabel('From', { exact: true }).fill('08:00')
    await button('Remove check 1').click()
    await button('Save the pipeline').click()
    await page.getByText('Version 1').waitFor()
    const [link] = (await saved())?.links ?? []
    assert.deepEqual([link?.timeoutMs, link?.constants], [5_000, { modes: ['b', 'c'] }])
    const check = { type: 'time', days: ['mon', 'tue'], from: '08:00', to: '18:00' }
    assert.deepEqual(link?.checks, [check])
    await button('Remove check 1').click()
    await button('Save the pipeline').click()
    await page.getByText('Version 2').waitFor()
    assert.deepEqual((await saved())?.links[0]?.checks, [])
  })

  it('corrects and retries a failed call at its link', async () => {
    fake.answer({
      'POST /process': (response) => void response.writeHead(400).end('{"message":"too cold"}'),
    })
    const link = (await saved())?.links[0]?.id
    // Those of this link are asked for: the newest of the business may be of others.
    const asked = page.waitForRequest((one) => {
      const { pathname, searchParams } = new URL(one.url())
      const isOfLink = searchParams.get('link') === link && searchParams.get('asset') === asset
      return pathname === '/api:1/failed-calls' && isOfLink
    })
    assert.equal((await device.write('temperature=20')).status, 204)
    await until(failed, ({ length }) => length === 1)
    await page.getByText('1 failed call').first().waitFor()
    await asked
    await button('Correct and retry').click()
    const dialog = page.getByRole('dialog')
    const input = dialog.getByRole('textbox')
    await input.fill((await input.inputValue()).replace('"value": 20', '"value": 21'))
    await assertAccessible(page, 'pipeline-failed-call')
    const before = fake.bodies('POST /process').length
    fake.answer({ 'POST /process': [[]] })
    await dialog.getByRole('button', { name: /^Retry/ }).click()
    await dialog.waitFor({ state: 'detached' })
    await until(failed, ({ length }) => length === 0)
    const [again] = fake.bodies('POST /process').slice(before)
    assert.match(JSON.stringify(again), /"value":21/)
  })

  it('marks a link as outdated whose function is listed otherwise', async () => {
    fake.answer(module([described({ outlets: [] })], { name: 'Shop' }))
    await instance.platform.pipelines.modules.refresh(instance.businessId, moduleId)
    await page.getByText('outdated').first().waitFor()
    await page.getByText('0 outlets now, not 1').waitFor()
    await assertAccessible(page, 'pipeline-outdated')
    const { links } = { links: await instance.platform.pipelines.links.ofAssets(view(), [asset]) }
    assert.match(links[0]?.outdated.join() ?? '', /0 outlets now/)
  })

  it('asks before the page is left with changes, and keeps them', async () => {
    await page.getByLabel('Name', { exact: true }).fill('Renamed')
    const asked: string[] = []
    page.on('dialog', (question) => {
      asked.push(question.message())
      if (asked.length === 1) void question.dismiss()
      else void question.accept()
    })
    const overview = page.getByRole('link', { name: 'Overview' }).first()
    await overview.click()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Renamed')
    await overview.click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    assert.equal(asked.length, 2)
    assert.equal((await saved())?.links[0]?.name, 'The work')
  })

  it('shows the diagram first on a phone, and functions when they are asked for', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`${shown.origin}/assets/${asset}/pipeline`)
    const add = button('Add Threshold')
    await button('Add a function').waitFor()
    assert.equal(await add.isVisible(), false)
    const diagram = page.getByRole('region', { name: /^Diagram of the pipeline/ })
    assert.ok(((await diagram.boundingBox())?.y ?? 999) < 500, 'the diagram is on the screen')
    await button('Add a function').click()
    await add.click()
    await page.getByLabel('value', { exact: true }).selectOption({ label: 'Heat' })
    await page.getByLabel('warning').fill('30')
    await button('Save the pipeline').click()
    await page.getByText('Version 3').waitFor()
    assert.equal((await saved())?.links.length, 2)
    const errors = shown.errors.filter((text) => !/status of 4/.test(text))
    assert.deepEqual(errors, [])
  })
})
