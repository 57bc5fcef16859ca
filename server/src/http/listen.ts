import { constants } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import type { DeviceHttp, DeviceMqtt } from '../device-api/index.ts'
import type { Graphql } from '../graphql/index.ts'
import type { Hosts } from '../hosts/index.ts'
import { type Logger, limits } from '../kernel/index.ts'
import type { Management } from '../management/index.ts'
import type { ServerAuthority } from '../provisioning/index.ts'
import type { NotificationHttp } from '../services/notification/index.ts'
import type { Webservice } from '../services/webservice/index.ts'
import { type ListenSettings, open, openIf } from './addresses.ts'
import { createConnections } from './connections.ts'
import { RequestDispatcher } from './dispatch.ts'
import { HostNames } from './host-names.ts'
import { answerForNode } from './node-answers.ts'
import { tlsOptions } from './server-names.ts'

export type ListenOptions = {
  readonly config: ListenSettings
  readonly deviceApi: DeviceHttp
  readonly mqtt: DeviceMqtt
  readonly graphql: Graphql
  readonly management: Management
  readonly webservice: Webservice
  readonly notifications: NotificationHttp
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
  /** `mqtts://host:port`; undefined if MQTT has no port of its own. */
  readonly mqttTlsUrl: string | undefined
  /** `mqtt://host:port` of plain MQTT, undefined if there is none. */
  readonly mqttUrl: string | undefined
  /** The certificate that clients of the device API trust. */
  readonly caFile: string
  close(): Promise<void>
}

/** The times that clients may take, in milliseconds; the limits are the defaults. */
export type ListenTimes = {
  /** From a connection to the end of its TLS handshake, for HTTPS and for MQTT. */
  readonly handshakeMs: number
  readonly mqttHandshakeMs: number
  /** For the head of a request; for the first byte after a handshake. */
  readonly requestMs: number
  /** From the start of a stop to its end, with requests under way. */
  readonly shutdownMs: number
}

const defaultTimes = (): ListenTimes => ({
  handshakeMs: limits.tlsHandshakeMsMax,
  mqttHandshakeMs: limits.mqttConnectMsMax,
  requestMs: limits.deviceRequestMsMax,
  shutdownMs: limits.shutdownMsMax,
})

/** Opens the listeners. @throws Error that names the setting of an address that is taken. */
export async function listen(options: ListenOptions): Promise<Listeners> {
  const { config, mqtt, management, webservice, authority } = options
  const times = { ...defaultTimes(), ...options.times }
  const connections = createConnections()
  const { plain, secure, plainMqtt, secureMqtt } = await createServers(options, times)
  const servers = [plain, secure, plainMqtt, secureMqtt]
  for (const server of servers) connections.follow(server)
  const dropSilent = acceptMqtt(secure, mqtt, times.requestMs)
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
  const names = new HostNames(config)
  const managementHandler = await management.handler()
  const dispatcher = new RequestDispatcher({ ...options, names, managementHandler })
  const handle = (message: IncomingMessage, response: ServerResponse) =>
    dispatcher.handle(message, response)
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
    shouldUpgradeCallback: (message: IncomingMessage) => dispatcher.isUpgrade(message),
  }
  const plain = createServer(http, handle)
  const https = { ...http, ...tls, handshakeTimeout: times.handshakeMs }
  const secure = createHttpsServer(https, handle)
  for (const server of [plain, secure]) {
    server.on('upgrade', (message: IncomingMessage, socket: Socket, head: Buffer) => {
      dispatcher.upgrade(message, socket, head)
    })
    answerForNode(server)
  }
  const plainMqtt = createTcpServer({ noDelay: true }, (socket) => mqtt.accept(socket))
  // No session tickets: an MQTT connection lives long, and one that is resumed under TLS 1.2 does
  // not name its host, by which its connector is found.
  const secureOptions = constants.SSL_OP_NO_TICKET
  const mqtts = { ...tls, secureOptions, handshakeTimeout: times.mqttHandshakeMs }
  const secureMqtt = createTlsServer(mqtts, (socket) => mqtt.accept(socket))
  // Node leaves the socket open after a handshake that failed or took too long.
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
 * Accepts MQTT on the port of HTTPS: many networks let nothing out but port 443.
 * @returns a function that drops the connections that have not sent anything yet.
 */
function acceptMqtt(server: HttpsServer, mqtt: DeviceMqtt, silentMs: number): () => void {
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
