import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { createClient, type MillraceClient } from '@millrace/client'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../src/people/groups/index.ts'
import { goTo, signedInConsole, skip } from '../../fixtures/browser/console.ts'
import { until } from '../../fixtures/interface.ts'
import { fakeModule, insight, module } from '../../fixtures/pipelines.ts'
import type { TestPlatform } from '../../fixtures/platform.ts'
import { sharedBySuites, suiteContext } from '../../fixtures/suite.ts'
import { newDevice } from '../../fixtures/wire/device.ts'

let client: MillraceClient
let instance: TestPlatform
let page: Page

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, page } = await signedInConsole(suite, { expected: /status of 4\d\d/ }))
  client = createClient({ url: instance.httpUrl, credential: { apiToken: instance.token } })
})

const readPipeline = async (asset: string) =>
  (await client.GET('/api:1/pipelines/{asset}', { params: { path: { asset } } })).data

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
async function hostileModule(suite: Parameters<typeof fakeModule>[0]) {
  const { platform, businessId } = instance
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

describe('the pipeline editor of the console', { skip }, () => {
  onConsole()
  const suite = suiteContext()
  let asset: string
  let device: Awaited<ReturnType<typeof newDevice>>

  before(async () => {
    ;({ asset, device } = await recorded(instance))
    await hostileModule(suite)
    await goTo(page, `/assets/${asset}/pipeline`)
  })

  const saved = () => readPipeline(asset)
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
  })
})

const modes = {
  name: 'modes',
  type: 'string',
  multiple: true,
  enum: ['a', 'b', 'c'],
  enum_presented: ['First', 'Second', 'Third'],
}
const described = (more = {}) => insight('work', { constants: [modes], ...more })

const button = (name: string) => page.getByRole('button', { name, exact: true })

/** An asset whose device writes what a module of constants with several values works on. */
async function makeCooler(suite: Parameters<typeof fakeModule>[0]) {
  const { platform, businessId, connector, httpUrl } = instance
  const device = await newDevice(httpUrl, connector.id, 'cold')
  const { id: asset } = await platform.assets.create(wholeView(businessId), {
    name: 'Cooler',
    device: { connectorId: connector.id, identity: 'cold' },
    signals: [{ name: 'Heat', primitiveType: 'NUMERIC', source: { alias: 'temperature' } }],
  })
  const fake = await fakeModule(suite, module([described()], { name: 'Shop' }))
  const { id: moduleId } = await platform.pipelines.modules.add(businessId, { url: fake.url })
  return { asset, device, fake, moduleId }
}

describe('what goes wrong in a pipeline, in its editor', { skip }, () => {
  onConsole()
  const suite = suiteContext()
  let made: Awaited<ReturnType<typeof makeCooler>>

  const failed = async () => (await client.GET('/api:1/failed-calls')).data?.calls ?? []
  const saved = () => readPipeline(made.asset)

  before(async () => {
    made = await makeCooler(suite)
    await goTo(page, `/assets/${made.asset}/pipeline`)
  })

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
    made.fake.answer({
      'POST /process': (response) => void response.writeHead(400).end('{"message":"too cold"}'),
    })
    const link = (await saved())?.links[0]?.id
    // The calls of this link are asked for: the newest of the business may be of others.
    const asked = page.waitForRequest((one) => {
      const { pathname, searchParams } = new URL(one.url())
      const isOfLink = searchParams.get('link') === link && searchParams.get('asset') === made.asset
      return pathname === '/api:1/failed-calls' && isOfLink
    })
    assert.equal((await made.device.write('temperature=20')).status, 204)
    await until(failed, ({ length }) => length === 1)
    await page.getByText('1 failed call').first().waitFor()
    await asked
    await button('Correct and retry').click()
    const dialog = page.getByRole('dialog')
    const input = dialog.getByRole('textbox')
    await input.fill((await input.inputValue()).replace('"value": 20', '"value": 21'))
    const before = made.fake.bodies('POST /process').length
    made.fake.answer({ 'POST /process': [[]] })
    await dialog.getByRole('button', { name: /^Retry/ }).click()
    await dialog.waitFor({ state: 'detached' })
    await until(failed, ({ length }) => length === 0)
    const [again] = made.fake.bodies('POST /process').slice(before)
    assert.match(JSON.stringify(again), /"value":21/)
  })

  it('marks a link as outdated whose function is listed otherwise', async () => {
    made.fake.answer(module([described({ outlets: [] })], { name: 'Shop' }))
    await instance.platform.pipelines.modules.refresh(instance.businessId, made.moduleId)
    await page.getByText('outdated').first().waitFor()
    await page.getByText('0 outlets now, not 1').waitFor()
    const { links } = {
      links: await instance.platform.pipelines.links.ofAssets(wholeView(instance.businessId), [
        made.asset,
      ]),
    }
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
    await goTo(page, `/assets/${made.asset}/pipeline`)
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
  })
})
