import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { createClient, unwrap } from '@millrace/client'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  consoleSkipped,
  signedInConsole,
  type TestConsole,
} from '../../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const weather = `openapi: 3.0.3
info: { title: Weather, version: "1" }
servers: [{ url: "https://weather.example/v1" }]
paths:
  /forecast:
    get: { operationId: getForecast, responses: { "200": { description: Forecast } } }
`

describe('a service of an OpenAPI document in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  const add = () => page.getByRole('dialog').getByRole('button', { name: 'Add a service' }).click()
  const listed = async () => {
    const api = createClient({ url: shown.origin, credential: instance.account })
    const params = { path: { solution: 'pumps' } }
    const { items } = await unwrap(api.GET('/api:1/solution/{solution}/serviceconfig', { params }))
    return items
  }

  before(async () => {
    ;({ instance, shown, page } = await signedInConsole(suite))
    const { solutions } = instance.platform.scripting
    await solutions.create(instance.businessId, { id: 'pumps', name: 'pumps' })
    await page.goto(`${shown.origin}/solutions/pumps/services`)
    await page.getByRole('button', { name: 'Add a service' }).click()
    await page.getByRole('dialog').getByText('OpenAPI document').click()
  })

  it('says what is missing, and what is wrong in the document, at its field', async () => {
    await add()
    await page.getByText('Paste a document, or choose its file.').waitFor()
    await page.getByLabel('Name in scripts').fill('Weather')
    await page.getByLabel('Document', { exact: true }).fill('openapi: 3.0.3\npaths: [')
    await add()
    const document = page.getByLabel('Document', { exact: true })
    await page.getByText(/^definition cannot be read: /).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0, 'the field alone shows it')
    assert.equal(await document.inputValue(), 'openapi: 3.0.3\npaths: [')
    await assertAccessible(page, 'service-openapi')
    assert.deepEqual(await listed(), [])
  })

  it('is added from a file, with its operations', async () => {
    const file = { name: 'weather.yaml', mimeType: 'text/yaml', buffer: Buffer.from(weather) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('operationId: getForecast').waitFor()
    await add()
    await page.getByLabel('Base URL').waitFor()
    const [made] = await listed()
    assert.deepEqual([made?.service, made?.script_key], ['openapi', 'Weather'])
    assert.match(JSON.stringify(made?.parameters), /getForecast/)
    const failed = shown.errors.filter((text) => !/status of 4\d\d/.test(text))
    assert.deepEqual(failed, [])
  })
})
