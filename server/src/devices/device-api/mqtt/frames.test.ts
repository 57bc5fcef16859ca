import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { limits } from '../../../foundation/kernel/index.ts'
import { deviceApiLimits } from '../limits.ts'
import { Frames } from './frames.ts'

const unlimited = Number.POSITIVE_INFINITY
const connect = Buffer.from([0x10, 0x02, 0x00, 0x00])

/** A packet of a type with a body of so many bytes, its length in as few digits as can be. */
function packet(first: number, length: number): Buffer {
  const digits: number[] = []
  let left = length
  do {
    digits.push((left % 128) + (left >= 128 ? 0x80 : 0))
    left = Math.floor(left / 128)
  } while (left > 0)
  const body = Buffer.alloc(length)
  // A packet id, of a list of topics.
  if (length > 1) body[1] = 1
  return Buffer.concat([Buffer.from([first, ...digits]), body])
}

describe('the frames of a connection', () => {
  it('are found wherever the bytes are cut', () => {
    const packets = fc.array(
      fc.record({
        first: fc.constantFrom(0x30, 0x32, 0x40, 0x82, 0xa2),
        length: fc.integer({ min: 5, max: 200 }),
      }),
    )
    fc.assert(
      fc.property(packets, fc.array(fc.integer({ min: 1, max: 50 })), (all, cuts) => {
        const whole = all.map(({ first, length }) => packet(first, length))
        const bytes = Buffer.concat([connect, ...whole])
        const frames = new Frames()
        const through: Buffer[] = []
        let at = 0
        for (const cut of [...cuts, bytes.length]) {
          through.push(...frames.take(bytes.subarray(at, at + cut), unlimited).pieces)
          at += cut
        }
        assert.equal(frames.insidePacket, false)
        assert.ok(Buffer.concat(through).equals(bytes))
      }),
    )
  })

  it('begin with a CONNECT, of which there is one', () => {
    assert.throws(() => new Frames().take(packet(0x30, 0), unlimited), {
      code: 'malformed_request',
    })
    const frames = new Frames()
    frames.take(connect, unlimited)
    assert.throws(() => frames.take(connect, unlimited), { code: 'malformed_request' })
  })

  it('refuse QoS 3 at the first byte', () => {
    for (const first of [0x36, 0x37, 0x3e, 0x3f]) {
      const frames = new Frames()
      frames.take(connect, unlimited)
      assert.throws(() => frames.take(Buffer.from([first]), unlimited), /There is no QoS 3/)
    }
  })

  it('know whether a packet has begun and not ended', () => {
    const frames = new Frames()
    frames.take(connect.subarray(0, 1), unlimited)
    assert.equal(frames.insidePacket, true)
    frames.take(connect.subarray(1), unlimited)
    assert.equal(frames.insidePacket, false)
  })

  it('stop behind the packet with which so many are found, and go on there', () => {
    const subscribe = packet(0x82, 2 + 3 * 5)
    const bytes = Buffer.concat([connect, subscribe, ...Array(4).fill(packet(0x30, 3))])
    const frames = new Frames()
    const steps = []
    let left: Buffer = bytes
    while (left.length > 0) {
      const { packets, rest } = frames.take(left, 2)
      steps.push([packets, left.length - rest.length])
      left = rest
    }
    assert.deepEqual(steps, [
      [12, connect.length + subscribe.length],
      [2, 10],
      [2, 10],
    ])
  })
})

describe('the frames of a connection at their limits', () => {
  it('a control packet at its limit is taken, one byte more is refused before it comes', () => {
    const most = deviceApiLimits.mqttControlBytesMax
    const frames = new Frames()
    frames.take(connect, unlimited)
    frames.take(packet(0x40, most), unlimited)
    assert.equal(frames.insidePacket, false)
    const head = packet(0x40, most + 1).subarray(0, 5)
    assert.throws(() => frames.take(head, unlimited), { code: 'too_large' })
  })

  it('of a PUBLISH above its limit only as much as the limit is let through', () => {
    const most = limits.mqttPublishBytesMax
    const full = packet(0x32, most)
    for (const surplus of [0, 1, 100_000]) {
      for (const cut of [1, 3, 65_536, most]) {
        const frames = new Frames()
        frames.take(connect, unlimited)
        const bytes = Buffer.concat([packet(0x32, most + surplus), packet(0x30, 7)])
        const through: Buffer[] = []
        const small = cut < 10 ? Math.ceil(10 / cut) : 0
        for (let at = 0; at < small * cut; at += cut) {
          through.push(...frames.take(bytes.subarray(at, at + cut), unlimited).pieces)
        }
        const step = Math.max(cut, 10_000)
        for (let at = small * cut; at < bytes.length; at += step) {
          through.push(...frames.take(bytes.subarray(at, at + step), unlimited).pieces)
        }
        assert.equal(frames.insidePacket, false)
        assert.ok(Buffer.concat(through).equals(Buffer.concat([full, packet(0x30, 7)])))
      }
    }
  })

  it('count the topics of a SUBSCRIBE and an UNSUBSCRIBE wherever the bytes are cut', () => {
    const most = deviceApiLimits.mqttTopicsMax
    for (const [first, bytesEach] of [
      [0x82, 3],
      [0xa2, 2],
    ] as const) {
      for (const cut of [1, 2, 5, 1_000]) {
        const count = (topics: number) => {
          const frames = new Frames()
          const bytes = Buffer.concat([connect, packet(first, 2 + topics * bytesEach)])
          for (let at = 0; at < bytes.length; at += cut) {
            frames.take(bytes.subarray(at, at + cut), unlimited)
          }
        }
        count(most)
        assert.throws(() => count(most + 1), { code: 'too_large' })
      }
    }
  })
})
