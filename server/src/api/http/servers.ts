import { constants } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https'
import { createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { limits } from '../../foundation/kernel/index.ts'
import { acceptMqtt } from './accept-mqtt.ts'
import type { Preferred, ServerNames } from './certificates/server-names.ts'
import { RequestDispatcher } from './dispatch.ts'
import { createTrust, ForwardedRequests, type TrustedProxies } from './front/forwarded-requests.ts'
import { putFront } from './front/front.ts'
import { HostNames } from './host-names.ts'
import type { ListenOptions, ListenTimes } from './listen-options.ts'
import { answerForNode } from './node-answers.ts'

/** The names of ALPN for HTTP and for MQTT, that of a large cloud's clients among them. */
const protocolNames = ['http/1.1', 'mqtt', 'x-amzn-mqtt-ca']

type ListenerName = TrustedProxies['protocolOn'][number]

export type ServersOptions = ListenOptions & {
  readonly names: ServerNames
}

/** The servers of the listeners; those of `rsa` get the clients that take RSA alone. */
export type Servers = {
  readonly plain: Server
  readonly secure: HttpsServer
  readonly plainMqtt: TcpServer
  readonly secureMqtt: TcpServer
  /** All of them, and those that stand behind them. */
  readonly all: readonly TcpServer[]
  /** The servers of HTTP. */
  readonly web: readonly Server[]
  /** Drops the connections of HTTPS that have not sent anything yet. */
  dropSilent(): void
}

export async function createServers(
  { names, ...options }: ServersOptions,
  times: ListenTimes,
): Promise<Servers> {
  const { config, mqtt, management, logger } = options
  const { proxies, roles } = config
  const isTrusted = createTrust(proxies.trusted)
  const forwarded = new ForwardedRequests(proxies, isTrusted)
  const hostNames = new HostNames(config)
  const managementHandler = await management.handler()
  const parts = { names: hostNames, roles, managementHandler, forwarded }
  const dispatcher = new RequestDispatcher(Object.assign(parts, options))
  const handle = (message: IncomingMessage, response: ServerResponse) =>
    dispatcher.handle(message, response)
  const http = httpOptions(dispatcher, times)
  const plain = createServer(http, handle)
  const drops: (() => void)[] = []
  async function createSecure(preferred: Preferred): Promise<HttpsServer> {
    const tls = await names.serverOptions(preferred)
    const secured = { ...http, ...tls, ALPNProtocols: protocolNames }
    const https = { ...secured, handshakeTimeout: times.handshakeMs }
    const server = createHttpsServer(https, handle)
    names.follow(server, https, preferred)
    // Without the role, MQTT is bytes that are no request.
    if (roles.includes('device')) drops.push(acceptMqtt(server, mqtt, times.requestMs))
    return server
  }
  async function createSecureMqtt(preferred: Preferred): Promise<TcpServer> {
    const tls = await names.serverOptions(preferred)
    // No session tickets: an MQTT connection lives long, and one that is resumed under TLS 1.2 does
    // not name its host, by which its connector is found.
    const secureOptions = constants.SSL_OP_NO_TICKET
    const mqtts = { ...tls, secureOptions, handshakeTimeout: times.handshakeMs }
    const server = createTlsServer(mqtts, (socket) => mqtt.accept(socket))
    // Node leaves the socket open after a handshake that failed or took too long.
    server.on('tlsClientError', (_, socket) => socket.destroy())
    names.follow(server, mqtts, preferred)
    return server
  }
  const [secure, secureRsa] = [await createSecure('ec'), await createSecure('rsa')]
  const [secureMqtt, mqttRsa] = [await createSecureMqtt('ec'), await createSecureMqtt('rsa')]
  const plainMqtt = createTcpServer({ noDelay: true }, (socket) => mqtt.accept(socket))
  for (const server of [plain, secure, secureRsa]) {
    server.on('upgrade', (message: IncomingMessage, socket: Socket, head: Buffer) => {
      dispatcher.upgrade(message, socket, head)
    })
    answerForNode(server)
  }
  const { handshakeMs } = times
  const front = (listener: ListenerName) => {
    const on = proxies.protocolOn.includes(listener)
    return { names, isProxied: on ? isTrusted : () => false, handshakeMs, logger }
  }
  putFront(plain, front('http'))
  putFront(secure, { rsa: secureRsa, protocols: protocolNames, ...front('device_tls') })
  putFront(secureMqtt, { rsa: mqttRsa, ...front('mqtt_tls') })
  putFront(plainMqtt, front('mqtt'))
  return {
    plain,
    secure,
    plainMqtt,
    secureMqtt,
    all: [plain, secure, secureRsa, plainMqtt, secureMqtt, mqttRsa],
    web: [plain, secure, secureRsa],
    dropSilent() {
      for (const drop of drops) drop()
    },
  }
}

function httpOptions(dispatcher: RequestDispatcher, times: ListenTimes) {
  return {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: times.requestMs,
    connectionsCheckingInterval: times.requestMs,
    // The time of a request that brings a file; other requests are timed where they are dispatched.
    requestTimeout: limits.contentUploadMsMax,
    keepAliveTimeout: limits.deviceIdleMsMax,
    // The token alone finds a device's connector; what else has no Host is refused by us.
    requireHostHeader: false,
    shouldUpgradeCallback: (message: IncomingMessage) => dispatcher.isUpgrade(message),
  }
}
