import { constants } from 'node:crypto'
import { createServer, type IncomingMessage, Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net'
import {
  createSecureContext,
  createServer as createTlsServer,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import type { Address, Config } from './config.ts'
import type { Door, MqttDoor } from './connector/index.ts'
import type { Graphql } from './graphql/index.ts'
import { type Logger, limits } from './kernel/index.ts'
import type { Management } from './management/index.ts'
import type { ServerAuthority } from './provisioning/index.ts'
import type { NotificationDoor } from './services/notification/index.ts'
import type { Webservice } from './services/webservice/index.ts'

export type ListenOptions = {
  readonly config: Config
  readonly door: Door
  readonly mqtt: MqttDoor
  readonly graphql: Graphql
  readonly management: Management
  readonly webservice: Webservice
  readonly notifications: NotificationDoor
  readonly authority: ServerAuthority
  readonly isConnector: (id: string) => Promise<boolean>
  readonly logger: Logger
}

/** The doors that are open, as they can be reached. */
export type Listeners = {
  /** `http://host:port` of console, GraphQL, management and plain devices. */
  readonly httpUrl: string
  /** `https://host:port` of the device door. */
  readonly tlsUrl: string
  /** `mqtts://host:port`; undefined where MQTT has no port of its own. */
  readonly mqttTlsUrl: string | undefined
  /** `mqtt://host:port` of plain MQTT, undefined where there is none. */
  readonly mqttUrl: string | undefined
  /** The certificate that clients of the device door trust. */
  readonly caFile: string
  close(): Promise<void>
}

const serverLimits = {
  maxHeaderSize: limits.headerBytesMax,
  headersTimeout: limits.deviceRequestMsMax,
  // Of a request that brings a file; what others may take is timed below.
  requestTimeout: limits.contentUploadMsMax,
  keepAliveTimeout: limits.deviceIdleMsMax,
}

/**
 * No session tickets: an MQTT connection lives long, and one that is resumed under TLS 1.2 does
 * not say which host it calls, which is how its connector is found.
 */
const mqttTlsLimits = {
  handshakeTimeout: limits.mqttConnectMsMax,
  secureOptions: constants.SSL_OP_NO_TICKET,
}

/** Opens the listeners. @throws Error that names the setting where an address is taken. */
export async function listen(options: ListenOptions): Promise<Listeners> {
  const { config, mqtt, management, webservice, authority } = options
  const answerOther = await management.handler()
  const tls = await tlsOptions(options)
  const shouldUpgradeCallback = (message: IncomingMessage) => isUpgrade(options, message)
  const http = { ...serverLimits, shouldUpgradeCallback }
  const plain = createServer(http, (message, response) =>
    dispatch(options, answerOther, message, response),
  )
  const secure = createHttpsServer({ ...http, ...tls }, (message, response) => {
    limitBody(message)
    if (isNotifications(options, message)) options.notifications.handle(message, response)
    else dispatchHost(options, message, response)
  })
  for (const server of [plain, secure]) takeWebsockets(options, server)
  const dropSilent = takeMqttToo(secure, mqtt)
  const plainMqtt = createTcpServer({ noDelay: true }, (socket) => mqtt.accept(socket))
  const secureMqtt = createTlsServer({ ...mqttTlsLimits, ...tls }, (socket) => mqtt.accept(socket))
  const servers = [plain, secure, plainMqtt, secureMqtt]
  async function close(): Promise<void> {
    const shutting = servers.map(shut)
    dropSilent()
    await Promise.all([mqtt.close(), webservice.close()])
    await Promise.all(shutting)
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

/** Devices first: their paths are theirs on every host, since firmware may call a fixed one. */
function dispatch(
  options: ListenOptions,
  answerOther: (message: IncomingMessage, response: ServerResponse) => void,
  message: IncomingMessage,
  response: ServerResponse,
): void {
  const { config, door, graphql, management, webservice } = options
  const url = message.url ?? '/'
  if (!management.takesFile(url)) limitBody(message)
  if (isNotifications(options, message)) options.notifications.handle(message, response)
  else if (door.owns(url) || labelOf(message, config.domain) !== undefined) {
    dispatchHost(options, message, response)
  } else if (webservice.owns(url)) webservice.handleShared(message, response)
  else if (url === '/api/graphql' || url.startsWith('/api/graphql?')) {
    graphql.handle(message, response)
  } else answerOther(message, response)
}

/** The first label of the host that notifications have to themselves. */
export const notifyLabel = 'notify'

/** On that host, and on those that are no connector's and no solution's. */
function isNotifications({ config, notifications }: ListenOptions, message: IncomingMessage) {
  const label = labelOf(message, config.domain)
  return (label === undefined || label === notifyLabel) && notifications.owns(message.url ?? '/')
}

/** Who sends a body slowly, byte by byte, is cut when its time is up. */
function limitBody(message: IncomingMessage): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = message.headers
  if (encoding === undefined && (length === undefined || length === '0')) return
  // A body that is refused unread may never end, and must not hold up the end of the process.
  const timer = setTimeout(() => message.destroy(), limits.deviceRequestMsMax).unref()
  const clear = () => clearTimeout(timer)
  message.once('end', clear)
  message.once('close', clear)
}

/** A host of its own is a connector's or a solution's; what devices call is theirs on both. */
function dispatchHost(
  { config, door, webservice }: ListenOptions,
  message: IncomingMessage,
  response: ServerResponse,
): void {
  const label = labelOf(message, config.domain)
  const toDoor = () => door.handle(message, response)
  if (label === undefined || door.owns(message.url ?? '/')) toDoor()
  else webservice.handleHost(label, message, response, toDoor)
}

/**
 * Whether a request is to become a websocket of a solution. Any other that would change its
 * protocol is answered as if it would not: many clients offer HTTP/2 so.
 */
function isUpgrade({ config, door, webservice }: ListenOptions, message: IncomingMessage): boolean {
  const { method, headers, url = '/' } = message
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false
  if (door.owns(url)) return false
  return labelOf(message, config.domain) !== undefined || isShared(webservice, message)
}

/** Only the plain listener is also the console's. */
function isShared(webservice: Webservice, { socket, url = '/' }: IncomingMessage): boolean {
  return !('encrypted' in socket) && webservice.owns(url)
}

function takeWebsockets({ config, webservice }: ListenOptions, server: Server | HttpsServer): void {
  server.on('upgrade', (message: IncomingMessage, socket: Socket, head: Buffer) => {
    webservice.upgrade(labelOf(message, config.domain), message, socket, head)
  })
}

/** What stands before the domain in the host that was called. */
function labelOf(message: IncomingMessage, domain: string): string | undefined {
  const host = (message.headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
  return host.endsWith(`.${domain}`) ? host.slice(0, -domain.length - 1) : undefined
}

/** Each connector's and solution's host gets a certificate of its own; no other name makes one. */
async function tlsOptions(options: ListenOptions) {
  const { config, authority, isConnector, webservice, logger } = options
  const contexts = new Map<string, SecureContext>()
  const contextFor = async (host: string) => {
    const kept = contexts.get(host)
    if (kept !== undefined) return kept
    const context = createSecureContext(await authority.certificateFor(host))
    if (contexts.size >= limits.hostCertificatesMax) contexts.clear()
    contexts.set(host, context)
    return context
  }
  const known = async (name: string) => {
    if (name === config.domain || name === `${notifyLabel}.${config.domain}`) return true
    const [label = '', ...rest] = name.split('.')
    if (rest.join('.') !== config.domain) return false
    return (await isConnector(label)) || webservice.isSolution(label)
  }
  return {
    ...(await authority.certificateFor(config.deviceTls.host)),
    minVersion: 'TLSv1.2' as const,
    // Asked for and never judged here: who may come is each connector's own matter. No context
    // names an authority, because some clients then send no certificate of another.
    requestCert: true,
    rejectUnauthorized: false,
    SNICallback(name: string, done: (error: Error | null, context?: SecureContext) => void) {
      const host = name.toLowerCase()
      known(host)
        .then(async (ours) => done(null, ours ? await contextFor(host) : undefined))
        .catch((error) => {
          logger.error({ err: error, host }, 'no certificate could be made')
          done(error)
        })
    },
  }
}

/** The first byte of a CONNECT, which is that of no HTTP request. */
const connectByte = 0x10

/**
 * Lets MQTT in where HTTPS is spoken: many networks let nothing out but port 443.
 * @returns what drops the connections that have not said anything yet.
 */
function takeMqttToo(server: HttpsServer, mqtt: MqttDoor): () => void {
  const silent = new Set<TLSSocket>()
  const toHttp = server.listeners('secureConnection')
  server.removeAllListeners('secureConnection')
  server.on('secureConnection', (socket: TLSSocket) => {
    const drop = () => socket.destroy()
    const forget = () => silent.delete(socket)
    silent.add(socket)
    socket.once('close', forget)
    socket.setTimeout(limits.deviceRequestMsMax, drop)
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

/**
 * Lets requests that are under way end, and cuts what is still open after a while. Connections of
 * MQTT are ended by their door.
 */
function shut(server: TcpServer): Promise<void> {
  if (!server.listening) return Promise.resolve()
  const http = server instanceof Server || server instanceof HttpsServer ? server : undefined
  return new Promise((resolve) => {
    const cut = setTimeout(() => http?.closeAllConnections(), limits.shutdownMsMax)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    http?.closeIdleConnections()
  })
}
