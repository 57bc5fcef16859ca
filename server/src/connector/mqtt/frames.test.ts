import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { limits } from '../../kernel/index.ts'
import { Frames } from './frames.ts'

const connect = Buffer.from([0x10, 0x02, 0x00, 0x00])

/** A packet of a type with a body of so many bytes, its length in as few digits as can be. */
function packet(first: number, length: number): Buffer {
  const digits: number[] = []
  let left = length
  do {
    digits.push((left % 128) + (left >= 128 ? 0x80 : 0))
    left = Math.floor(left / 128)
  } while (left > 0)
  return Buffer.concat([Buffer.from([first, ...digits]), Buffer.alloc(length)])
}

describe('the frames of a connection', () => {
  it('are found wherever the bytes are cut', () => {
    const packets = fc.array(
      fc.record({
        first: fc.constantFrom(0x30, 0x32, 0x40, 0x82, 0xa2, 0xc0),
        length: fc.nat(300),
      }),
    )
    fc.assert(
      fc.property(packets, fc.array(fc.integer({ min: 1, max: 50 })), (all, cuts) => {
        const whole = all.map(({ first, length }) => packet(first, length))
        const bytes = Buffer.concat([connect, ...whole])
        const frames = new Frames()
        let at = 0
        for (const cut of [...cuts, bytes.length]) {
          frames.take(bytes.subarray(at, at + cut))
          at += cut
        }
        assert.equal(frames.insidePacket, false)
      }),
    )
  })

  for (const [name, first, most] of [
    ['PUBLISH', 0x30, limits.mqttPublishBytesMax],
    ['SUBSCRIBE', 0x82, limits.mqttControlBytesMax],
  ] as const) {
    it(`a ${name} of ${most} bytes is taken, one byte more is refused before it comes`, () => {
      const frames = new Frames()
      frames.take(connect)
      frames.take(packet(first, most))
      assert.equal(frames.insidePacket, false)
      const head = packet(first, most + 1).subarray(0, 5)
      assert.throws(() => frames.take(head), { code: 'too_large' })
    })
  }

  it('begin with a CONNECT, of which there is one', () => {
    assert.throws(() => new Frames().take(packet(0x30, 0)), { code: 'malformed_request' })
    const frames = new Frames()
    frames.take(connect)
    assert.throws(() => frames.take(connect), { code: 'malformed_request' })
  })

  it('refuse QoS 2 and 3 at the first byte', () => {
    for (const first of [0x34, 0x36, 0x35, 0x3d]) {
      const frames = new Frames()
      frames.take(connect)
      assert.throws(() => frames.take(Buffer.from([first])), /QoS 2 is not supported/)
    }
  })

  it('know whether a packet has begun and not ended', () => {
    const frames = new Frames()
    frames.take(connect.subarray(0, 1))
    assert.equal(frames.insidePacket, true)
    frames.take(connect.subarray(1))
    assert.equal(frames.insidePacket, false)
  })
})
