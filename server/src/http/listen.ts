import { constants } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import type { DeviceHttp, DeviceMqtt } from '../device-api/index.ts'
import type { Graphql } from '../graphql/index.ts'
import type { Hosts } from '../hosts/index.ts'
import { type Logger, limits } from '../kernel/index.ts'
import type { Management } from '../management/index.ts'
import type { ServerAuthority } from '../provisioning/index.ts'
import type { NotificationDoor } from '../services/notification/index.ts'
import type { Webservice } from '../services/webservice/index.ts'
import { createConnections } from './connections.ts'
import { createDispatch } from './dispatch.ts'
import { createHostNames } from './host-names.ts'
import { answerForNode } from './node-answers.ts'
import { tlsOptions } from './server-names.ts'
import type { Address, ListenSettings } from './settings.ts'

export type ListenOptions = {
  readonly config: ListenSettings
  readonly door: DeviceHttp
  readonly mqtt: DeviceMqtt
  readonly graphql: Graphql
  readonly management: Management
  readonly webservice: Webservice
  readonly notifications: NotificationDoor
  readonly authority: ServerAuthority
  readonly hosts: Pick<Hosts, 'kindOf'>
  readonly logger: Logger
  readonly times?: Partial<ListenTimes>
}

/** The open listeners with their URLs. */
export type Listeners = {
  /** `http://host:port` of console, GraphQL, management and plain devices. */
  readonly httpUrl: string
  /** `https://host:port` of the device API. */
  readonly tlsUrl: string
  /** `mqtts://host:port`; undefined where MQTT has no port of its own. */
  readonly mqttTlsUrl: string | undefined
  /** `mqtt://host:port` of plain MQTT, undefined where there is none. */
  readonly mqttUrl: string | undefined
  /** The certificate that clients of the device API trust. */
  readonly caFile: string
  close(): Promise<void>
}

/** How long clients may take, in milliseconds; the limits are the defaults. */
export type ListenTimes = {
  /** From a connection to the end of its TLS handshake, for HTTPS and for MQTT. */
  readonly handshakeMs: number
  readonly mqttHandshakeMs: number
  /** For the head of a request; for the first byte after a handshake. */
  readonly requestMs: number
  /** How long a stop waits for requests under way. */
  readonly shutdownMs: number
}

const usualTimes: ListenTimes = {
  handshakeMs: limits.tlsHandshakeMsMax,
  mqttHandshakeMs: limits.mqttConnectMsMax,
  requestMs: limits.deviceRequestMsMax,
  shutdownMs: limits.shutdownMsMax,
}

/** Opens the listeners. @throws Error that names the setting where an address is taken. */
export async function listen(options: ListenOptions): Promise<Listeners> {
  const { config, mqtt, management, webservice, authority } = options
  const times = { ...usualTimes, ...options.times }
  const connections = createConnections()
  const { plain, secure, plainMqtt, secureMqtt } = await createServers(options, times)
  const servers = [plain, secure, plainMqtt, secureMqtt]
  for (const server of servers) connections.follow(server)
  const dropSilent = takeMqttToo(secure, mqtt, times.requestMs)
  async function close(): Promise<void> {
    const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)))
    for (const server of [plain, secure]) server.closeIdleConnections()
    dropSilent()
    const ended = [connections.answered(), mqtt.close(), webservice.close()]
    await within(times.shutdownMs, Promise.all(ended))
    connections.cut()
    await Promise.all(closed)
  }
  try {
    return {
      httpUrl: await open(plain, 'MILLRACE_HTTP', config.http, 'http'),
      tlsUrl: await open(secure, 'MILLRACE_DEVICE_TLS', config.deviceTls, 'https'),
      mqttTlsUrl: await openIf(secureMqtt, 'MILLRACE_MQTT_TLS', config.mqttTls, 'mqtts'),
      mqttUrl: await openIf(plainMqtt, 'MILLRACE_MQTT', config.mqtt, 'mqtt'),
      caFile: authority.caFile,
      async close() {
        await close()
        await management.close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function createServers(options: ListenOptions, times: ListenTimes) {
  const { config, mqtt, management } = options
  const names = createHostNames(config)
  const dispatch = createDispatch({ ...options, names, answerOther: await management.handler() })
  const tls = await tlsOptions(options)
  const http = {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: times.requestMs,
    connectionsCheckingInterval: times.requestMs,
    // Of a request that brings a file; what others may take is timed where it is dispatched.
    requestTimeout: limits.contentUploadMsMax,
    keepAliveTimeout: limits.deviceIdleMsMax,
    // The token alone finds a device's connector; what else has no Host is refused by us.
    requireHostHeader: false,
    shouldUpgradeCallback: (message: IncomingMessage) => dispatch.isUpgrade(message),
  }
  const plain = createServer(http, dispatch.plain)
  const https = { ...http, ...tls, handshakeTimeout: times.handshakeMs }
  const secure = createHttpsServer(https, dispatch.secure)
  for (const server of [plain, secure]) {
    server.on('upgrade', (message: IncomingMessage, socket: Socket, head: Buffer) => {
      dispatch.upgrade(message, socket, head)
    })
    answerForNode(server)
  }
  const plainMqtt = createTcpServer({ noDelay: true }, (socket) => mqtt.accept(socket))
  // No session tickets: an MQTT connection lives long, and one that is resumed under TLS 1.2 does
  // not say which host it calls, which is how its connector is found.
  const secureOptions = constants.SSL_OP_NO_TICKET
  const mqtts = { ...tls, secureOptions, handshakeTimeout: times.mqttHandshakeMs }
  const secureMqtt = createTlsServer(mqtts, (socket) => mqtt.accept(socket))
  // Node tells of a handshake that failed or took too long, and leaves the socket open.
  secureMqtt.on('tlsClientError', (_, socket) => socket.destroy())
  return { plain, secure, plainMqtt, secureMqtt }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}

/** The first byte of a CONNECT, which is that of no HTTP request. */
const connectByte = 0x10

/**
 * Lets MQTT in where HTTPS is spoken: many networks let nothing out but port 443.
 * @returns what drops the connections that have not said anything yet.
 */
function takeMqttToo(server: HttpsServer, mqtt: DeviceMqtt, silentMs: number): () => void {
  const silent = new Set<TLSSocket>()
  const toHttp = server.listeners('secureConnection')
  server.removeAllListeners('secureConnection')
  server.on('secureConnection', (socket: TLSSocket) => {
    const drop = () => socket.destroy()
    const forget = () => silent.delete(socket)
    silent.add(socket)
    socket.once('close', forget)
    socket.setTimeout(silentMs, drop)
    socket.on('error', drop)
    socket.once('readable', () => {
      const chunk: Buffer | null = socket.read()
      if (chunk === null) return drop()
      forget()
      socket.off('close', forget)
      socket.setTimeout(0)
      socket.off('timeout', drop)
      socket.off('error', drop)
      socket.unshift(chunk)
      if (chunk[0] === connectByte) mqtt.accept(socket)
      else for (const listener of toHttp) listener.call(server, socket)
    })
  })
  return () => {
    for (const socket of silent) socket.destroy()
  }
}

/** @throws Error that names the setting of an address that is taken, or cannot be opened. */
export async function checkAddresses(config: ListenSettings): Promise<void> {
  const wanted = [
    ['MILLRACE_HTTP', config.http],
    ['MILLRACE_DEVICE_TLS', config.deviceTls],
    ['MILLRACE_MQTT_TLS', config.mqttTls],
    ['MILLRACE_MQTT', config.mqtt],
  ] as const
  for (const [setting, at] of wanted) {
    if (at === undefined) continue
    const server = createTcpServer()
    await open(server, setting, at, 'tcp')
    await new Promise((resolve) => server.close(resolve))
  }
}

function open(server: TcpServer, setting: string, at: Address, scheme: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      const why = taken ? 'is taken by another program' : `cannot be opened (${error.message})`
      reject(new Error(`${at.host}:${at.port} ${why}; ${setting} chooses another`))
    })
    server.listen(at.port, at.host, () => {
      const { port } = server.address() as AddressInfo
      resolve(`${scheme}://${at.host.includes(':') ? `[${at.host}]` : at.host}:${port}`)
    })
  })
}

function openIf(server: TcpServer, setting: string, at: Address | undefined, scheme: string) {
  return at === undefined ? undefined : open(server, setting, at, scheme)
}
