import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { describe, it } from 'node:test'
import { type Scripted, scripted } from '../../../fixtures/scripted-platform.ts'
import type { TestDevice } from '../../../fixtures/wire/device.ts'
import { mqttDevice } from '../../../fixtures/wire/mqtt.ts'

const shows = 'print(to_json({event.type, event.connection_id, event.protocol, event.identity}))'
type Shown = readonly [type: string, connectionId: string, protocol: string, identity: string]

async function shown({ printed }: Scripted, pump: string, enough: number): Promise<Shown[]> {
  return (await printed(pump, enough)).map((line) => JSON.parse(line))
}

/** Writes of one device on one socket, and then its end. */
async function writeOnOneSocket({ httpUrl }: Scripted, { token }: TestDevice, bodies: string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (const body of bodies) {
    const headers = { 'X-vendor-CIK': token, 'Content-Length': body.length }
    const status = await new Promise((resolve, reject) => {
      const options = { agent, method: 'POST', headers }
      const asked = request(`${httpUrl}/vendor:v1/stack/alias`, options, (response) => {
        response.resume().once('end', () => resolve(response.statusCode))
      })
      asked.once('error', reject).end(body)
    })
    assert.equal(status, 204)
  }
  agent.destroy()
}

describe('connect and disconnect of devices toward scripts', () => {
  it('HTTP: it begins with the first request, and all share its connection_id', async (t) => {
    const millrace = await scripted(t)
    const one = await millrace.device('one')
    await millrace.platform.scripting.caughtUp()
    const pump = await millrace.handling('pump', shows)
    await writeOnOneSocket(millrace, one, ['a=1', 'a=2'])
    await writeOnOneSocket(millrace, one, ['a=3'])
    const lines = await shown(millrace, pump, 7)
    const types = ['connect', 'data_in', 'data_in', 'disconnect']
    const [[, first] = assert.fail()] = lines
    const of = (id: string) => lines.filter(([, connection]) => connection === id)
    assert.deepEqual(
      of(first),
      types.map((type) => [type, first, 'http', 'one']),
    )
    const others = lines.filter(([, connection]) => connection !== first)
    assert.deepEqual(
      others.map(([type]) => type),
      ['connect', 'data_in', 'disconnect'],
    )
    assert.equal(new Set(others.map(([, id]) => id)).size, 1)
    assert.notEqual(others[0]?.[1], '')
  })

  it('MQTT: a connection is one from its CONNECT to its end', async (t) => {
    const millrace = await scripted(t)
    const { token } = await millrace.device('one')
    await millrace.platform.scripting.caughtUp()
    const pump = await millrace.handling('pump', shows)
    const device = await mqttDevice(t, millrace.mqttUrl, { password: token })
    await device.write('$resource/a', '1')
    await device.end()
    const lines = await shown(millrace, pump, 3)
    const [[, id] = assert.fail()] = lines
    assert.match(id, /^[a-z0-9]+$/)
    assert.deepEqual(
      lines,
      ['connect', 'data_in', 'disconnect'].map((type) => [type, id, 'mqtt', 'one']),
    )
  })

  it('are no entries of the log where no solution has the connector', async (t) => {
    const millrace = await scripted(t)
    const one = await millrace.device('one')
    await writeOnOneSocket(millrace, one, ['a=1'])
    const { database } = millrace.platform
    const kinds = async () => {
      const rows = await database.rows<{ kind: string }>(
        'select kind from eventlog_entry where connector_id = $1 order by at, seq',
        [millrace.connector.id],
      )
      return rows.map(({ kind }) => kind)
    }
    assert.deepEqual(await kinds(), ['provisioned', 'write'])
    await millrace.handling('pump', shows)
    await millrace.until('the solution is known', async () => {
      await writeOnOneSocket(millrace, one, ['a=2'])
      return (await kinds()).includes('disconnected')
    })
  })

  it('are lines of the connector’s log once, however many subscribe', async (t) => {
    const millrace = await scripted(t)
    const one = await millrace.device('one')
    await millrace.platform.scripting.caughtUp()
    const pump = await millrace.handling('pump', shows)
    await writeOnOneSocket(millrace, one, ['a=1'])
    await shown(millrace, pump, 3)
    const { activity, eventlog } = millrace.platform
    await activity.flush()
    const { lines } = await activity.connectors.lines(millrace.businessId, millrace.connector.id)
    const kinds = lines.map(({ kind }) => kind)
    assert.deepEqual(kinds.sort(), ['connect', 'disconnect', 'provision', 'write'])
    assert.deepEqual((await eventlog.ledger.verify()).faults, [])
  })
})
