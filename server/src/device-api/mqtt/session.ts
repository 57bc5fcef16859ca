import type { Client } from 'aedes'
import type { EventLog, Note } from '../../eventlog/index.ts'
import {
  type Clock,
  Fault,
  faultOf,
  type Logger,
  limits,
  newId,
  type Random,
} from '../../kernel/index.ts'
import {
  type Connector,
  type Device,
  type Provisioning,
  refusedDevice,
} from '../../provisioning/index.ts'
import { append, type Said, type Writes } from '../http/write.ts'
import type { Presence } from '../presence.ts'
import { activate, renew } from './activate.ts'
import {
  authenticateMqtt,
  type Credentials,
  type Link,
  namedConnector,
  type Speaker,
  type Stranger,
} from './authenticate.ts'
import { type Publication, parsePublication } from './publication.ts'
import { Pusher } from './push.ts'
import type { Registry } from './registry.ts'
import { identityOf, isSubscribable, refusalTopic } from './topics.ts'
import type { Wire } from './wire.ts'

/** What the sessions of the door stand on. */
export type SessionContext = {
  readonly provisioning: Provisioning
  readonly eventlog: EventLog
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly registry: Registry
  readonly presence: Presence
}

const messageOverheadBytes = 512

/**
 * One MQTT connection, from its socket to its end.
 *
 * It begins knowing only its link. A CONNECT makes it a device's or a stranger's. A device's
 * messages are taken in the order in which they came, each checked against its credential as it is
 * now, and each is acknowledged after its commit. What is refused for its content is acknowledged,
 * too, once it is counted as failed: MQTT 3.1.1 has no negative acknowledgement, and a client sends
 * what was not acknowledged again on each connection, before anything else. What is refused for its
 * credential, or could not be stored now, ends the connection.
 */
export class Session {
  readonly #context: SessionContext
  readonly #wire: Wire
  readonly #link: Link
  /** The connection's name. */
  readonly #id: string
  readonly #sinceMs: number
  /** When the packet began that had not ended at the last look. */
  #insideSinceMs: number | undefined
  #client: Client | undefined
  /** What the device calls itself, if anything. */
  #clientId = ''
  #speaker: Speaker | undefined
  /** The connector that a CONNECT named which was refused. */
  #called: Connector | undefined
  /** The identity that a stranger asked for last. */
  #asked: string | undefined
  #pusher: Pusher | undefined
  #stopHearing: (() => void) | undefined
  /** Resolves when the message before was handed to the log. */
  #turn: Promise<void> = Promise.resolve()
  #inFlightBytes = 0
  /** Whether the CONNECT brought a last will. */
  hasWill = false
  /** An activation was refused. */
  #isOver = false
  #inFlight = 0
  #idle: PromiseWithResolvers<void> | undefined

  constructor(context: SessionContext, wire: Wire, link: Link) {
    this.#context = context
    this.#wire = wire
    this.#link = link
    this.#id = newId(context.random)
    this.#sinceMs = context.clock.elapsedMs()
  }

  /** @throws Fault: why the CONNECT is refused. */
  async connect(client: Client, clientId: string, credentials: Credentials): Promise<void> {
    this.#client = client
    this.#clientId = clientId
    const { provisioning } = this.#context
    try {
      this.#speaker = await authenticateMqtt(provisioning, this.#link, credentials)
    } catch (error) {
      this.#called = await namedConnector(provisioning, this.#link, credentials.userName).catch(
        () => undefined,
      )
      throw this.refuse(error)
    }
  }

  /** The CONNECT was answered. */
  begin(): void {
    this.#wire.admit()
    const speaker = this.#speaker
    if (speaker?.kind !== 'device' || this.#wire.destroyed) return
    const { provisioning, registry } = this.#context
    registry.enter(this, speaker.device, this.#clientId)
    const { onRevoked } = provisioning.revocations
    const end = (fault: Fault) => this.close(fault)
    this.#stopHearing = onRevoked(speaker.device, end, speaker.standing)
    const will = this.hasWill ? ' Its last will is dropped: nobody would receive it.' : ''
    this.#note(speaker.device, { kind: 'connect', message: `The device connected.${will}` })
    this.#tell('connected', speaker.device)
    this.#pusher = new Pusher({
      ...this.#context,
      device: speaker.device,
      send: (topic, payload) => this.#send(topic, payload),
      tooMuch: () => this.close(new Fault('overloaded', 'The device reads too slowly.')),
    })
  }

  end(): void {
    this.#pusher?.stop()
    this.#stopHearing?.()
    const about = this.#about()
    if (!this.#context.registry.leave(this) || about === undefined) return
    this.#note(about, { kind: 'disconnect', message: 'The connection ended.' })
    if (this.#speaker?.kind === 'device') this.#tell('disconnected', this.#speaker.device)
  }

  /**
   * One PUBLISH; resolves when it may be acknowledged: it is durable, or counted as refused.
   * @throws Fault: then the connection is to be closed, without an acknowledgement.
   */
  async publish(publication: Publication): Promise<void> {
    const bytes = publication.payload.length + messageOverheadBytes
    this.#weigh(1, bytes)
    try {
      if (publication.topic.includes('\0'))
        throw new Fault('malformed_request', 'A NUL in a topic.')
      if (this.#speaker?.kind === 'stranger') await this.#activate(this.#speaker, publication)
      else if (identityOf(publication.topic) !== undefined) await this.#renew(publication)
      else await (await this.#inTurn(() => this.#take(publication))).durable
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

  /** Whether a subscription is granted; `count` is how many there are. */
  subscribe(topic: string, qos: number, count: number): boolean {
    return qos < 2 && count < limits.mqttSubscriptionsMax && isSubscribable(topic)
  }

  /** A PINGREQ: the device is there. */
  ping(): void {
    if (this.#speaker?.kind !== 'device') return
    this.#context.provisioning.noteSeen(this.#speaker.device, this.#link.ip)
    this.#pusher?.ping()
  }

  /** Ends what may not go on: a stranger that stays, a packet without end, a lost credential. */
  async look(): Promise<void> {
    const nowMs = this.#context.clock.elapsedMs()
    if (!this.#wire.insidePacket) this.#insideSinceMs = undefined
    else this.#insideSinceMs ??= nowMs
    const insideMs = nowMs - (this.#insideSinceMs ?? nowMs)
    if (insideMs > limits.deviceRequestMsMax) {
      return this.close(new Fault('time_exceeded', 'A packet did not end in time.'))
    }
    if (this.#speaker?.kind !== 'device') {
      if (nowMs - this.#sinceMs <= limits.mqttAnonymousMsMax) return
      return this.close(new Fault('time_exceeded', 'An anonymous connection is for activation.'))
    }
    this.#pusher?.retry()
    try {
      await this.#speaker.standing()
    } catch (error) {
      // What merely could not be looked up now is not withdrawn.
      const fault = faultOf(error)
      if (fault.status < 500) this.close(fault)
    }
  }

  /** Notes why what came cannot be taken; the connection is to end. */
  refuse(error: unknown): Fault {
    const fault = faultOf(error)
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

  /** One after the other, up to the point where the log has it: the order is the device's. */
  async #inTurn<Result>(step: () => Promise<Result>): Promise<Result> {
    const before = this.#turn
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#turn = promise
    try {
      await before
      return await step()
    } finally {
      resolve()
    }
  }

  async #take(publication: Publication): Promise<{ durable: Promise<void> }> {
    const device = await this.#device()
    const nowUs = this.#context.clock.nowUs()
    let writes: Writes
    try {
      writes = parsePublication(device, publication, nowUs)
    } catch (error) {
      return { durable: this.#reject(device, error) }
    }
    return { durable: append(this.#context, device, this.#said(), writes, nowUs) }
  }

  /** Counts a message that is refused for its content. @throws what is no such refusal. */
  async #reject(device: Device, thrown: unknown): Promise<void> {
    const fault = faultOf(thrown)
    if (fault.status >= 500) throw fault
    const { code, detail: message } = fault
    const { ip, protocol } = this.#link
    const { identity, connector } = device
    const about = { businessId: connector.businessId, connectorId: connector.id, identity }
    const line = { ...about, ip, protocol, kind: 'refusal', code, message } as const
    await this.#context.eventlog.reject({ ...line, stage: 'mqtt' })
    const { logger } = this.#context
    logger.info({ code, detail: message, ip, protocol, identity }, 'an MQTT message is refused')
  }

  #said(): Said {
    const { ip, protocol } = this.#link
    return { ip, protocol, connection: this.#id }
  }

  /** In its turn among what the device says. */
  #tell(kind: Parameters<Presence['tell']>[0], device: Device): void {
    this.#inTurn(async () => this.#context.presence.tell(kind, device, this.#said()))
  }

  #device(): Device | Promise<Device> {
    if (this.#speaker?.kind !== 'device') throw new Fault('unknown_credential')
    return this.#speaker.prove()
  }

  async #activate(stranger: Stranger, publication: Publication): Promise<void> {
    const { provisioning } = this.#context
    const identity = identityOf(publication.topic)
    this.#asked = identity
    try {
      const { topic, payload } = await activate(provisioning, stranger, this.#link, publication)
      await this.#send(topic, payload)
    } catch (error) {
      const fault = faultOf(error)
      // What is worth while to try again is not acknowledged, nor what is no activation.
      if (identity === undefined || isTemporary(fault)) throw fault
      this.refuse(fault)
      await this.#send(refusalTopic, JSON.stringify({ identity, code: fault.code }))
      this.#isOver = true
    }
  }

  async #renew(publication: Publication): Promise<void> {
    const device = await this.#device()
    const { provisioning } = this.#context
    try {
      const { topic, payload } = await renew(provisioning, device, this.#link, publication)
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
    if (this.#idle !== undefined) {
      if (this.#inFlight === 0) this.#idle.resolve()
      return
    }
    this.#wire.hold(this.#inFlightBytes > limits.mqttInFlightBytesMax)
  }

  #noteRefusal(fault: Fault): void {
    const { logger } = this.#context
    const { ip, protocol } = this.#link
    const { code, detail } = fault
    const about = this.#about(fault)
    const identity = about?.identity ?? null
    if (code === 'internal') logger.error({ err: fault, ip, identity }, 'an MQTT step failed')
    else logger.info({ code, detail, ip, protocol, identity }, 'an MQTT connection is refused')
    if (about !== undefined) this.#note(about, { kind: 'refusal', message: detail, code })
  }

  /** Whom a line is about; nobody where no connector is known. */
  #about(thrown?: unknown): About | undefined {
    const speaker = this.#speaker
    if (speaker?.kind === 'device') return speaker.device
    if (speaker === undefined) return refusedDevice(thrown) ?? this.#calling()
    return { connector: speaker.connector, identity: this.#asked ?? null }
  }

  #calling(): About | undefined {
    return this.#called && { connector: this.#called, identity: null }
  }

  #note({ connector, identity }: About, rest: Pick<Note, 'kind' | 'message' | 'code'>): void {
    const { businessId, id: connectorId } = connector
    const { ip, protocol } = this.#link
    this.#context.eventlog.note({ businessId, connectorId, identity, ip, protocol, ...rest })
  }
}

/** Whether the same may succeed a little later. */
function isTemporary({ status }: Fault): boolean {
  return status >= 500 || status === 429
}

/** Whom a line of the connector's log is about. */
type About = { readonly connector: Connector; readonly identity: string | null }
