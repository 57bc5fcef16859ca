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
import { until } from '../../../fixtures/interface.ts'
import type { TestPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const bind = `
local sid = "IS00000000000000000000000000000001"
Notification.createBinding{ServiceSid = sid, Endpoint = "e1", Identity = "ann",
  BindingType = "sms", Address = "+15551230001"}
return Notification.send{ServiceSid = sid, Identity = "ann", Title = "Pump <b>7</b>",
  Body = "It is hot.", Sms = {from = "+15550009999"}}.sid`
const toNobody = `return Notification.send{
  ServiceSid = "IS00000000000000000000000000000001", Identity = "nobody", Body = "Hello?"}.sid`

describe('what a solution sends in the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page

  const api = () => createClient({ url: shown.origin, credential: instance.account })
  const deliveries = async (sid: string) => {
    const params = { path: { solution: 'pumps', sid } }
    const path = '/api:1/solution/{solution}/notifications/{sid}'
    return (await unwrap(api().GET(path, { params }))).deliveries
  }
  /** Runs a handler, and returns what it returns. */
  const run = async (source: string) => {
    const { businessId, platform } = instance
    const key = { kind: 'handler', name: 'test_send' } as const
    await platform.scripting.scripts.put(businessId, 'pumps', key, source)
    const params = { path: { solution: 'pumps' } }
    const body = { service: 'test', event: 'send' }
    const ended = await unwrap(api().POST('/api:1/solution/{solution}/run', { params, body }))
    assert.equal(ended.outcome, 'returned', JSON.stringify(ended))
    return String(ended.result)
  }

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    const { solutions } = instance.platform.scripting
    await solutions.create(instance.businessId, { id: 'pumps', name: 'Pumps' })
    page = await shown.tab('/solutions/pumps/notifications')
    await shown.signIn(page, instance.account)
    await page.getByText('Pumps has sent nothing yet.').waitFor()
  })

  it('shows a send, and the timeline of each delivery without the whole address', async () => {
    const sid = await run(bind)
    await page.getByRole('button', { name: /Pump <b>7<\/b>.*1 sent/ }).click()
    assert.match(page.url(), new RegExp(`id=${sid}`))
    const delivery = page.getByRole('region', { name: 'sms +155…0001' })
    await delivery.getByText('1 attempt').waitFor()
    await delivery.getByRole('listitem').filter({ hasText: 'sent' }).first().waitFor()
    await page.getByText('To: ann').waitFor()
    await assertAccessible(page, 'solution-sends')
    const [stored] = await until(
      () => deliveries(sid),
      ([one]) => one?.state === 'sent',
    )
    assert.equal(await delivery.getByRole('listitem').count(), stored?.timeline.length)
    assert.equal(await page.getByText('+15551230001').count(), 0)
  })

  it('says that a send reaches nobody, and shows the state of channels', async () => {
    const sid = await run(toNobody)
    await page.getByRole('button', { name: /Hello\?/ }).click()
    await page.getByText('Nobody has a binding').waitFor()
    assert.deepEqual(await deliveries(sid), [])
    await page.getByRole('row', { name: /^sms/ }).getByText('ready').waitFor()
    await assertAccessible(page, 'solution-send-nobody')
    assert.deepEqual(shown.errors, [])
  })
})
