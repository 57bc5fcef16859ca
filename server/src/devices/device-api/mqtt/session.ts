import type { Client } from 'aedes'
import {
  type Clock,
  Fault,
  type Logger,
  limits,
  type SharedBound,
  toFault,
} from '../../../foundation/kernel/index.ts'
import type { Activity, NewConnectorLine } from '../../../log/activity/index.ts'
import type { EventLog } from '../../../log/eventlog/index.ts'
import {
  type Connector,
  type Device,
  type Provisioning,
  refusedDevice,
} from '../../provisioning/index.ts'
import type { DeviceConnection } from '../device-connection.ts'
import { append, type DeviceWrites, type TakeMessage, takeMessage } from '../http/write.ts'
import { deviceApiLimits } from '../limits.ts'
import type { Presence } from '../presence.ts'
import { activate, renew } from './activate.ts'
import {
  type AnonymousPrincipal,
  authenticateMqtt,
  type ConnectCredentials,
  type MqttPrincipal,
  namedConnector,
} from './authenticate.ts'
import { checkPublish, isTopicFilter } from './protocol-rules.ts'
import { type Publication, parsePublication } from './publication.ts'
import { Pusher } from './push.ts'
import type { Registry } from './registry.ts'
import { isSubscribable, parseIdentity, refusalTopic } from './topics.ts'
import type { Wire } from './wire.ts'

/** The dependencies of the MQTT server's sessions. */
export type SessionOptions = {
  readonly provisioning: Provisioning
  readonly eventlog: EventLog
  readonly activity: Pick<Activity, 'connectors' | 'reject'>
  readonly clock: Clock
  readonly logger: Logger
  readonly registry: Registry
  readonly bound: SharedBound
  readonly presence: Presence
  readonly takeMessage?: TakeMessage | undefined
}

const messageOverheadBytes = 512

/**
 * An MQTT connection, from its socket to its end.
 *
 * A CONNECT makes it a device's or an anonymous connection. A device's messages are taken in the
 * order in which they came, each checked against its credential as it is now, and each is
 * acknowledged after its commit. A message that is refused for its content is acknowledged, too,
 * once it is counted as failed: MQTT 3.1.1 has no negative acknowledgement, and a client sends what
 * was not acknowledged again on each connection, before anything else. A message that is refused
 * for its credential, or could not be stored now, ends the connection.
 */
export class Session {
  readonly #options: SessionOptions
  readonly #wire: Wire
  readonly #connection: DeviceConnection
  readonly #sinceMs: number
  /** The start of the packet that had not ended at the last check. */
  #insideSinceMs: number | undefined
  #client: Client | undefined
  #principal: MqttPrincipal | undefined
  /** The connector that a CONNECT named which was refused. */
  #namedConnector: Connector | undefined
  /** The identity of the last activation on an anonymous connection. */
  #requestedIdentity: string | undefined
  #pusher: Pusher | undefined
  #stopListening: (() => void) | undefined
  /** Counts the connection no more as one of its business. */
  #leave: (() => void) | undefined
  /** Resolves when the message before was handed to the log. */
  #lastStep: Promise<void> = Promise.resolve()
  #inFlightBytes = 0
  /** The client id of the CONNECT; may be empty. */
  clientId = ''
  /** True if the CONNECT brought a last will. */
  hasWill = false
  /** An activation was refused. */
  #isOver = false
  /** True if the client subscribes to refusals, so that it takes none for its token. */
  #readsRefusals = false
  #inFlight = 0
  #idle: PromiseWithResolvers<void> | undefined

  constructor(options: SessionOptions, wire: Wire, connection: DeviceConnection) {
    this.#options = options
    this.#wire = wire
    this.#connection = connection
    this.#sinceMs = options.clock.elapsedMs()
  }

  /** @throws Fault: why the CONNECT is refused. */
  async connect(client: Client, credentials: ConnectCredentials): Promise<void> {
    this.#client = client
    const { provisioning, bound } = this.#options
    try {
      const principal = await authenticateMqtt(provisioning, this.#connection, credentials)
      const { businessId } = getConnector(principal)
      bound.requireRoom({ businessId })
      this.#principal = principal
      if (!this.#wire.destroyed) this.#leave = bound.enter({ businessId })
    } catch (error) {
      this.#namedConnector = await namedConnector(
        provisioning,
        this.#connection,
        credentials.userName,
      ).catch(() => undefined)
      throw this.refuse(error)
    }
  }

  /** The CONNECT was answered. */
  begin(): void {
    this.#wire.allowPackets()
    const speaker = this.#principal
    if (speaker?.kind !== 'device' || this.#wire.destroyed) return
    const { provisioning, registry } = this.#options
    registry.add(this, speaker.device, this.clientId)
    const { onRevoked } = provisioning.revocations
    const end = (fault: Fault) => this.close(fault)
    this.#stopListening = onRevoked(speaker.device, end, speaker.check)
    const will = this.hasWill ? ' Its last will is dropped: nobody would receive it.' : ''
    this.#note(speaker.device, { kind: 'connect', message: `The device connected.${will}` })
    this.#publishPresence('connected', speaker.device)
    this.#pusher = new Pusher({
      ...this.#options,
      device: speaker.device,
      send: (topic, payload) => this.#send(topic, payload),
      tooMuch: () => this.close(new Fault('overloaded', 'The device reads too slowly.')),
    })
  }

  end(): void {
    this.#pusher?.stop()
    this.#stopListening?.()
    this.#leave?.()
    const about = this.#logSubject()
    if (!this.#options.registry.remove(this) || about === undefined) return
    this.#note(about, { kind: 'disconnect', message: 'The connection ended.' })
    if (this.#principal?.kind === 'device')
      this.#publishPresence('disconnected', this.#principal.device)
  }

  /**
   * Handles a PUBLISH; resolves when it may be acknowledged: it is durable, or counted as refused.
   * @throws Fault: then the connection is to be closed, without an acknowledgement.
   */
  async publish(publication: Publication): Promise<void> {
    const bytes = publication.payload.length + messageOverheadBytes
    this.#weigh(1, bytes)
    try {
      checkPublish(publication)
      if (this.#principal?.kind === 'anonymous') await this.#activate(this.#principal, publication)
      else if (parseIdentity(publication.topic) !== undefined) await this.#renew(publication)
      else await (await this.#inOrder(() => this.#take(publication))).durable
    } catch (error) {
      throw this.refuse(error)
    } finally {
      this.#weigh(-1, -bytes)
    }
  }

  /** The last PUBLISH was acknowledged. An anonymous connection whose activation failed ends. */
  published(): void {
    if (this.#isOver) this.#wire.end(() => this.#wire.destroy())
  }

  /**
   * Returns true if a subscription is granted; `count` is the number of those that exist.
   * @throws Fault `malformed_request`: the connection is to be closed.
   */
  subscribe(topic: string, qos: number, count: number): boolean {
    const mayBe = isTopicFilter(topic) && isSubscribable(topic)
    const isGranted = qos < 2 && count < deviceApiLimits.mqttSubscriptionsMax && mayBe
    if (isGranted && topic === refusalTopic) this.#readsRefusals = true
    return isGranted
  }

  /** A PINGREQ: the device is there. */
  ping(): void {
    if (this.#principal?.kind !== 'device') return
    this.#options.provisioning.noteSeen(this.#principal.device, this.#connection.ip)
    this.#pusher?.ping()
  }

  /** Ends a connection that stays anonymous, has a packet without end, or lost its credential. */
  async check(): Promise<void> {
    const nowMs = this.#options.clock.elapsedMs()
    if (!this.#wire.insidePacket) this.#insideSinceMs = undefined
    else this.#insideSinceMs ??= nowMs
    const insideMs = nowMs - (this.#insideSinceMs ?? nowMs)
    if (insideMs > limits.deviceRequestMsMax) {
      return this.close(new Fault('time_exceeded', 'A packet was not completed in time.'))
    }
    if (this.#principal?.kind !== 'device') {
      if (nowMs - this.#sinceMs <= deviceApiLimits.mqttAnonymousMsMax) return
      return this.close(new Fault('time_exceeded', 'An anonymous connection is for activation.'))
    }
    this.#pusher?.retry()
    try {
      await this.#principal.check()
    } catch (error) {
      // A failed lookup does not mean that the credential is revoked.
      const fault = toFault(error)
      if (fault.status < 500) this.close(fault)
    }
  }

  /** Logs why a packet is rejected; the connection has to end. */
  refuse(error: unknown): Fault {
    const fault = toFault(error)
    if (!this.#wire.destroyed) this.#noteRefusal(fault)
    return fault
  }

  close(reason: Fault): void {
    this.refuse(reason)
    this.#wire.destroy()
  }

  /** Takes nothing more in; resolves when what was taken is answered. */
  async settle(): Promise<void> {
    this.#wire.hold(true)
    if (this.#inFlight === 0) return
    this.#idle ??= Promise.withResolvers()
    await this.#idle.promise
  }

  cut(): void {
    this.#wire.destroy()
  }

  /**
   * Runs steps one after the other, up to the point where the log has the message: the order is the
   * device's.
   */
  async #inOrder<Result>(step: () => Promise<Result>): Promise<Result> {
    const before = this.#lastStep
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#lastStep = promise
    try {
      await before
      return await step()
    } finally {
      resolve()
    }
  }

  async #take(publication: Publication): Promise<{ durable: Promise<void> }> {
    const device = await this.#device()
    const nowUs = this.#options.clock.nowUs()
    let writes: DeviceWrites
    try {
      writes = parsePublication(device, publication, nowUs)
    } catch (error) {
      return { durable: this.#reject(device, error) }
    }
    await takeMessage(this.#options, device, writes)
    return { durable: append(this.#options, device, this.#connection.presence, writes, nowUs) }
  }

  /** Counts a message that is refused for its content. @throws what is no such refusal. */
  async #reject(device: Device, thrown: unknown): Promise<void> {
    const fault = toFault(thrown)
    if (fault.status >= 500) throw fault
    const { code, detail: message } = fault
    const { ip, protocol } = this.#connection
    const { identity, connector } = device
    const about = { businessId: connector.businessId, connectorId: connector.id, identity }
    const line = { ...about, ip, protocol, kind: 'refusal', code, message } as const
    await this.#options.activity.reject({ ...line, stage: 'mqtt' })
    const { logger } = this.#options
    logger.info({ code, detail: message, ip, protocol, identity }, 'an MQTT message is refused')
  }

  /** Publishes in the order of the device's messages. */
  #publishPresence(kind: Parameters<Presence['publish']>[0], device: Device): void {
    this.#inOrder(async () =>
      this.#options.presence.publish(kind, device, this.#connection.presence),
    )
  }

  #device(): Device | Promise<Device> {
    if (this.#principal?.kind !== 'device') throw new Fault('unknown_credential')
    return this.#principal.authenticate()
  }

  async #activate(anonymous: AnonymousPrincipal, publication: Publication): Promise<void> {
    const { provisioning } = this.#options
    const identity = parseIdentity(publication.topic)
    this.#requestedIdentity = identity
    try {
      const { topic, payload } = await activate(
        provisioning,
        anonymous,
        this.#connection,
        publication,
      )
      await this.#send(topic, payload)
    } catch (error) {
      const fault = toFault(error)
      // A message that may succeed later is not acknowledged, nor one that is no activation.
      if (identity === undefined || isTemporary(fault)) throw fault
      this.refuse(fault)
      // Clients of the field take any message for their token, whatever its topic is.
      const reason = this.#readsRefusals ? JSON.stringify({ identity, code: fault.code }) : ''
      await this.#send(refusalTopic, reason)
      this.#isOver = true
    }
  }

  async #renew(publication: Publication): Promise<void> {
    const device = await this.#device()
    const { provisioning } = this.#options
    try {
      const { topic, payload } = await renew(provisioning, device, this.#connection, publication)
      await this.#send(topic, payload)
    } catch (error) {
      await this.#reject(device, error)
    }
  }

  /** Sent without a subscription, to this connection alone. */
  #send(topic: string, payload: string): Promise<void> {
    const client = this.#client
    if (client === undefined || client.closed || this.#wire.destroyed) return Promise.resolve()
    const packet = { cmd: 'publish', topic, payload, qos: 0, retain: false, dup: false } as const
    return new Promise((resolve) => client.publish(packet, () => resolve()))
  }

  #weigh(messages: number, bytes: number): void {
    this.#inFlight += messages
    this.#inFlightBytes += bytes
    this.#wire.keepOpen(this.#inFlight > 0)
    if (this.#idle !== undefined) {
      if (this.#inFlight === 0) this.#idle.resolve()
      return
    }
    this.#wire.hold(this.#inFlightBytes > deviceApiLimits.mqttInFlightBytesMax)
  }

  #noteRefusal(fault: Fault): void {
    const { logger } = this.#options
    const { ip, protocol } = this.#connection
    const { code, detail } = fault
    const about = this.#logSubject(fault)
    const identity = about?.identity ?? null
    if (code === 'internal') logger.error({ err: fault, ip, identity }, 'an MQTT step failed')
    else logger.info({ code, detail, ip, protocol, identity }, 'an MQTT connection is refused')
    if (about !== undefined) this.#note(about, { kind: 'refusal', message: detail, code })
  }

  /** The subject of a log line; undefined without a known connector. */
  #logSubject(thrown?: unknown): LogSubject | undefined {
    const speaker = this.#principal
    if (speaker?.kind === 'device') return speaker.device
    if (speaker === undefined) return refusedDevice(thrown) ?? this.#namedSubject()
    return { connector: speaker.connector, identity: this.#requestedIdentity ?? null }
  }

  #namedSubject(): LogSubject | undefined {
    return this.#namedConnector && { connector: this.#namedConnector, identity: null }
  }

  #note(
    { connector, identity }: LogSubject,
    rest: Pick<NewConnectorLine, 'kind' | 'message' | 'code'>,
  ): void {
    const { businessId, id: connectorId } = connector
    const { ip, protocol } = this.#connection
    this.#options.activity.connectors.write({
      businessId,
      connectorId,
      identity,
      ip,
      protocol,
      ...rest,
    })
  }
}

/** Returns true if the same may succeed a little later. */
function isTemporary({ status }: Fault): boolean {
  return status >= 500 || status === 429
}

/** The subject of a line of the connector's log. */
type LogSubject = { readonly connector: Connector; readonly identity: string | null }

function getConnector(principal: MqttPrincipal): Connector {
  return principal.kind === 'device' ? principal.device.connector : principal.connector
}
