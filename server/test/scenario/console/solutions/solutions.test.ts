import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { createPageClient } from '../../../../../console/app/api/client.ts'
import { signIn } from '../../../../../console/app/api/people/sessions.ts'
import { listStaticFiles } from '../../../../../console/app/api/solutions.ts'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

describe('solutions in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  const scripting = () => instance.platform.scripting

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    page = await shown.tab('/solutions')
    await shown.signIn(page, instance.account)
  })

  it('creates a solution; an error stands at its field and loses nothing', async () => {
    await page.getByText('There is no solution yet').waitFor()
    await assertAccessible(page, 'solutions-empty')
    await page.getByRole('button', { name: 'New solution' }).click()
    await page.getByLabel('Name').fill('Pump <b>alerts</b>')
    await page.getByLabel('Id').fill('Not An Id')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('An id has 2 to 63').waitFor()
    await assertAccessible(page, 'solution-new')
    assert.equal(await page.getByLabel('Name').inputValue(), 'Pump <b>alerts</b>')
    await page.getByLabel('Id').fill('pumps')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'Pump <b>alerts</b>' }).waitFor()
    const [made] = await scripting().solutions.list(instance.businessId)
    assert.deepEqual([made?.id, made?.name], ['pumps', 'Pump <b>alerts</b>'])
  })

  it('gives it a service, whose settings are a form, or JSON', async () => {
    await page.getByRole('tab', { name: 'Services' }).click()
    await page.getByRole('button', { name: 'Add a service' }).click()
    await page.getByLabel('Service', { exact: true }).fill('no/service')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a service' }).click()
    await page.getByText('A service has 1 to 63').waitFor()
    await page.getByLabel('Service', { exact: true }).fill('webservice')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a service' }).click()
    await page.getByLabel('Rate limit').waitFor()
    await page.getByText('JSON', { exact: true }).click()
    const settings = page.getByLabel('Settings (JSON)')
    const before = JSON.parse(await settings.inputValue())
    await settings.fill('{ no')
    await page.getByText('This is not JSON').waitFor()
    await assertAccessible(page, 'solution-services')
    await settings.fill(JSON.stringify({ ...before, cors: { origin: 'https://a.example' } }))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Not saved yet.').waitFor({ state: 'hidden' })
    const [stored] = await scripting().configurations.list(instance.businessId, 'pumps')
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
    await assertAccessible(page, 'solution-upload')
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByRole('cell', { name: 'index.html' }).waitFor()
    await assertAccessible(page, 'solution-static')
    const { token } = await signIn(createPageClient({ origin: shown.origin }), instance.account)
    const client = createPageClient({ origin: shown.origin, token })
    const files = () => listStaticFiles(client, 'pumps', new AbortController().signal)
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
    await assertAccessible(page, 'solution-notifications')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await assertAccessible(page, 'solution-delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no solution yet').waitFor()
    assert.deepEqual(await scripting().solutions.list(instance.businessId), [])
    assert.deepEqual(shown.errors, [])
  })
})
