import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import {
  type Clock,
  type Logger,
  limits,
  newId,
  PollLoop,
  type Random,
  SharedBound,
} from '../../../foundation/kernel/index.ts'
import type { Activity } from '../../../log/activity/index.ts'
import type { EventLog } from '../../../log/eventlog/index.ts'
import type { Provisioning } from '../../provisioning/index.ts'
import { DeviceConnection } from '../device-connection.ts'
import { createPresence, type PresenceWanted } from '../presence.ts'
import { createBroker } from './broker.ts'
import { PacketScheduler } from './packet-scheduler.ts'
import { createRegistry } from './registry.ts'
import { Session } from './session.ts'
import { Wire } from './wire.ts'

/**
 * The interval at which MQTT connections are checked for withdrawn credentials and packets that
 * were begun long ago.
 */
const mqttCheckMs = 500

export type DeviceMqttOptions = {
  readonly provisioning: Provisioning
  readonly eventlog: EventLog
  readonly activity: Pick<Activity, 'connectors' | 'reject'>
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly presenceWanted?: PresenceWanted
  /** Connections open at once; `limits.mqttClientsMax` if left out. */
  readonly clientsMax?: number
}

/** The MQTT 3.1.1 server for devices, behind plain TCP and TLS. */
export type DeviceMqtt = {
  /** Takes a connection over: a TCP socket, or a TLS socket after its handshake. */
  accept(socket: Socket): void
  /** Connections that are open. */
  readonly clients: number
  /** Answers what was taken in, and ends every connection. */
  close(): Promise<void>
}

export async function createDeviceMqtt(options: DeviceMqttOptions): Promise<DeviceMqtt> {
  const { logger, random, clientsMax = limits.mqttClientsMax } = options
  const broker = await createBroker({ logger, newConnectionId: () => newId(random) })
  const presence = createPresence(options)
  const bound = new SharedBound({ what: 'MQTT connections', max: () => clientsMax })
  const context = { ...options, presence, registry: createRegistry(), bound }
  const sessions = new Set<Session>()
  const scheduler = new PacketScheduler()
  let closing = false
  let wasFull = false
  const checks = new PollLoop({
    look: () => checkAll(sessions),
    failed: (error) => logger.error({ err: error }, 'checking MQTT connections failed; retrying'),
    pollMs: mqttCheckMs,
  })
  checks.startLater()

  return {
    get clients() {
      return sessions.size
    },
    accept(socket) {
      const full = sessions.size >= clientsMax
      if (full && !wasFull) logger.warn({ clients: sessions.size }, 'too many MQTT connections')
      wasFull = full
      if (closing || full) {
        socket.destroy()
        return
      }
      const onRefused = (error: unknown) => session.refuse(error)
      const wire: Wire = new Wire({ socket, scheduler, onRefused })
      const session = new Session(
        context,
        wire,
        new DeviceConnection(socket, 'mqtt', newId(random)),
      )
      sessions.add(session)
      wire.once('close', () => {
        sessions.delete(session)
        session.end()
      })
      broker.handle(wire, session)
    },
    async close() {
      closing = true
      await checks.stop()
      await settled([...sessions])
      // The broker hands acknowledgements to the sockets a turn later.
      await setImmediate()
      await broker.close()
      for (const session of sessions) session.cut()
    },
  }
}

const sessionsAtOnce = 200

/** Checks some sessions at a time, so that the process serves others between. */
async function checkAll(sessions: ReadonlySet<Session>): Promise<void> {
  let checked = 0
  for (const session of sessions) {
    session.check()
    checked += 1
    if (checked % sessionsAtOnce === 0) await setImmediate()
  }
}

/** Waits for what was taken in, but not for ever. */
async function settled(sessions: readonly Session[]): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, limits.shutdownMsMax)
  await Promise.race([Promise.all(sessions.map((session) => session.settle())), late.promise])
  clearTimeout(timer)
}
