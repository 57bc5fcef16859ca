import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { type Scripted, scripted, withGate } from '../../../fixtures/scripted-platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const asJson = 'print(to_json(event))'
const writes = 'if event.type ~= "data_in" then return end '
const values = `${writes} print(event.identity .. " " .. event.payload[1].values.a)`

describe('the events of a connector toward scripts', () => {
  it('come as programs in the field expect them', async (t) => {
    const { handling, device, printed, platform, businessId, connector } = await scripted(t)
    const pump = await handling('pump', asJson)
    const tags = [{ name: 'site', value: 'north' }]
    await platform.provisioning.identities.whitelist(businessId, connector.id, 'one', { tags })
    const one = await device('one')
    await one.write('temperature=21.50&a=b%20c')
    const [provisioned, , wrote] = (await printed(pump, 3)).map((text) => JSON.parse(text))
    assert.deepEqual(
      { type: provisioned.type, identity: provisioned.identity, protocol: provisioned.protocol },
      { type: 'provisioned', identity: 'one', protocol: 'http' },
    )
    const { timestamp, payload, connection_id, ...rest } = wrote
    assert.deepEqual(rest, {
      type: 'data_in',
      identity: 'one',
      ip: '127.0.0.1',
      protocol: 'http',
      tags,
    })
    assert.match(connection_id, /^[a-z0-9]+$/)
    assert.ok(Number.isInteger(timestamp) && timestamp > 1e15, 'microseconds')
    const [point] = payload
    assert.deepEqual(point.values, { temperature: '21.50', a: 'b c' })
    assert.ok(Math.abs(point.timestamp - timestamp) < 60_000_000)
  })

  it('contain what was set from the cloud, and what was removed', async (t) => {
    const { handling, device, printed, platform, businessId, connector } = await scripted(t)
    await device('one')
    await platform.scripting.caughtUp()
    const pump = await handling('pump', 'print(event.type .. " " .. event.identity)')
    await platform.provisioning.setState(businessId, connector.id, 'one', { a: '1' })
    await platform.provisioning.identities.remove(businessId, connector.id, 'one')
    assert.deepEqual(await printed(pump, 2), ['data_out one', 'deleted one'])
  })

  it('come in the order of each device, to each solution, under its own alias', async (t) => {
    const { handling, device, printed } = await scripted(t)
    const solutions = [await handling('pump', values), await handling('tank', values, 'meter')]
    const devices = [await device('one'), await device('two')]
    const count = 40
    await Promise.all(
      devices.map(async (each) => {
        for (let at = 0; at < count; at += 1) await each.write(`a=${at}`)
      }),
    )
    for (const solution of solutions) {
      const lines = await printed(solution, 2 * count)
      for (const { identity } of devices) {
        const own = lines.filter((line) => line.startsWith(identity))
        assert.deepEqual(
          own,
          Array.from({ length: count }, (_, at) => `${identity} ${at}`),
        )
      }
    }
  })
})

describe('the events of a connector that no script handles, or not well', () => {
  const suite = suiteContext()
  let millrace: Scripted
  before(async () => {
    millrace = await scripted(suite, { own: 'counts the calls of all solutions' })
  })

  it('leave nothing where no script handles them, and are counted', async () => {
    const { device, until, platform, businessId, connector } = millrace
    const { solutions, configurations, failures } = platform.scripting
    await solutions.create(businessId, { id: 'idle', name: 'idle' })
    await configurations.add(businessId, 'idle', { service: connector.id, body: {} })
    const one = await device('one')
    await one.write('a=1')
    const verify = () => platform.eventlog.ledger.verify()
    await until('provisioned, connected, a write, disconnected: all are read', async () => {
      const read = (await verify()).stages.find(({ stage }) => stage === 'scripts')
      return read?.done === 4 && read.pending === 0
    })
    assert.deepEqual((await failures.list(businessId, 'idle')).deliveries, [])
    const { faults, stages } = await verify()
    assert.deepEqual(faults, [])
    assert.equal(stages.find(({ stage }) => stage === 'deliveries')?.taken ?? 0, 0)
  })

  it('of one solution that spins do not hold up those of another, and none is lost', async () => {
    const { handling, device, printed, until, platform, businessId } = millrace
    const { solutions } = platform.scripting
    const gate = withGate(millrace)
    const spin = 'local from = os.clock() while os.clock() - from < 0.1 do end Gate.pass{}'
    const first = `local at = event.payload[1].values.a if at == "0" then ${spin} end print(at)`
    const slow = await handling('slow', `${writes} ${first}`)
    // The gate ends the call, however slow the machine is: no limit comes before it.
    const wide = { cpuMsMax: limits.scriptCpuMsMax, wallMsMax: limits.scriptWallMsMax }
    await solutions.patch(businessId, slow, { limits: wide })
    const quick = await handling('quick', `${writes} print(event.payload[1].values.a)`)
    const three = await device('three')
    const count = 12
    for (let at = 0; at < count; at += 1) await three.write(`a=${at}`)
    const wanted = Array.from({ length: count }, (_, at) => String(at))
    assert.deepEqual(await printed(quick, count), wanted)
    // Its lines may be there before the transaction that keeps what the slow one has left.
    await until('the slow one has something left to do', async () => {
      const { stages } = await platform.eventlog.ledger.verify()
      return (stages.find(({ stage }) => stage === 'deliveries')?.pending ?? 0) > 0
    })
    gate.resolve()
    assert.deepEqual(await printed(slow, count), wanted)
    await until('all is counted', async () => {
      const { faults, stages: now } = await platform.eventlog.ledger.verify()
      return faults.length === 0 && now.every(({ pending }) => pending === 0)
    })
  })
})
