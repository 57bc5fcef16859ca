import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { ApiError, createClient, unwrap } from '@millrace/client'
import type { Page } from 'playwright-core'
import { createPageClient } from '../../../../../console/app/api/client.ts'
import { listArrivals, listSolutions } from '../../../../../console/app/api/notifications.ts'
import { signIn } from '../../../../../console/app/api/people/sessions.ts'
import { masked, shownPayload } from '../../../../../console/app/ui/mask.ts'
import { goTo, signedInConsole, skip } from '../../../fixtures/browser/console.ts'
import { until } from '../../../fixtures/interface.ts'
import { apnToken, notificationFixture } from '../../../fixtures/notification.ts'
import { type TestPlatform, unique } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

const pumps = unique('pumps')
const params = { path: { solution: pumps } }
let instance: TestPlatform
let page: Page

const onConsole = sharedBySuites(async (suite) => {
  ;({ instance, page } = await signedInConsole(suite, { expected: /status of 400/ }))
  await instance.platform.scripting.solutions.create(instance.businessId, {
    id: pumps,
    name: 'Pumps',
  })
  await goTo(page, `/solutions/${pumps}/notifications`)
  await page.getByText('Pumps has sent nothing yet.').waitFor()
})

const api = () => createClient({ url: instance.httpUrl, credential: instance.account })

const bindingsPath = '/api:1/solution/{solution}/notifications/bindings'

/** Each row is of one person: <b>7</b>, person 1, ... */
const exported = Array.from({ length: 25 }, (_, at) => ({
  service_sid: 'IS00000000000000000000000000000001',
  identity: at === 0 ? 'ann <b>7</b>' : `person ${at}`,
  binding_type: at === 0 ? 'apn' : 'sms',
  address: at === 0 ? 'ab'.repeat(32) : `+155512300${10 + at}`,
  tags: at === 0 ? ['night'] : [],
}))

describe('whom a solution reaches, in the console', { skip }, () => {
  onConsole()

  const stored = async () => (await unwrap(api().GET(bindingsPath, { params }))).bindings
  const region = (name: string) => page.getByRole('region', { name, exact: true })

  before(async () => {
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
  })

  it('removes a binding after a question', async () => {
    const pane = region('Bindings')
    await pane.getByRole('button', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove apn abab…abab of ann <b>7</b>?' })
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
    await pane.getByRole('textbox', { name: 'Sender of an SMS' }).fill('+15550009999')
    await pane.getByRole('button', { name: 'Show' }).click()
    const text = pane.getByRole('region', { name: 'sms, vendor-messenger' })
    await text.getByText('1 message (GSM-7)').or(text.getByText('(UCS-2)')).first().waitFor()
    await pane.getByRole('textbox', { name: /^Data for/ }).fill('{"vnd_x": 1}')
    await pane.getByRole('button', { name: 'Show' }).click()
    await pane.getByText('holds vnd_x').waitFor()
    assert.equal(await pane.getByRole('textbox', { name: 'Title' }).inputValue(), 'Pump <b>7</b>')
    const sent = await unwrap(api().GET('/api:1/solution/{solution}/notifications', { params }))
    assert.deepEqual(sent.notifications, [])
  })
})

const bind = `
local sid = "IS00000000000000000000000000000001"
Notification.createBinding{ServiceSid = sid, Endpoint = "e1", Identity = "ann",
  BindingType = "sms", Address = "+15551230001"}
return Notification.send{ServiceSid = sid, Identity = "ann", Title = "Pump <b>7</b>",
  Body = "It is hot.", Sms = {from = "+15550009999"}}.sid`
const toNobody = `return Notification.send{
  ServiceSid = "IS00000000000000000000000000000001", Identity = "nobody", Body = "Hello?"}.sid`

describe('what a solution sends in the console', { skip }, () => {
  onConsole()

  const deliveries = async (sid: string) => {
    const path = '/api:1/solution/{solution}/notifications/{sid}'
    const of = { path: { solution: pumps, sid } }
    return (await unwrap(api().GET(path, { params: of }))).deliveries
  }
  /** Runs a handler, and returns what it returns. */
  const run = async (source: string) => {
    const { businessId, platform } = instance
    const key = { kind: 'handler', name: 'test_send' } as const
    await platform.scripting.scripts.put(businessId, pumps, key, source)
    const body = { service: 'test', event: 'send' }
    const ended = await unwrap(api().POST('/api:1/solution/{solution}/run', { params, body }))
    assert.equal(ended.outcome, 'returned', JSON.stringify(ended))
    return String(ended.result)
  }

  it('shows a send, and the timeline of each delivery without the whole address', async () => {
    const sid = await run(bind)
    await page.getByRole('button', { name: /Pump <b>7<\/b>.*1 sent/ }).click()
    assert.match(page.url(), new RegExp(`id=${sid}`))
    const delivery = page.getByRole('region', { name: 'sms +155…0001' })
    await delivery.getByText('1 attempt').waitFor()
    await delivery.getByRole('listitem').filter({ hasText: 'sent' }).first().waitFor()
    await page.getByText('To: ann').waitFor()
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
  })
})

// The console's own requests, sent to the real server.

it('shows the console what would have arrived, newest first, with sizes and limits', async (t) => {
  const fixture = await notificationFixture(t)
  const { httpUrl, account, platform, businessId } = fixture.millrace
  const { origin } = new URL(httpUrl)
  const open = createPageClient({ origin })
  const { token } = await signIn(open, account)
  const client = createPageClient({ origin, token })
  assert.deepEqual(
    (await listSolutions(client)).map(({ id, name }) => [id, name]),
    [['pump', 'Pump']],
  )
  assert.deepEqual(await listArrivals(client, 'pump', { limit: 50 }), [])

  await fixture.bind('apn', { Endpoint: 'ann' })
  await fixture.bind('sms', { Endpoint: 'bob', Identity: 'bob' })
  const first = await fixture.call('send', { Identity: 'ann', Body: 'hot' })
  await fixture.settled(first.sid)
  const second = await fixture.call('send', { Identity: 'bob', Body: 'hö', Sms: { from: '+1555' } })
  const [sms, apn] = await until(
    () => listArrivals(client, 'pump', { limit: 50 }),
    ({ length }) => length === 2,
  )
  assert.equal(sms?.notification_sid, second.sid)
  assert.deepEqual([sms?.channel, sms?.unit, sms?.size, sms?.max], ['sms', 'characters', 2, 1_600])
  assert.deepEqual([apn?.channel, apn?.unit, apn?.max], ['apn', 'bytes', 4_096])
  assert.equal(apn?.size, Buffer.byteLength(JSON.stringify(apn?.body)))
  assert.equal(apn?.headers['apns-priority'], '10')
  assert.ok(Math.abs((apn?.at ?? 0) / 1_000 - Date.now()) < 600_000)
  assert.equal((await listArrivals(client, 'pump', { limit: 1 })).length, 1)

  const operator = { email: `${unique('ops')}@example.com`, password: 'a long enough phrase' }
  await platform.accounts.createUser(businessId, { ...operator, role: 'Operator' })
  const { token: other } = await signIn(open, operator)
  const refused = createPageClient({ origin, token: other })
  const isForbidden = (error: unknown) => error instanceof ApiError && error.code === 'forbidden'
  await assert.rejects(listArrivals(refused, 'pump', { limit: 50 }), isForbidden)
})

it('shows only enough of an address on the console to identify it', () => {
  assert.equal(masked('+15551234567'), '+155…4567')
  assert.equal(masked(apnToken), 'abab…abab')
  assert.equal(masked('+1555'), '…55')
  const shown = shownPayload({ To: '+15551234567', Body: 'Call +15551234567' }, '+15551234567')
  assert.equal(shown, '{\n  "To": "+155…4567",\n  "Body": "Call +155…4567"\n}')
})
