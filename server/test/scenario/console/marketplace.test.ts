import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { createClient, type MillraceClient } from '@millrace/client'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../src/people/groups/index.ts'
import { signedInConsole, skip } from '../../fixtures/browser/console.ts'
import { type FakeModule, fakeModule, insight, module } from '../../fixtures/pipelines.ts'
import type { TestPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'
import { definition, info, level, secret } from '../../fixtures/wire/market.ts'

/** A description of a module that must be shown as text: markup, no break, right to left. */
const markup = `<img src=x onerror="document.title='run'">`
const hostile = `${markup} ${'W'.repeat(200)} \u202E\u05D0\u05D1\u05D2`

function makeFile(content: object) {
  const buffer = Buffer.from(JSON.stringify(content, null, 2))
  return { name: 'api.json', mimeType: 'application/json', buffer }
}

/** Links a function of the module to an asset. */
async function linkTo({ businessId, platform }: TestPlatform, moduleId: string): Promise<void> {
  const view = wholeView(businessId)
  const { id: assetId } = await platform.assets.create(view, {
    name: 'Pump',
    signals: [{ name: 'Flow', primitiveType: 'NUMERIC' }],
  })
  const [flow] = await platform.assets.signals.ofAssets(view, [assetId])
  const inlets = [{ signalId: flow?.id ?? '' }]
  const link = { assetId, moduleId, functionId: 'double', name: 'Doubled flow', inlets }
  await platform.pipelines.links.create(view, link)
}

describe('the marketplace of the console', { skip }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let page: Page
  let client: MillraceClient
  let fake: FakeModule

  before(async () => {
    const options = { path: '/marketplace', expected: /status of 4/ }
    ;({ instance, page } = await signedInConsole(suite, options))
    client = createClient({ url: instance.httpUrl, credential: { apiToken: instance.token } })
    const odd = insight('odd', { name: hostile, description: hostile, type: 'rule' })
    const answers = module([insight('double'), odd], { description: hostile })
    fake = await fakeModule(suite, answers)
  })

  const modules = async () => (await client.GET('/api:1/modules')).data?.modules ?? []

  it('names every fault of a definition at its place', async () => {
    await page.getByText('Only the functions of the platform are used.').waitFor()
    await page.getByRole('link', { name: 'Publish a module' }).click()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('A definition is needed.').waitFor()
    const wrong = definition({ schemes: ['http'], produces: ['text/plain'] })
    await page.locator('input[type=file]').setInputFiles(makeFile(wrong))
    await page.getByLabel('OpenAPI 2.0, JSON or YAML').waitFor()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const faults = page.getByRole('list', { name: '2 faults in the definition' })
    assert.match(await faults.innerText(), /\/schemes[\s\S]*line 9[\s\S]*\/produces/)
    assert.deepEqual((await client.GET('/api:1/listings')).data?.listings, [])
  })

  it('publishes what was corrected; nothing that was typed is lost', async () => {
    const text = JSON.stringify(definition({ info: info(secret('token'), level) }), null, 2)
    await page.getByLabel('OpenAPI 2.0, JSON or YAML').fill(text)
    await page.getByLabel('Base URL').fill(fake.url)
    await page.getByLabel('Visibility').selectOption('public')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Secured' }).waitFor()
    const { data } = await client.GET('/api:1/listings')
    assert.deepEqual(
      data?.listings.map(({ name, visibility, base }) => [name, visibility, base]),
      [['Secured', 'public', `${fake.url}/`]],
    )
  })

  it('takes a module into use by its declared parameters', async () => {
    await page.getByLabel('level').fill('1.5')
    await page.getByRole('button', { name: 'Use this module' }).click()
    await page.getByText('It is required.').waitFor()
    await page.getByText('It must be a whole number.').waitFor()
    assert.equal(fake.requests.length, 0)
    await page.getByRole('textbox', { name: 'token' }).fill('very secret')
    await page.getByLabel('level').fill('3')
    await page.getByRole('button', { name: 'Use this module' }).click()
    await page.waitForURL(/\/marketplace\/modules\//)
    await page.getByRole('heading', { level: 1, name: 'Secured' }).waitFor()
    assert.equal((await modules()).length, 2)
  })

  it('shows functions as text, and no password', async () => {
    const cards = page.getByRole('list', { name: 'Functions' }).getByRole('listitem')
    await cards.nth(1).waitFor()
    assert.match(await cards.nth(1).innerText(), /<img src=x onerror=/)
    assert.equal(await page.locator('main img').count(), 0)
    assert.doesNotMatch(await page.content(), /very secret/)
    await page.getByText('It is set, and is not shown.').waitFor()
    assert.match(await page.title(), /^Secured/)
  })

  it('checks, configures and moves it', async () => {
    await page.getByRole('button', { name: 'Check it now' }).click()
    await page.getByText('It answered, and lists 2 functions.').waitFor()
    const second = await fakeModule(suite, module([insight('double'), insight('third')]))
    await page.getByLabel('level').fill('')
    await page.getByLabel('Simulations may call it').check()
    await page.getByLabel('Served at').fill(second.url)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Give it again').waitFor()
    await page.getByRole('textbox', { name: 'token' }).fill('another secret')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const [, used] = await modules()
    const details = await client.GET('/api:1/modules/{module}', {
      params: { path: { module: used?.id ?? '' } },
    })
    assert.deepEqual([details.data?.url, details.data?.simulationSafe], [`${second.url}/`, true])
    assert.deepEqual(
      details.data?.parameters.map(({ isSet }) => isSet),
      [true, false],
    )
    await page.getByRole('button', { name: 'Read it again' }).click()
    await page.getByText('The third', { exact: true }).waitFor()
  })

  it('is not removed while a link uses it, which is named', async () => {
    const [, used] = await modules()
    await linkTo(instance, used?.id ?? '')
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    const dialogue = page.getByRole('dialog')
    await dialogue.getByText('Doubled flow').waitFor()
    const remove = dialogue.getByRole('button', { name: 'Remove it with its links' })
    assert.equal(await remove.isDisabled(), true)
    await dialogue.getByLabel(/Type its name/).fill('Secured')
    await remove.click()
    await page.waitForURL(/\/marketplace$/)
    assert.equal((await modules()).length, 1)
  })
})
