import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { createClient, type MillraceClient, unwrap } from '@millrace/client'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  consoleSkipped,
  signedInConsole,
  type TestConsole,
} from '../../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const markup = `<img src=x onerror="document.title='run'">`

const level = { key: 'level', name: 'Level', primitiveType: 'NUMERIC' as const, max: 80 }
const note = { key: 'note', name: markup, primitiveType: 'STRING' as const }
const high = {
  ref: 'high',
  moduleId: 'builtin',
  functionId: 'threshold',
  name: 'Too high',
  inlets: [{ signalId: 'level' }],
}

const ann = { email: 'ann@example.com', password: 'a password of ann' }
const eve = { email: 'eve@example.com', password: 'a password of eve' }

const suite = suiteContext()

describe('versions of a template in the console', { skip: consoleSkipped }, () => {
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page
  let client: MillraceClient
  let params: { readonly path: { readonly template: string } }

  const stored = () => unwrap(client.GET('/api:1/templates/{template}', { params }))
  const save = (body: { name: string; signals?: (typeof level | typeof note)[] }) =>
    unwrap(client.PUT('/api:1/templates/{template}', { params, body }))
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  before(async () => {
    ;({ instance, shown, page } = await signedInConsole(suite))
    client = createClient({ url: instance.httpUrl, credential: { apiToken: instance.token } })
    const body = { name: 'Tank', description: 'Of water', signals: [level], links: [high] }
    const { id } = await unwrap(client.POST('/api:1/templates', { body }))
    params = { path: { template: id } }
    await save({ name: 'Tank', signals: [level, note] })
    await save({ name: 'Vat', signals: [{ ...level, max: 90 }, note] })
    await page.goto(`${shown.origin}/assets/templates/${id}`)
  })

  it('are listed with what each changed, and compared', async () => {
    await page.getByText('Version 3. Assets that were made of it stay').waitFor()
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByRole('cell', { name: 'Name: changed; Level: max' }).waitFor()
    await page.getByRole('cell', { name: /^made; Level: new/ }).waitFor()
    const compared = page.getByRole('region', { name: 'Compare two versions' })
    await compared.getByLabel('From version').selectOption('1')
    await compared.getByText('Too high: removed').waitFor()
    const lines = await compared.getByRole('listitem').allInnerTexts()
    const [name, description, ...parts] = lines
    assert.deepEqual([name, description], ['Name: changed', 'Description: changed'])
    assert.deepEqual(parts, [`${markup}: new`, 'Level: max', 'Too high: removed'])
    await assertAccessible(page, 'template-versions')
    assert.equal(await page.locator('main img').count(), 0)
  })

  it('are restored after a confirmation, as a new version', async () => {
    await button('Restore version 1').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('It is saved again as a new version.').waitFor()
    await assertAccessible(page, 'template-restore')
    assert.equal((await stored()).version, 3)
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
    await button('Restore version 3').waitFor()
    const { version, document } = await stored()
    assert.deepEqual([version, document.name, document.links?.length], [4, 'Tank', 1])
  })

  it('of two people who save are both shown to the second, who chooses', async () => {
    await page.getByRole('tab', { name: 'Template', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('Mine')
    const body = { name: 'Tank', signals: [level, note] }
    const role = 'Administrator'
    await instance.platform.accounts.createUser(instance.businessId, { ...ann, role })
    const other = createClient({ url: instance.httpUrl, credential: ann })
    await unwrap(other.PUT('/api:1/templates/{template}', { params, body }))
    await page.getByText('Somebody else saved version 5 in the meantime').waitFor()
    await page.getByText('It was saved by ann@example.com.').waitFor()
    const theirs = await page.getByRole('region', { name: 'What they changed' }).innerText()
    assert.match(theirs, /Description: changed\n.*: new\nToo high: removed/)
    const mine = await page.getByRole('region', { name: 'What you changed' }).innerText()
    assert.match(mine, /Name: changed$/)
    await assertAccessible(page, 'template-conflict')
    await button('Save mine in place of theirs').click()
    await page.getByText('Version 6. Assets').waitFor()
    const { document } = await stored()
    assert.deepEqual([document.name, document.description], ['Mine', 'Of water'])
  })

  it('of somebody else are taken over in place of what was changed', async () => {
    await page.getByLabel('Name', { exact: true }).fill('Lost')
    await save({ name: 'Theirs' })
    await button('Take theirs, discard mine').click()
    await page.getByText('Version 7. Assets').waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Theirs')
    assert.equal((await stored()).document.name, 'Theirs')
  })

  it('are seen by those who may not restore them', async () => {
    await instance.platform.accounts.createUser(instance.businessId, { ...eve, role: 'Viewer' })
    await shown.forget()
    page = await shown.tab(`/assets/templates/${params.path.template}/versions`)
    await shown.signIn(page, eve)
    await page.getByRole('cell', { name: 'in use' }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^Restore/ }).count(), 0)
    assert.deepEqual(shown.errors, [])
  })
})
