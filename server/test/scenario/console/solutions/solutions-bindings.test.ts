import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { createClient, unwrap } from '@millrace/client'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const bindingsPath = '/api:1/solution/{solution}/notifications/bindings'
const params = { path: { solution: 'pumps' } }

/** Of one person each: <b>7</b>, person 1, ... */
const exported = Array.from({ length: 25 }, (_, at) => ({
  service_sid: 'IS00000000000000000000000000000001',
  identity: at === 0 ? 'ann <b>7</b>' : `person ${at}`,
  binding_type: at === 0 ? 'apn' : 'sms',
  address: at === 0 ? 'ab'.repeat(32) : `+155512300${10 + at}`,
  tags: at === 0 ? ['night'] : [],
}))

describe('whom a solution reaches, in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  const api = () => createClient({ url: shown.origin, credential: instance.account })
  const stored = async () => (await unwrap(api().GET(bindingsPath, { params }))).bindings
  const region = (name: string) => page.getByRole('region', { name, exact: true })

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    const { solutions } = instance.platform.scripting
    await solutions.create(instance.businessId, { id: 'pumps', name: 'Pumps' })
    page = await shown.tab('/solutions/pumps/notifications')
    await shown.signIn(page, instance.account)
    await page.getByText('Nobody is reached yet.').waitFor()
    await unwrap(api().POST(bindingsPath, { params, body: { bindings: exported } }))
  })

  it('lists bindings page by page, and by person and channel', async () => {
    const pane = region('Bindings')
    await pane.getByRole('row', { name: /person 24 sms \+155…0034/ }).waitFor()
    assert.equal(await pane.getByRole('row').count(), 21)
    await pane.getByRole('button', { name: 'Next' }).click()
    const ann = pane.getByRole('row', { name: /ann <b>7<\/b> apn abab…abab.*night.*not yet/ })
    await ann.waitFor()
    await pane.getByRole('textbox', { name: 'Person' }).fill('person 3')
    await ann.waitFor({ state: 'hidden' })
    await pane.getByRole('row', { name: /person 3 / }).waitFor()
    assert.equal(await pane.getByRole('row').count(), 2)
    await pane.getByRole('combobox', { name: 'Channel' }).selectOption('apn')
    await pane.getByText('No binding is like that.').waitFor()
    await pane.getByRole('textbox', { name: 'Person' }).fill('')
    await ann.waitFor()
    await assertAccessible(page, 'solution-bindings')
  })

  it('removes a binding after a question', async () => {
    const pane = region('Bindings')
    await pane.getByRole('button', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove apn abab…abab of ann <b>7</b>?' })
    await assertAccessible(page, 'solution-binding-remove')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal((await stored()).length, 25)
    await pane.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await pane.getByText('No binding is like that.').waitFor()
    const left = await stored()
    assert.deepEqual([left.length, left.some(({ channel }) => channel === 'apn')], [24, false])
  })

  it('shows a message as each device would, and what is wrong at its field', async () => {
    const pane = region('Preview')
    await pane.getByRole('textbox', { name: 'Title' }).fill('Pump <b>7</b>')
    await pane.getByRole('button', { name: 'Show' }).click()
    const apple = pane.getByRole('region', { name: 'apn', exact: true })
    await apple.getByText('Pump <b>7</b>', { exact: true }).waitFor()
    const google = pane.getByRole('region', { name: 'fcm, gcm' })
    await google.getByText('The device shows nothing by itself').waitFor()
    await pane.getByRole('region', { name: 'sms' }).getByText('from is missing').waitFor()
    await assertAccessible(page, 'solution-preview')
    await pane.getByRole('textbox', { name: 'Sender of an SMS' }).fill('+15550009999')
    await pane.getByRole('button', { name: 'Show' }).click()
    const text = pane.getByRole('region', { name: 'sms, vendor-messenger' })
    await text.getByText('1 message (GSM-7)').or(text.getByText('(UCS-2)')).first().waitFor()
    assert.deepEqual(shown.errors, [])
    await pane.getByRole('textbox', { name: /^Data for/ }).fill('{"vnd_x": 1}')
    await pane.getByRole('button', { name: 'Show' }).click()
    await pane.getByText('holds vnd_x').waitFor()
    assert.equal(await pane.getByRole('textbox', { name: 'Title' }).inputValue(), 'Pump <b>7</b>')
    const sent = await unwrap(api().GET('/api:1/solution/{solution}/notifications', { params }))
    assert.deepEqual(sent.notifications, [])
  })
})
