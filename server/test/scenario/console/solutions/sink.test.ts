import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ApiError } from '@millrace/client'
import { createPageClient } from '../../../../../console/app/api/client.ts'
import { listArrivals, listSolutions } from '../../../../../console/app/api/notifications.ts'
import { signIn } from '../../../../../console/app/api/people/sessions.ts'
import { masked, shownPayload } from '../../../../../console/app/ui/mask.ts'
import { until } from '../../../fixtures/interface.ts'
import { apnToken, notificationFixture } from '../../../fixtures/notification.ts'

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
  assert.deepEqual(await listArrivals(client, 'pump', 50), [])

  await fixture.bind('apn', { Endpoint: 'ann' })
  await fixture.bind('sms', { Endpoint: 'bob', Identity: 'bob' })
  const first = await fixture.call('send', { Identity: 'ann', Body: 'hot' })
  await fixture.settled(first.sid)
  const second = await fixture.call('send', { Identity: 'bob', Body: 'hö', Sms: { from: '+1555' } })
  const [sms, apn] = await until(
    () => listArrivals(client, 'pump', 50),
    ({ length }) => length === 2,
  )
  assert.equal(sms?.notification_sid, second.sid)
  assert.deepEqual([sms?.channel, sms?.unit, sms?.size, sms?.max], ['sms', 'characters', 2, 1_600])
  assert.deepEqual([apn?.channel, apn?.unit, apn?.max], ['apn', 'bytes', 4_096])
  assert.equal(apn?.size, Buffer.byteLength(JSON.stringify(apn?.body)))
  assert.equal(apn?.headers['apns-priority'], '10')
  assert.ok(Math.abs((apn?.at ?? 0) / 1_000 - Date.now()) < 600_000)
  assert.equal((await listArrivals(client, 'pump', 1)).length, 1)

  const operator = { email: 'operator@example.com', password: 'a long enough phrase' }
  await platform.accounts.createUser(businessId, { ...operator, role: 'Operator' })
  const { token: other } = await signIn(open, operator)
  const refused = createPageClient({ origin, token: other })
  const isForbidden = (error: unknown) => error instanceof ApiError && error.code === 'forbidden'
  await assert.rejects(listArrivals(refused, 'pump', 50), isForbidden)
})

it('shows only enough of an address on the console to identify it', () => {
  assert.equal(masked('+15551234567'), '+155…4567')
  assert.equal(masked(apnToken), 'abab…abab')
  assert.equal(masked('+1555'), '…55')
  const shown = shownPayload({ To: '+15551234567', Body: 'Call +15551234567' }, '+15551234567')
  assert.equal(shown, '{\n  "To": "+155…4567",\n  "Body": "Call +155…4567"\n}')
})
