import type { Server } from 'node:http'
import type { Server as TcpServer } from 'node:net'
import { limits } from '../../foundation/kernel/index.ts'
import { choosePorts, formatUrl, type ListenAddress, open, openIf } from './addresses.ts'
import { ServerNames } from './certificates/server-names.ts'
import { CertificateStore, type ServedCertificate } from './certificates/store.ts'
import { createConnections } from './connections.ts'
import type { ListenOptions, ListenTimes } from './listen-options.ts'
import { answerForNode } from './node-answers.ts'
import { createServers } from './servers.ts'

/** The time for the TLS handshake of a connection, of HTTPS and of MQTT. */
const tlsHandshakeMsMax = 30_000

/** The open listeners with their URLs. */
export type Listeners = {
  /** `http://host:port` of console, GraphQL, management and plain devices. */
  readonly httpUrl: string
  /** `https://host:port` of the device API; as it is configured if another process has it. */
  readonly tlsUrl: string
  /** `mqtts://host:port`; undefined if MQTT has no port of its own. */
  readonly mqttTlsUrl: string | undefined
  /** `mqtt://host:port` of plain MQTT, undefined if there is none. */
  readonly mqttUrl: string | undefined
  /** `http://host:port` of metrics; undefined if there are none. */
  readonly metricsUrl: string | undefined
  /** The certificate that clients of the device API trust. */
  readonly caFile: string
  /**
   * Returns whether the operator has a certificate for a host, in place of one of that authority.
   */
  isCovered(host: string): boolean
  /** The operator's certificates in use. */
  certificates(): readonly ServedCertificate[]
  close(): Promise<void>
}

const defaultTimes = (): ListenTimes => ({
  handshakeMs: tlsHandshakeMsMax,
  requestMs: limits.deviceRequestMsMax,
  shutdownMs: limits.shutdownMsMax,
})

/** Opens the listeners. @throws Error that names the setting of an address that is taken. */
export async function listen(options: ListenOptions): Promise<Listeners> {
  const { config, mqtt, management, webservice, authority, acme, metricsServer } = options
  const times = { ...defaultTimes(), ...options.times }
  const connections = createConnections()
  const { names, store } = openCertificates(options)
  const servers = await createServers({ ...options, names }, times)
  const { plain, secure, plainMqtt, secureMqtt } = servers
  for (const server of servers.all) connections.follow(server)
  async function close(): Promise<void> {
    await acme?.stop()
    await names.stop()
    const closed = servers.all.map((server) => new Promise((resolve) => server.close(resolve)))
    for (const server of servers.web) server.closeIdleConnections()
    servers.dropSilent()
    const ended = [connections.answered(), mqtt.close(), webservice.close()]
    await within(times.shutdownMs, Promise.all(ended))
    connections.cut()
    await Promise.all(closed)
    metricsServer?.close()
    metricsServer?.closeAllConnections()
  }
  const [tls, mqttTls, plainMqttAt] = choosePorts(config)
  try {
    const opened = {
      httpUrl: await open(plain, 'MILLRACE_HTTP', config.http, 'http'),
      tlsUrl: await openOr(secure, config.deviceTls, tls, 'https'),
      mqttTlsUrl: config.mqttTls && (await openOr(secureMqtt, config.mqttTls, mqttTls, 'mqtts')),
      metricsUrl: await openMetricsIf(metricsServer, config.metrics),
      mqttUrl: config.mqtt && (await openOr(plainMqtt, config.mqtt, plainMqttAt, 'mqtt')),
      caFile: authority.caFile,
      isCovered: (host: string) => names.isCovered(host),
      certificates: () => store.list(),
      async close() {
        await close()
        await management.close()
      },
    }
    names.startLooking()
    acme?.start(() => names.look())
    return opened
  } catch (error) {
    await close()
    throw error
  }
}

/** The operator's certificates, those that are ordered by ACME, and those of the instance. */
function openCertificates({ config, authority, acme, hosts, clock, logger }: ListenOptions) {
  const { folder, pairs } = config.tls
  const folders = [...(folder === undefined ? [] : [folder]), ...(acme ? [acme.dir] : [])]
  const store = new CertificateStore({ pairs, folders, clock, logger })
  store.open()
  const names = new ServerNames({ config, authority, store, hosts, clock, logger })
  return { names, store }
}

/** Opens a port if a role of this process needs it. @returns its URL, or that of the setting. */
async function openOr(
  server: Server | TcpServer,
  configured: ListenAddress,
  [setting, at]: readonly [string, ListenAddress | undefined],
  scheme: string,
): Promise<string> {
  return at === undefined ? formatUrl(scheme, configured) : open(server, setting, at, scheme)
}

function openMetricsIf(server: Server | undefined, at: ListenAddress | undefined) {
  if (server === undefined) return undefined
  answerForNode(server)
  return openIf(server, 'MILLRACE_METRICS', at, 'http')
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}
