import type { Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { deviceApiLimits } from '../../../server/src/devices/device-api/index.ts'
import { createBroker } from '../../../server/src/devices/device-api/mqtt/broker.ts'
import { PacketScheduler } from '../../../server/src/devices/device-api/mqtt/packet-scheduler.ts'
import type { Session } from '../../../server/src/devices/device-api/mqtt/session.ts'
import { Wire } from '../../../server/src/devices/device-api/mqtt/wire.ts'
import { createLogger } from '../../../server/src/foundation/kernel/index.ts'
import { longestTurnMs } from '../frame/turns.ts'

const connect = Buffer.from([0x10, 12, 0, 4, 0x4d, 0x51, 0x54, 0x54, 4, 2, 0, 0, 0, 0])
const logger = createLogger('silent')

/**
 * The CPU in milliseconds of the longest turn of the event loop while the broker takes `flood` from
 * a client that has connected, and that ends its side behind it: parsing and answers, without what
 * the session does. The connection closes after the last answer, or at the packet that is refused.
 */
export async function longestFloodMs(flood: Buffer): Promise<number> {
  let names = 0
  const newConnectionId = () => {
    names += 1
    return `connection-${names}`
  }
  const broker = await createBroker({ logger, newConnectionId })
  const [socket, device] = duplexPair()
  Object.assign(socket, { destroySoon: () => socket.destroy(), setTimeout: () => {} })
  const options = { socket: socket as unknown as Socket, scheduler: new PacketScheduler() }
  const wire = new Wire({ ...options, onRefused: () => {} })
  const ready = Promise.withResolvers<void>()
  const session = {
    connect: async () => {},
    begin() {
      wire.allowPackets()
      ready.resolve()
    },
    ping() {},
    publish: async () => {},
    published() {},
    subscribe: (_topic: string, _qos: number, count: number) =>
      count < deviceApiLimits.mqttSubscriptionsMax,
  }
  device.resume()
  broker.handle(wire, session as unknown as Session)
  device.write(connect)
  await ready.promise
  await setImmediate()
  const closed = new Promise((resolve) => wire.once('close', resolve))
  const [longest] = await longestTurnMs(() => {
    device.end(flood)
    return closed
  })
  await broker.close()
  return longest
}
