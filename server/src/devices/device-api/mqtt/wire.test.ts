import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { deviceApiLimits } from '../limits.ts'
import { PacketScheduler } from './packet-scheduler.ts'
import { Wire } from './wire.ts'

const connect = Buffer.from([0x10, 0x02, 0x00, 0x00])
const pings = (count: number) => Buffer.alloc(2 * count, '\xc0\x00', 'latin1')

/** A wire whose bytes are read as the broker reads them: all that is there, at each event. */
function newWire(scheduler: PacketScheduler, onBytes: (bytes: Buffer) => void) {
  const [socket, device] = duplexPair()
  const onRefused = (error: unknown) => assert.fail(String(error))
  const wire = new Wire({ socket: socket as unknown as Socket, scheduler, onRefused })
  wire.on('readable', () => {
    const bytes: Buffer | null = wire.read()
    if (bytes !== null) onBytes(bytes)
  })
  return { wire, device }
}

describe('the wire of an MQTT connection', () => {
  it('lets nothing through behind a CONNECT that is not answered', async () => {
    const came: Buffer[] = []
    const { wire, device } = newWire(new PacketScheduler(), (bytes) => came.push(bytes))
    device.write(Buffer.concat([connect, pings(3)]))
    for (let turn = 0; turn < 5; turn += 1) await setImmediate()
    assert.deepEqual(Buffer.concat(came), connect)
    wire.allowPackets()
    const ended = new Promise((resolve) => wire.once('end', resolve))
    device.end(pings(2))
    await ended
    assert.deepEqual(Buffer.concat(came), Buffer.concat([connect, pings(5)]))
  })

  it('a turn takes so many packets, whoever sends, and each has its share', async () => {
    const each = 2_000
    const scheduler = new PacketScheduler()
    const came: string[] = []
    const wires = ['a', 'b', 'c'].map((name) => {
      return newWire(scheduler, (bytes) => {
        for (let at = 0; at < bytes.length; at += 2) came.push(name)
      })
    })
    for (const { wire, device } of wires) {
      wire.allowPackets()
      device.write(Buffer.concat([connect, pings(each)]))
    }
    let most = 0
    // A CONNECT has the bytes of two pings.
    while (came.length < wires.length * (each + 2)) {
      const before = came.length
      await setImmediate()
      most = Math.max(most, came.length - before)
    }
    assert.ok(most <= deviceApiLimits.mqttPacketsPerTurn + wires.length, `${most} in a turn`)
    const half = came.slice(0, came.length / 2)
    for (const name of ['a', 'b', 'c']) {
      const share = half.filter((one) => one === name).length
      assert.ok(
        Math.abs(share - half.length / 3) <= 2 * deviceApiLimits.mqttPacketsShare,
        `${share}`,
      )
    }
  })
})
