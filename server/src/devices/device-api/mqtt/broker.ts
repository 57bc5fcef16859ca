import type { EventEmitter } from 'node:events'
import { Aedes, type Client, type ConnectPacket, type Subscription } from 'aedes'
import {
  decodeTextOrLatin1,
  Fault,
  type Logger,
  toFault,
} from '../../../foundation/kernel/index.ts'
import { deviceApiLimits } from '../limits.ts'
import { noRouter, noStore } from './no-persistence.ts'
import { refuseConnect } from './protocol-rules.ts'
import type { Session } from './session.ts'
import type { Wire } from './wire.ts'

/** The time for the CONNECT of an MQTT client. */
const mqttConnectMsMax = 10_000

/**
 * Implements MQTT and decides nothing: the session authenticates a connection, takes its messages
 * and decides when they are acknowledged. Router and store are empty on purpose.
 */
export type Broker = {
  handle(wire: Wire, session: Session): void
  close(): Promise<void>
}

export type BrokerOptions = {
  readonly logger: Logger
  /** A name for a connection; devices' own client ids would let one end another's. */
  readonly newConnectionId: () => string
}

export async function createBroker({ logger, newConnectionId }: BrokerOptions): Promise<Broker> {
  // The broker makes the clients, and of a connection it has the wire, which imports no session.
  const sessions = new WeakMap<object, Session>()
  const aedes = new Aedes({
    mq: noRouter,
    persistence: noStore,
    connectTimeout: mqttConnectMsMax,
    drainTimeout: deviceApiLimits.mqttUnreadMsMax,
    // The wire lets nothing through behind a CONNECT that is not answered.
    queueLimit: 0,
    preConnect(client, packet, done) {
      const session = getSession(client)
      const fault = refuseConnect(packet)
      if (fault !== undefined) return done(session.refuse(fault), false)
      prepareConnect(session, packet)
      packet.clientId = newConnectionId()
      done(null, true)
    },
    authenticate(client, userName, password, done) {
      const secret = decodeTextOrLatin1(password ?? Buffer.alloc(0))
      getSession(client)
        .connect(client, { userName: userName ?? '', password: secret })
        .then(
          () => done(null, true),
          (error) => done(refusal(toFault(error)), false),
        )
    },
    authorizePublish(client, packet, done) {
      if (client === null) return done(new Error('only devices publish'))
      const { topic, payload, qos } = packet
      const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
      const session = getSession(client)
      const packetId = 'messageId' in packet ? packet.messageId : undefined
      session.publish({ topic, payload: bytes, qos, packetId }).then(() => {
        done(null)
        session.published()
      }, done)
    },
    authorizeSubscribe(client, subscription, done) {
      const granted = grant(getSession(client), client, subscription)
      if (granted instanceof Fault) done(granted)
      else done(null, granted)
    },
  })
  await aedes.listen()
  aedes.on('clientReady', (client) => getSession(client).begin())
  aedes.on('ping', (_, client) => getSession(client).ping())
  // Its types leave this event out; without a listener it would end the process.
  const events: EventEmitter = aedes
  events.on('error', (error) => logger.error({ err: error }, 'MQTT broker failed'))
  const broke = (_: Client, error: Error) => logger.debug({ err: error }, 'MQTT connection broke')
  aedes.on('clientError', broke)
  aedes.on('connectionError', broke)

  function getSession({ conn }: Client): Session {
    const session = sessions.get(conn)
    if (session === undefined) throw new Error('MQTT connection has no session')
    return session
  }

  return {
    handle(wire, session) {
      sessions.set(wire, session)
      aedes.handle(wire)
    },
    close: () => new Promise((resolve) => aedes.close(() => resolve())),
  }
}

/** Nothing outlives the connection, and a last will would be a message to nobody. */
function prepareConnect(session: Session, packet: ConnectPacket): void {
  session.clientId = packet.clientId
  packet.clean = true
  session.hasWill = packet.will !== undefined
  delete packet.will
}

/** Returns null if it is not granted, a fault if the connection is to be closed. */
function grant(session: Session, client: Client, subscription: Subscription) {
  const count = Object.keys(listSubscriptions(client)).length
  try {
    return session.subscribe(subscription.topic, subscription.qos, count) ? subscription : null
  } catch (error) {
    return toFault(error)
  }
}

/** The broker has them, though its types do not. */
function listSubscriptions(client: Client): object {
  return (client as Client & { readonly subscriptions?: object }).subscriptions ?? {}
}

/** The return codes of a CONNACK: 3 try again, 4 the credential is wrong, 5 it may not. */
function refusal(fault: Fault): Error & { returnCode: 3 | 4 | 5 } {
  const returnCode = fault.status >= 500 ? 3 : fault.code === 'unknown_credential' ? 4 : 5
  return Object.assign(new Error(fault.code), { returnCode } as const)
}
