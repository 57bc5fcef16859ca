import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { createClient, unwrap } from '@millrace/client'
import type { Page } from 'playwright-core'
import { goTo, signedInConsole, skip } from '../../../fixtures/browser/console.ts'
import { type TestPlatform, unique } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

const pumps = unique('pumps')
let instance: TestPlatform
let page: Page

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, page } = await signedInConsole(suite, { expected: /status of 4\d\d/ }))
  const { solutions } = instance.platform.scripting
  await solutions.create(instance.businessId, { id: pumps, name: pumps })
})

/** The services of the solution, as the API lists them. */
const listed = async () => {
  const path = '/api:1/solution/{solution}/serviceconfig'
  const { items } = await unwrap(api().GET(path, { params }))
  return items
}
const api = () => createClient({ url: instance.httpUrl, credential: instance.account })
const params = { path: { solution: pumps } }

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const key = 'k'.repeat(32)

describe('settings of services in the console', { skip }, () => {
  onConsole()

  /** Returns a service of the solution as the API shows it. */
  const stored = async (name: string) => {
    const one = (await listed()).find(({ service }) => service === name)
    const of = { path: { ...params.path, id: one?.id ?? '' } }
    const path = '/api:1/solution/{solution}/serviceconfig/{id}/settings'
    return unwrap(api().GET(path, { params: of }))
  }
  const save = async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Not saved yet.').waitFor({ state: 'hidden' })
  }
  const open = async (service: string) => {
    const { configurations } = instance.platform.scripting
    await configurations.add(instance.businessId, pumps, { service, body: {} })
    await goTo(page, '/solutions')
    await goTo(page, `/solutions/${pumps}/services`)
    await page.getByRole('button', { name: service }).click()
  }

  it('are a form with an error at its field, which keeps what is typed', async () => {
    await open('notification')
    await page.getByLabel('Account SID').fill('AC1')
    const sms = page.getByRole('group', { name: 'sms', exact: true })
    await sms.getByRole('combobox', { name: 'sms' }).selectOption('webhook')
    await sms.getByRole('textbox', { name: 'URL' }).fill('ftp://sms.example')
    await sms.getByRole('textbox', { name: 'Secret' }).fill(secret)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('must be 34 letters and digits, or empty').waitFor()
    await page.getByLabel('Account SID').fill('')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await sms.getByText('must be a URL of http or https').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0, 'the field alone shows it')
    assert.equal(await sms.getByRole('textbox', { name: 'Secret' }).inputValue(), secret)
    await sms.getByRole('textbox', { name: 'URL' }).fill('https://sms.example/in')
    await sms.getByRole('textbox', { name: 'Rate' }).fill('5')
    await save()
    const { values, secrets_set: set } = await stored('notification')
    const saved = { provider: 'webhook', Url: 'https://sms.example/in', RatePerSecond: 5 }
    assert.deepEqual([values.Providers, set], [{ sms: saved }, ['/Providers/sms/Secret']])
  })

  it('show a secret as set, which a change of other settings keeps', async () => {
    const sms = page.getByRole('group', { name: 'sms', exact: true })
    await sms.getByRole('group', { name: 'Secret' }).getByText('set', { exact: true }).waitFor()
    assert.equal((await page.content()).includes(secret), false)
    await sms.getByRole('textbox', { name: 'Rate' }).fill('7')
    await save()
    const { values, secrets_set: set } = await stored('notification')
    assert.match(JSON.stringify(values.Providers), /"RatePerSecond":7/)
    assert.deepEqual(set, ['/Providers/sms/Secret'])
    await sms.getByRole('combobox', { name: 'sms' }).selectOption('not given')
    await save()
    assert.deepEqual((await stored('notification')).values.Providers, {})
  })

  it('of the HTTP client: secrets of several lines, replaced and removed', async () => {
    await open('http')
    const credentials = page.getByLabel('Credentials')
    await credentials.fill('no pair')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('has a line that is not of the form name=value').waitFor()
    await credentials.fill('token=s3cret\nother=1')
    await save()
    await page.getByText('token, other').waitFor()
    assert.deepEqual((await stored('http')).secrets_set, ['/credentials'])
    await page.getByRole('button', { name: 'Replace: Credentials' }).click()
    await page.getByRole('textbox', { name: 'Credentials' }).fill('token=s3cret')
    await save()
    assert.deepEqual((await stored('http')).values, { credentialNames: ['token'] })
    await page.getByRole('button', { name: 'Remove: Credentials' }).click()
    await page.getByText('It is removed when you save.').waitFor()
    await save()
    assert.deepEqual((await stored('http')).values, {})
  })

  it('of endpoints: keys by name, and a number with its limits', async () => {
    await open('webservice')
    const keys = page.getByRole('group', { name: 'API keys', exact: true })
    await keys.getByLabel('New name in API keys').fill('line-1')
    await keys.getByLabel('New name in API keys').press('Enter')
    await keys.getByRole('textbox', { name: 'line-1' }).fill(key)
    await page.getByLabel('Rate limit').fill('-1')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('p[id$=error]').waitFor()
    await page.getByLabel('Rate limit').fill('60')
    await save()
    await keys.getByRole('group', { name: 'line-1' }).getByText('set', { exact: true }).waitFor()
    const { values, secrets_set: set } = await stored('webservice')
    assert.deepEqual([values.rate_limit, set], [60, ['/api_keys/line-1']])
    await keys.getByRole('button', { name: 'Remove: line-1' }).click()
    await page.getByLabel('Rate limit').fill('')
    await save()
    assert.deepEqual((await stored('webservice')).values, {})
  })
})

describe('services of solutions in the console', { skip }, () => {
  onConsole()

  const offered = unique('offered')
  before(async () => {
    const { configurations, solutions } = instance.platform.scripting
    await solutions.create(instance.businessId, { id: offered, name: offered })
    const body = { name: 'Tank levels', description: 'Of each tank', tags: ['tanks'] }
    await configurations.add(instance.businessId, offered, { service: 'interface', body })
  })

  it('are found by letters, chosen and added', async () => {
    await goTo(page, `/solutions/${pumps}/services`)
    await page.getByRole('button', { name: 'Add a service' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Service', { exact: true }).fill('no such thing')
    await dialog.getByText('No solution offers such a service').waitFor()
    await dialog.getByLabel('Service', { exact: true }).fill('each TANK')
    await dialog
      .getByRole('row', { name: /Tank levels/ })
      .getByText('tanks')
      .waitFor()
    await dialog.getByRole('button', { name: 'Choose' }).click()
    assert.equal(await dialog.getByLabel('Service', { exact: true }).inputValue(), offered)
    await dialog.getByRole('button', { name: 'Add a service' }).click()
    await dialog.waitFor({ state: 'hidden' })
    assert.ok((await listed()).some(({ service }) => service === offered))
  })

  it('are listed by the marketplace', async () => {
    await goTo(page, '/marketplace/services')
    await page.getByLabel('Find a service').fill('tank levels')
    await page.getByRole('row', { name: /Of each tank/ }).waitFor()
  })
})

const weather = `openapi: 3.0.3
info: { title: Weather, version: "1" }
servers: [{ url: "https://weather.example/v1" }]
paths:
  /forecast:
    get: { operationId: getForecast, responses: { "200": { description: Forecast } } }
`

describe('a service of an OpenAPI document in the console', { skip }, () => {
  onConsole()

  const openapi = async () => (await listed()).filter(({ service }) => service === 'openapi')
  const add = () => page.getByRole('dialog').getByRole('button', { name: 'Add a service' }).click()
  before(async () => {
    await goTo(page, `/solutions/${pumps}/services`)
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
    assert.deepEqual(await openapi(), [])
  })

  it('is added from a file, with its operations', async () => {
    const file = { name: 'weather.yaml', mimeType: 'text/yaml', buffer: Buffer.from(weather) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('operationId: getForecast').waitFor()
    await add()
    await page.getByLabel('Base URL').waitFor()
    const [made] = await openapi()
    assert.deepEqual([made?.service, made?.script_key], ['openapi', 'Weather'])
    assert.match(JSON.stringify(made?.parameters), /getForecast/)
  })
})
