import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { deviceApiLimits } from '../../../../src/devices/device-api/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { stallLog } from '../../../fixtures/peers/stall.ts'
import { type OwnPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { mqttFleet, until } from '../../../fixtures/wire/mqtt-fleet.ts'
import {
  connectPacket,
  encodeNumber,
  encodeText,
  makePacket,
  pingPacket,
  publishPacket,
  type RawMqtt,
  rawMqtt,
  subscribePacket,
} from '../../../fixtures/wire/mqtt-raw.ts'

type Context = Parameters<typeof rawMqtt>[0]

const topics = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => `$resource/${from + at}`)

let millrace: OwnPlatform

const { newOne, set, connect, line } = mqttFleet(() => millrace)

const shareInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite, { movesClock: true })
})

const connected = async (t: Context): Promise<RawMqtt> => {
  const { token } = await newOne()
  const raw = rawMqtt(t, millrace.mqttUrl)
  raw.write(connectPacket({ userName: '', password: token }))
  await raw.packet('connack')
  return raw
}

const works = async (t: Context) => {
  const { write } = await connect(t, await newOne())
  await write('$resource/a', 'works')
}

describe('devices over MQTT that mean no good: what comes with the CONNECT', () => {
  shareInstance()

  it('what comes with the CONNECT waits for its answer, and keeps its order', async (t) => {
    const { token } = await newOne()
    const raw = rawMqtt(t, millrace.mqttUrl)
    const ids = Array.from({ length: 300 }, (_, at) => at + 1)
    const packets = ids.flatMap((id) => [publishPacket('$resource/a', `${id}`, id), pingPacket])
    raw.write(Buffer.concat([connectPacket({ userName: '', password: token }), ...packets]))
    await raw.packet('puback', ids.length)
    await raw.packet('pingresp', ids.length)
    assert.equal(raw.came[0], 'connack')
    assert.deepEqual(
      raw.bodies('puback').map((body) => body.readUInt16BE()),
      ids,
    )
  })

  it('what comes with a CONNECT that is refused is not read', async (t) => {
    const raw = rawMqtt(t, millrace.mqttUrl)
    const malformed = makePacket(0xf0)
    raw.write(Buffer.concat([connectPacket({ userName: '', password: 'x' }), malformed]))
    await raw.packet('connack')
    assert.equal(raw.bodies('connack')[0]?.[1], 4)
    await raw.closed
  })
})

describe('a connection over MQTT that does not begin with a CONNECT is closed', () => {
  shareInstance()

  const beginnings: [string, Buffer][] = [
    ['a request of HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a PUBLISH', publishPacket('$resource/a', 'x')],
    ['a ping', pingPacket],
    ['a packet of type 0', makePacket(0x00)],
    ['a CONNECT with reserved flags', Buffer.from([0x1f, 0x00])],
    ['a CONNECT without an end of its length', Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff])],
    ['a CONNECT that is too large', Buffer.from([0x10, 0x81, 0x80, 0x04])],
    ['a CONNECT of another protocol', makePacket(0x10, encodeText('MQTR'), Buffer.alloc(8))],
    ['half a CONNECT', makePacket(0x10, encodeText('MQTT'))],
    [
      'a CONNECT of MQTT 5',
      makePacket(0x10, encodeText('MQTT'), Buffer.from([5, 2, 0, 0, 0, 0, 0])),
    ],
  ]
  for (const [name, bytes] of beginnings) {
    it(`${name} is not one`, async (t) => {
      const raw = rawMqtt(t, millrace.mqttUrl)
      raw.write(bytes)
      await raw.closed
      assert.ok(!raw.came.includes('puback'))
    })
  }
})

describe('a packet of MQTT that is none ends the connection of its device alone', () => {
  shareInstance()

  const packets: [string, Buffer][] = [
    ['a second CONNECT', connectPacket({ userName: '' })],
    ['a CONNACK', makePacket(0x20, Buffer.from([0, 0]))],
    ['a type that is reserved', makePacket(0xf0)],
    ['QoS 3', makePacket(0x36, encodeText('$resource/a'), encodeNumber(1))],
    ['a PUBLISH without a topic', makePacket(0x30, encodeText(''))],
    ['a PUBLISH that ends in its topic', makePacket(0x30, encodeNumber(100), Buffer.from('$res'))],
    ['a topic with a wildcard', publishPacket('$resource/+', 'x', 1)],
    ['a topic with a NUL', publishPacket('$resource/a\0', 'x', 1)],
    ['a topic of a hundred and one levels', publishPacket(`$resource${'/x'.repeat(100)}`, 'x', 1)],
    ['a SUBSCRIBE without topics', makePacket(0x82, encodeNumber(1))],
    ['a SUBSCRIBE that ends early', makePacket(0x82, encodeNumber(1), encodeNumber(50))],
    [
      'a SUBSCRIBE of too many topics',
      subscribePacket(1, topics(deviceApiLimits.mqttTopicsMax + 1)),
    ],
    ['an UNSUBSCRIBE that ends early', makePacket(0xa2, encodeNumber(1), encodeNumber(50))],
    ['a SUBSCRIBE that is too large', Buffer.from([0x82, 0x81, 0x80, 0x04])],
  ]
  for (const [name, bytes] of packets) {
    it(`${name} is none`, async (t) => {
      const raw = await connected(t)
      raw.write(bytes)
      await raw.closed
      assert.ok(!raw.came.includes('puback'))
    })
  }
})

describe('devices over MQTT that mean no good: bytes of any kind', () => {
  shareInstance()

  it('random bytes after a CONNECT harm nobody', async (t) => {
    for (let round = 0; round < 50; round += 1) {
      const raw = await connected(t)
      raw.write(randomBytes(1_000))
      raw.write(Buffer.from([0xff]))
      // Some begin a packet whose rest would be waited for.
      raw.end()
      await raw.closed
    }
    await works(t)
  })

  it('every packet cut at every byte harms nobody', async (t) => {
    const { token } = await newOne()
    const packet = connectPacket({ userName: '', password: token }, { will: true })
    for (let cut = 0; cut < packet.length; cut += 7) {
      const raw = rawMqtt(t, millrace.mqttUrl)
      raw.write(packet.subarray(0, cut))
      raw.end()
      await raw.closed
    }
    await works(t)
  })

  it('a PUBREL for nothing is answered', async (t) => {
    const raw = await connected(t)
    raw.write(makePacket(0x62, encodeNumber(1)))
    await raw.packet('pubcomp')
  })

  it('a packet that never ends is given up', async (t) => {
    const raw = await connected(t)
    raw.write(publishPacket('$resource/a', 'x'.repeat(1_000), 1).subarray(0, 500))
    raw.write(Buffer.from('x'))
    const done = { over: false }
    raw.closed.then(() => {
      done.over = true
    })
    await until(async () => {
      millrace.clock.advance(limits.deviceRequestMsMax + 1)
      return done.over
    })
    await works(t)
  })

  it('a user name and a password of any bytes are refused', async (t) => {
    const names = ['a\0b', '../..', 'x'.repeat(60_000), '__proto__', "' or 1=1 --"]
    for (const name of names) {
      for (const credentials of [
        { userName: name },
        { userName: name, password: 'x'.repeat(40) },
        { userName: '', password: name },
      ]) {
        const raw = rawMqtt(t, millrace.mqttUrl)
        raw.write(connectPacket(credentials))
        await raw.closed
      }
    }
    await works(t)
  })
})

describe('devices over MQTT that mean no good: too much of what is allowed', () => {
  shareInstance()

  it('what no resource takes is acknowledged, and nothing of it is stored', async (t) => {
    const large = Buffer.alloc(limits.deviceBodyBytesMax + 1, 'x')
    for (const [topic, payload] of [
      ['$resource/a', large],
      ['$resource.batch', large],
      ['$SYS/heartbeat', 'x'],
      ['$resource/a', 'a\0b'],
    ] as const) {
      const raw = await connected(t)
      raw.write(publishPacket(topic, payload, 1))
      await raw.packet('puback')
    }
  })

  it('thousands of subscriptions: the first hundred are granted', async (t) => {
    const raw = await connected(t)
    const each = deviceApiLimits.mqttTopicsMax
    for (let id = 1; id <= 20; id += 1) raw.write(subscribePacket(id, topics(each, id * each)))
    await raw.packet('suback', 20)
    const granted = raw.bodies('suback').flatMap((body) => [...body.subarray(2)])
    assert.equal(granted.length, 20 * each)
    assert.equal(granted.filter((code) => code === 0).length, deviceApiLimits.mqttSubscriptionsMax)
    await works(t)
  })

  it('what a device sends is not taken into memory while the log stands still', async (t) => {
    const [raw, other] = [await connected(t), await connected(t)]
    const stall = await stallLog(millrace.platform.database)
    const messages = 40
    const large = 'x'.repeat(limits.resourceValueBytesMax)
    for (let id = 1; id <= messages; id += 1) raw.write(publishPacket('$resource/a', large, id))
    await stall.waitedFor()
    for (let pings = 1; pings <= 50; pings += 1) {
      other.write(pingPacket)
      await other.packet('pingresp', pings)
    }
    assert.ok(raw.unsentBytes() > (messages * large.length) / 2)
    await stall.release()
    await raw.packet('puback', messages)
  })

  it('a device that does not read what is set for it is closed', async (t) => {
    const device = await newOne()
    const raw = rawMqtt(t, millrace.mqttUrl)
    raw.write(connectPacket({ userName: '', password: device.token }))
    await raw.packet('connack')
    raw.stall()
    const large = 'x'.repeat(limits.resourceValueBytesMax)
    for (let sent = 0; sent < 20; sent += 1) await set(device, { a: `${large.slice(4)}${sent}` })
    await until(async () => (await line(device.identity, 'refusal')) !== undefined)
    assert.equal((await line(device.identity, 'refusal'))?.code, 'overloaded')
    const { receive } = await connect(t, device)
    await receive(({ text }) => text.endsWith('x19'))
  })

  for (const [what, bytes] of [
    ['packet id 0 of a PUBLISH', publishPacket('$resource/a', 'x', 0)],
    ['packet id 0 of a SUBSCRIBE', subscribePacket(0, ['$resource/a'])],
    ['a SUBSCRIBE without a topic', subscribePacket(1, [])],
    ['an UNSUBSCRIBE without a topic', makePacket(0xa2, encodeNumber(1))],
    ['a PINGREQ with a body', makePacket(0xc0, Buffer.from([0]))],
    ['a DISCONNECT with a body', makePacket(0xe0, Buffer.from([0]))],
    ['a topic that is not UTF-8', makePacket(0x30, encodeNumber(2), Buffer.from([0xff, 0xfe]))],
    ['a NUL in a topic', publishPacket('$resource/a\0', 'x')],
    ['a NUL in a topic filter', subscribePacket(1, ['$resource/a\0'])],
  ] as const) {
    it(`${what} ends the connection`, async (t) => {
      const raw = await connected(t)
      raw.write(bytes)
      await raw.closed
      assert.deepEqual(raw.came, ['connack'])
    })
  }

  it('control characters in a topic filter are not granted', async (t) => {
    const raw = await connected(t)
    raw.write(subscribePacket(1, ['$resource/a\u0001', '$resource/b']))
    await raw.packet('suback')
    assert.deepEqual([...(raw.bodies('suback')[0]?.subarray(2) ?? [])], [0x80, 0])
  })

  for (const [what, name, level, flags, clientId] of [
    ['the level 3 of MQTT', 'MQTT', 3, 0x02, []],
    ['a NUL in the client id', 'MQTT', 4, 0x02, [0x61, 0, 0x62]],
    ['a client id that is not UTF-8', 'MQTT', 4, 0x02, [0xff, 0xfe]],
    ['a surrogate in the client id', 'MQTT', 4, 0x02, [0xed, 0xa0, 0x80]],
    ['a last will of QoS 3', 'MQTT', 4, 0x1e, [0x61]],
  ] as const) {
    it(`a CONNECT with ${what} is not answered`, async (t) => {
      const raw = rawMqtt(t, millrace.mqttUrl)
      const id = [encodeNumber(clientId.length), Buffer.from(clientId)]
      const will = (flags & 0x04) === 0 ? [] : [encodeText('$resource/a'), encodeText('last words')]
      const head = [encodeText(name), Buffer.from([level, flags]), encodeNumber(0)]
      raw.write(makePacket(0x10, ...head, ...id, ...will))
      await raw.closed
      assert.deepEqual(raw.came, [])
    })
  }

  it('the ledger adds up after all of it', async () => {
    assert.deepEqual((await millrace.platform.eventlog.ledger.verify()).faults, [])
  })
})
