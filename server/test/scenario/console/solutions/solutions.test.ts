import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { createClient, unwrap } from '@millrace/client'
import type { Page } from 'playwright-core'
import { createPageClient } from '../../../../../console/app/api/client.ts'
import { signIn } from '../../../../../console/app/api/people/sessions.ts'
import { listStaticFiles } from '../../../../../console/app/api/solutions.ts'
import { goTo, signedInConsole, skip, type TestConsole } from '../../../fixtures/browser/console.ts'
import { type TestPlatform, unique } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

const pumps = unique('pumps')
let instance: TestPlatform
let shown: TestConsole
let page: Page

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, shown, page } = await signedInConsole(suite, {
    path: '/solutions',
    expected: /status of 4\d\d/,
  }))
})

describe('solutions in the console', { skip }, () => {
  onConsole()

  const scripting = () => instance.platform.scripting

  it('creates a solution; an error stands at its field and loses nothing', async () => {
    await page.getByText('There is no solution yet').waitFor()
    await page.getByRole('button', { name: 'New solution' }).click()
    await page.getByLabel('Name').fill('Pump <b>alerts</b>')
    await page.getByLabel('Id').fill('Not An Id')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('must be 2 to 63').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Pump <b>alerts</b>')
    await page.getByLabel('Id').fill(pumps)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'Pump <b>alerts</b>' }).waitFor()
    const [made] = await scripting().solutions.list(instance.businessId)
    assert.deepEqual([made?.id, made?.name], [pumps, 'Pump <b>alerts</b>'])
  })

  it('gives it a service, whose settings are a form, or JSON', async () => {
    await page.getByRole('tab', { name: 'Services' }).click()
    await page.getByRole('button', { name: 'Add a service' }).click()
    await page.getByLabel('Service', { exact: true }).fill('no/service')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a service' }).click()
    await page.getByText('must be the name of a service').waitFor()
    await page.getByLabel('Service', { exact: true }).fill('webservice')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a service' }).click()
    await page.getByLabel('Rate limit').waitFor()
    await page.getByText('JSON', { exact: true }).click()
    const settings = page.getByLabel('Settings (JSON)')
    const before = JSON.parse(await settings.inputValue())
    await settings.fill('{ no')
    await page.getByText('This is not JSON').waitFor()
    await settings.fill(JSON.stringify({ ...before, cors: { origin: 'https://a.example' } }))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Not saved yet.').waitFor({ state: 'hidden' })
    const [stored] = await scripting().configurations.list(instance.businessId, pumps)
    assert.match(JSON.stringify(stored?.parameters), /https:\/\/a\.example/)
  })

  it('uploads a static file and deletes it', async () => {
    await page.getByRole('tab', { name: 'Static files' }).click()
    await page.getByRole('button', { name: 'Upload a file' }).click()
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByText('Choose a file.').waitFor()
    const buffer = Buffer.from('<h1>Pumps</h1>')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'index.html', mimeType: 'text/html', buffer })
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByRole('cell', { name: 'index.html' }).waitFor()
    const { token } = await signIn(createPageClient({ origin: shown.origin }), instance.account)
    const client = createPageClient({ origin: shown.origin, token })
    const files = () => listStaticFiles(client, pumps, new AbortController().signal)
    assert.deepEqual(
      (await files()).map(({ path, size }) => [path, size]),
      [['index.html', buffer.length]],
    )
    await page.getByRole('row', { name: /index/ }).getByRole('button').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no file yet').waitFor()
    assert.deepEqual(await files(), [])
  })

  it('shows the sink, and deletes the solution after a question', async () => {
    await page.getByRole('tab', { name: 'Notifications' }).click()
    await page.getByText('Nothing has arrived here').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no solution yet').waitFor()
    assert.deepEqual(await scripting().solutions.list(instance.businessId), [])
  })
})

describe('settings of a solution in the console', { skip }, () => {
  onConsole()

  const api = () => createClient({ url: shown.origin, credential: instance.account })
  const [tanks, readers] = [unique('tanks'), unique('readers')]
  const params = { path: { solution: tanks } }
  const variables = async () => {
    const path = '/api:1/solution/{solution}/env'
    const { variables: all } = await unwrap(api().GET(path, { params }))
    return all.map(({ name, is_set: isSet }) => [name, isSet])
  }

  before(async () => {
    const { businessId, platform } = instance
    const { solutions, configurations } = platform.scripting
    for (const id of [tanks, readers]) await solutions.create(businessId, { id, name: id })
    const body = { operations: [{ name: 'level', script: 'return 1' }] }
    await configurations.add(businessId, tanks, { service: 'interface', body })
    await configurations.add(businessId, readers, { service: tanks, body: {} })
    await goTo(page, `/solutions/${tanks}/settings`)
  })

  it('sets a variable that nobody sees any more, and removes it', async () => {
    await page.getByText('No variables yet.').waitFor()
    const form = page.getByRole('region', { name: 'Variables' })
    await form.getByLabel('Name').fill('7 up')
    await form.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByText('no digit first').waitFor()
    await form.getByLabel('Name').fill('TOKEN')
    await form.getByRole('textbox', { name: 'Value' }).fill('s3cret')
    await form.getByRole('button', { name: 'Set', exact: true }).click()
    await form.getByRole('row', { name: /TOKEN/ }).getByText('set', { exact: true }).waitFor()
    assert.deepEqual(await variables(), [['TOKEN', true]])
    assert.equal((await page.content()).includes('s3cret'), false)
    await form.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No variables yet.').waitFor()
    assert.deepEqual(await variables(), [])
  })

  it('shows what it uses of its limits', async () => {
    const used = page.getByRole('region', { name: 'Used' })
    await used.getByRole('row', { name: /^Services 1 100 1\s?%$/ }).waitFor()
    await used.getByRole('row', { name: /^Keys of the keystore 0 / }).waitFor()
    await unwrap(
      api().PATCH('/api:1/solution/{solution}/env', {
        params,
        body: { values: { USED: 'x' } },
      }),
    )
    await page.reload()
    await used.getByRole('row', { name: /^Variables 1 / }).waitFor()
    const body = { values: { USED: null } }
    await unwrap(api().PATCH('/api:1/solution/{solution}/env', { params, body }))
  })

  it('changes its name and limits, with an error at the field', async () => {
    await page.getByLabel('CPU in milliseconds').fill('much')
    await page.getByText('must be a whole number').waitFor()
    await page.getByLabel('CPU in milliseconds').fill('999999999')
    await page.getByLabel('Description').fill('Watches <b>pumps</b>')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('p[id$=error]').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    await page.getByLabel('CPU in milliseconds').fill('700')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Not saved yet.').waitFor({ state: 'hidden' })
    const stored = await unwrap(api().GET('/api:1/solution/{solution}', { params }))
    assert.deepEqual([stored.limits, stored.description], [{ cpu_ms: 700 }, 'Watches <b>pumps</b>'])
  })

  it('changes the quota of a subscriber', async () => {
    await page.getByRole('tab', { name: 'Interface' }).click()
    await page.getByRole('button', { name: `Change the quota of ${readers}` }).click()
    await page.getByLabel('Calls a day').fill('-1')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('must be a whole number from 0').waitFor()
    await page.getByLabel('Calls a day').fill('1000')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: '0 of 1,000' }).waitFor()
    const path = '/api:1/solution/{solution}/subscribers'
    const { items } = await unwrap(api().GET(path, { params }))
    assert.equal(items[0]?.quota.calls_daily, 1_000)
  })
})
