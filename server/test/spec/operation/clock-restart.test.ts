import assert from 'node:assert/strict'
import { it } from 'node:test'
import { atEnd } from '../../fixtures/ends.ts'
import { exampleConnector } from '../../fixtures/platform.ts'
import { startInstance } from '../../fixtures/processes/instance-process.ts'
import { killableInstance } from '../../fixtures/processes/killable.ts'
import { steppedClock } from '../../fixtures/processes/set-clock.ts'
import { newDevice, send, type TestDevice } from '../../fixtures/wire/device.ts'

const day = 86_400_000
const path = '/vendor:v1/stack/alias'

it('started with another time: what is written last is current, and nothing is gone', async (t) => {
  const { settings, open } = await killableInstance(t)
  const platform = await open()
  const { id: businessId } = await platform.accounts.createBusiness({ name: 'Restarted' })
  const connector = await platform.provisioning.connectors.create(businessId, exampleConnector)
  await platform.close()
  const clock = steppedClock(settings.MILLRACE_DATA ?? '')
  let device: TestDevice | undefined

  /** Starts with the clock off by this, writes, reads, and stops. */
  async function runWith(offMs: number, value: string): Promise<void> {
    clock.setOff(offMs)
    const instance = await startInstance({ ...settings, ...clock.settings })
    atEnd(t, () => instance.kill())
    device ??= await newDevice(instance.httpUrl, connector.id, 'd')
    const credential = { 'X-vendor-CIK': device.token }
    const { body: timestamp } = await send(instance.httpUrl, 'GET', '/timestamp', {})
    assert.ok(Math.abs(Number(timestamp) * 1_000 - Date.now() - offMs) < day / 2)
    const written = await send(instance.httpUrl, 'POST', path, credential, `a=${value}`)
    assert.equal(written.status, 204)
    const read = await send(instance.httpUrl, 'GET', `${path}?a`, credential)
    assert.equal(read.body, `a=${value}`)
    assert.equal(await instance.stop(), 0)
  }

  const offs = [0, 3_650 * day, day, 0, -day, -3_650 * day, 0]
  for (const [at, offMs] of offs.entries()) await runWith(offMs, `v${at}`)

  const after = await open()
  atEnd(t, () => after.close())
  const { a } = await after.provisioning.state(businessId, connector.id, 'd')
  assert.equal(a?.reported, 'v6')
  assert.ok(Math.abs((a?.timestamp ?? 0) / 1_000 - Date.now()) < day / 2)
  const { lines } = await after.activity.connectors.lines(businessId, connector.id, {
    kinds: ['write'],
  })
  assert.match(lines[0]?.message ?? '', /v6/)
  const bodies = await after.database.rows<{ body: string }>(
    "select body from eventlog_entry where kind = 'write'",
  )
  assert.equal(bodies.length, offs.length)
  assert.deepEqual((await after.eventlog.ledger.verify()).faults, [])
})
