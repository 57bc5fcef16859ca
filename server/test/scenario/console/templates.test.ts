import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { createClient, type MillraceClient, unwrap } from '@millrace/client'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../src/people/groups/index.ts'
import {
  chooseFile,
  goTo,
  savedBy,
  signedInConsole,
  skip,
  type TestConsole,
} from '../../fixtures/browser/console.ts'
import { type TestPlatform, unique } from '../../fixtures/platform.ts'
import { sharedBySuites } from '../../fixtures/suite.ts'

const hostile = '<img src=x onerror="alert(1)">'

const view = () => wholeView(instance.businessId)
const names = async () => {
  const found = await instance.platform.assets.list(view())
  return found.map(({ name }) => name).sort()
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const closed = () => dialog().waitFor({ state: 'detached' })
const choose = (csv: string) =>
  chooseFile(dialog().getByLabel('CSV file of assets', { exact: true }), 'assets.csv', csv)
const saved = (name: string) => savedBy(button(name))

let instance: TestPlatform
let shown: TestConsole
let page: Page

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, shown, page } = await signedInConsole(suite))
  const { platform } = instance
  const { id: groupId } = await platform.groups.create(view(), { name: 'Hall 1' })
  await platform.groups.create(view(), { name: 'Hall 2' })
  await platform.assets.create(view(), {
    name: 'Pump 1',
    groupId,
    signals: [{ name: 'Heat', primitiveType: 'NUMERIC', source: { alias: 'temperature' } }],
  })
  await goTo(page, '/assets')
})

describe('files of assets in the console', { skip }, () => {
  onConsole()

  it('checks a file of assets, writes it, and gives the failed rows back', async () => {
    await button('Import').click()
    await choose(
      `name,latitude,longitude\nPump 2,52.5,13.4\n"${hostile.replaceAll('"', '""')}",-1.5,\n`,
    )
    await button('Check only').click()
    await page
      .getByText('Nothing was written. It would be: 1 created, 0 changed, 0 unchanged, 1')
      .waitFor()
    await page.getByText('latitude and longitude are numbers').waitFor()
    assert.deepEqual(await names(), ['Pump 1'])
    await dialog().getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Written: 1 created, 0 changed, 0 unchanged, 1 failed.').waitFor()
    assert.deepEqual(await names(), ['Pump 1', 'Pump 2'])
    const failed = await saved('Download the failed rows')
    assert.match(failed, /^name,latitude,longitude,error\r\n"?<img.*,'-1\.5,,.*numbers/)
    await choose(failed.replace("'-1.5,,", '-1.5,7,'))
    await dialog().getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Written: 1 created, 0 changed, 0 unchanged, 0 failed.').waitFor()
    assert.deepEqual(await names(), [hostile, 'Pump 1', 'Pump 2'])
    await button('Close').click()
  })

  it('exports what the filter shows', async () => {
    await goTo(page, '/assets?text=Pump&level=normal')
    await page.getByText('2 in all').waitFor()
    const text = await saved('Export as CSV')
    assert.match(text, /^id,name,.*\r\n.*,Pump 1,.*\r\n.*,Pump 2,.*\r\n$/)
  })
})

describe('templates and groups of assets in the console', { skip }, () => {
  onConsole()

  it('makes a template of an asset, changes it, and makes assets of it', async () => {
    await button('Actions for Pump 1').click()
    await page.getByRole('menuitem', { name: 'Make a template of it' }).click()
    await dialog().getByLabel('Name', { exact: true }).fill('Pump')
    await button('Create the template').click()
    await page.getByRole('heading', { level: 1, name: 'Pump', exact: true }).waitFor()
    await button('Change the signal Heat').click()
    await dialog().getByLabel('Timeout in seconds').fill('60')
    await button('Take it over').click()
    await closed()
    await button('Save the template').click()
    await page.getByText('Assets that were made of it stay as they are.').waitFor()
    await button('Make assets of it').click()
    await dialog()
      .getByLabel('Names')
      .fill(`Pump 3\n${'x'.repeat(201)}\nPump 4`)
    await button('Make the assets').click()
    await page.getByText(/^2 were made\. These were not: x/).waitFor()
    await dialog().getByLabel('Names').fill('Pump 5')
    await button('Make the assets').click()
    await closed()
    const made = await instance.platform.assets.list(view(), { text: 'Pump 5' })
    const [signal] = await instance.platform.assets.signals.ofAssets(view(), [made[0]?.id ?? ''])
    assert.deepEqual([signal?.name, signal?.timeoutMs], ['Heat', 60_000])
  })

  it('lists templates with the number of their assets, and deletes one', async () => {
    await page.getByRole('link', { name: 'Templates' }).click()
    await page.getByRole('link', { name: '3 assets' }).waitFor()
    await page.getByRole('link', { name: '3 assets' }).click()
    await page.getByText('3 in all').waitFor()
    await page.getByText('made of Pump').waitFor()
    await page.getByRole('link', { name: 'Templates' }).click()
    await button('Actions for Pump').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('3 assets that were made of it stay as they are').waitFor()
    await button('Delete the template').click()
    await page.getByText('There is no template yet.').waitFor()
    assert.deepEqual(await instance.platform.assets.templates.list(view()), [])
    assert.equal((await names()).length, 6)
  })

  it('makes, renames, moves and deletes groups beside the assets', async () => {
    const open = async (group: string, item: string) => {
      await button(`Actions for ${group}`).press('Enter')
      await page.getByRole('menuitem', { name: item, exact: true }).press('Enter')
    }
    await page.getByRole('link', { name: 'Assets' }).first().click()
    await open('Hall 2', 'Rename')
    await dialog().getByLabel('Name', { exact: true }).fill('Yard')
    await button('Save').click()
    await closed()
    await open('Hall 1', 'Move')
    await dialog().getByLabel('Into').selectOption({ label: 'Yard' })
    await button('Move').click()
    await closed()
    const groups = await instance.platform.groups.list(view())
    const [yard, hall] = ['Yard', 'Hall 1'].map((name) => groups.find((one) => one.name === name))
    assert.equal(hall?.parentId, yard?.id)
    await page.getByRole('link', { name: 'Hall 1' }).click()
    await open('Hall 1', 'Delete')
    await page.getByText(/Assets \(1\): Pump 1.*moves to the group above/).waitFor()
    await button('Delete the group').click()
    await page.getByText('6 in all').waitFor()
    const [pump] = await instance.platform.assets.list(view(), { text: 'Pump 1' })
    assert.equal(pump?.groupId, yard?.id)
  })
})

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

const ann = { email: `${unique('ann')}@example.com`, password: 'a password of ann' }
const eve = { email: `${unique('eve')}@example.com`, password: 'a password of eve' }

describe('versions of a template in the console', { skip }, () => {
  onConsole()
  let client: MillraceClient
  let params: { readonly path: { readonly template: string } }

  const stored = () => unwrap(client.GET('/api:1/templates/{template}', { params }))
  const save = (body: { name: string; signals?: (typeof level | typeof note)[] }) =>
    unwrap(client.PUT('/api:1/templates/{template}', { params, body }))

  before(async () => {
    client = createClient({ url: instance.httpUrl, credential: { apiToken: instance.token } })
    const body = { name: 'Tank', description: 'Of water', signals: [level], links: [high] }
    const { id } = await unwrap(client.POST('/api:1/templates', { body }))
    params = { path: { template: id } }
    await save({ name: 'Tank', signals: [level, note] })
    await save({ name: 'Vat', signals: [{ ...level, max: 90 }, note] })
    await goTo(page, `/assets/templates/${id}`)
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
    assert.equal(await page.locator('main img').count(), 0)
  })

  it('are restored after a confirmation, as a new version', async () => {
    await button('Restore version 1').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('It is saved again as a new version.').waitFor()
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
    await page.getByText(`It was saved by ${ann.email}.`).waitFor()
    const theirs = await page.getByRole('region', { name: 'What they changed' }).innerText()
    assert.match(theirs, /Description: changed\n.*: new\nToo high: removed/)
    const mine = await page.getByRole('region', { name: 'What you changed' }).innerText()
    assert.match(mine, /Name: changed$/)
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
    page = await shown.signInAs(eve, `/assets/templates/${params.path.template}/versions`)
    await page.getByRole('cell', { name: 'in use' }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^Restore/ }).count(), 0)
  })
})
