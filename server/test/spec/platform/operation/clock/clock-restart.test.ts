import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { atEnd } from '../../../../fixtures/ends.ts'
import { exampleConnector } from '../../../../fixtures/platform.ts'
import { startInstance } from '../../../../fixtures/processes/instance-process.ts'
import { killableInstance } from '../../../../fixtures/processes/killable-instance.ts'
import { steppedClock } from '../../../../fixtures/processes/set-clock.ts'
import { newDevice, send } from '../../../../fixtures/wire/device.ts'

const day = 86_400_000
const path = '/vendor:v1/stack/alias'

/** Writes and reads in a run of an instance, with its clock off by this. */
async function writeAndRead(t: TestContext, { settings, connectorId, offMs, value, token }: Run) {
  const instance = await startInstance(settings)
  atEnd(t, () => instance.kill())
  const credential = {
    'X-vendor-CIK': token ?? (await newDevice(instance.httpUrl, connectorId, 'd')).token,
  }
  const { body: timestamp } = await send(instance.httpUrl, 'GET', '/timestamp', {})
  assert.ok(Math.abs(Number(timestamp) * 1_000 - Date.now() - offMs) < day / 2)
  const written = await send(instance.httpUrl, 'POST', path, credential, `a=${value}`)
  assert.equal(written.status, 204)
  const read = await send(instance.httpUrl, 'GET', `${path}?a`, credential)
  assert.equal(read.body, `a=${value}`)
  assert.equal(await instance.stop(), 0)
  return credential['X-vendor-CIK']
}

type Run = {
  readonly settings: Readonly<Record<string, string>>
  readonly connectorId: string
  readonly offMs: number
  readonly value: string
  /** The token of the device; without it the run makes the device. */
  readonly token: string | undefined
}

it('started with another time: what is written last is current, and nothing is gone', async (t) => {
  const { settings, open } = await killableInstance(t)
  const platform = await open()
  const { id: businessId } = await platform.accounts.createBusiness({ name: 'Restarted' })
  const connector = await platform.provisioning.connectors.create(businessId, exampleConnector)
  await platform.close()
  const clock = steppedClock(settings.MILLRACE_DATA ?? '')
  const offs = [0, 3_650 * day, day, 0, -day, -3_650 * day, 0]
  let token: string | undefined
  for (const [at, offMs] of offs.entries()) {
    clock.setOff(offMs)
    const run = { settings: { ...settings, ...clock.settings }, connectorId: connector.id, token }
    token = await writeAndRead(t, { ...run, offMs, value: `v${at}` })
  }

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
