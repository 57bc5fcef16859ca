import type { Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { createBroker } from '../../../server/src/device-api/mqtt/broker.ts'
import { PacketScheduler } from '../../../server/src/device-api/mqtt/packet-scheduler.ts'
import type { Session } from '../../../server/src/device-api/mqtt/session.ts'
import { Wire } from '../../../server/src/device-api/mqtt/wire.ts'
import { createLogger, limits } from '../../../server/src/kernel/index.ts'

const connect = Buffer.from([0x10, 12, 0, 4, 0x4d, 0x51, 0x54, 0x54, 4, 2, 0, 0, 0, 0])
/** Turns without a packet that came back, after which a flood is over. */
const quietTurns = 50

/**
 * The CPU in microseconds of the longest turn of the event loop while the broker takes `flood` from
 * a client that has connected: parsing and answers, without what the session does.
 */
export async function longestTurnUs(flood: Buffer): Promise<number> {
  let names = 0
  const newConnectionId = () => {
    names += 1
    return `connection-${names}`
  }
  const broker = await createBroker({ logger: createLogger('silent'), newConnectionId })
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
    subscribe: (_topic: string, _qos: number, count: number) => count < limits.mqttSubscriptionsMax,
  }
  let came = 0
  device.on('data', () => {
    came += 1
  })
  broker.handle(wire, session as unknown as Session)
  device.write(connect)
  await ready.promise
  await setImmediate()
  device.write(flood)
  let [longest, seen, quiet] = [0, came, 0]
  while (quiet < quietTurns) {
    const before = process.cpuUsage()
    await setImmediate()
    const { user, system } = process.cpuUsage(before)
    longest = Math.max(longest, user + system)
    quiet = came === seen ? quiet + 1 : 0
    seen = came
  }
  wire.destroy()
  await broker.close()
  return longest
}
