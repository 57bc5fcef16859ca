import { type AddressInfo, createServer, type Server } from 'node:net'
import type { AcmeSettings } from '../../devices/acme/index.ts'
import type { ProcessRole } from '../../foundation/kernel/index.ts'
import type { PairFiles } from './certificates/pair.ts'
import type { TrustedProxies } from './front/forwarded-requests.ts'

/** An address to listen on. */
export type ListenAddress = { readonly host: string; readonly port: number }

/** The settings of an instance that its ports need. */
export type ListenSettings = {
  /** A request without a role here is refused; a port without one stays closed. */
  readonly roles: readonly ProcessRole[]
  readonly http: ListenAddress
  readonly deviceTls: ListenAddress
  /** Undefined: no port. */
  readonly mqttTls: ListenAddress | undefined
  readonly mqtt: ListenAddress | undefined
  readonly metrics: ListenAddress | undefined
  readonly domain: string
  /** Names of the instance itself, beside the domain, `localhost` and addresses. */
  readonly hosts: readonly string[]
  readonly tls: TlsFiles
  readonly proxies: TrustedProxies
}

/** The server certificates of the operator. */
export type TlsFiles = {
  /** The pairs that also answer clients that ask for no name. */
  readonly pairs: readonly PairFiles[]
  readonly folder: string | undefined
  /** True if TLS 1.2 may do without forward secrecy. */
  readonly rsaKeyExchange: boolean
  readonly acme: AcmeSettings | undefined
}

/** Returns the addresses that depend on roles; undefined: no port. */
export function choosePorts({ roles, deviceTls, mqttTls, mqtt }: ListenSettings) {
  const devices = roles.includes('device')
  return [
    ['MILLRACE_DEVICE_TLS', devices || roles.includes('api') ? deviceTls : undefined],
    ['MILLRACE_MQTT_TLS', devices ? mqttTls : undefined],
    ['MILLRACE_MQTT', devices ? mqtt : undefined],
  ] as const
}

/** @throws Error that names the setting of an address that is taken, or cannot be opened. */
export async function checkAddresses(config: ListenSettings): Promise<void> {
  const wanted = [
    ['MILLRACE_HTTP', config.http],
    ...choosePorts(config),
    ['MILLRACE_METRICS', config.metrics],
  ] as const
  for (const [setting, at] of wanted) {
    if (at === undefined) continue
    const server = createServer()
    await open(server, setting, at, 'tcp')
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Opens a server. @returns its URL. @throws Error that names the setting of the address. */
export function open(
  server: Server,
  setting: string,
  at: ListenAddress,
  scheme: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      const why = taken ? 'is taken by another program' : `cannot be opened (${error.message})`
      reject(new Error(`${at.host}:${at.port} ${why}; ${setting} chooses another`))
    })
    server.listen(at.port, at.host, () => {
      const { port } = server.address() as AddressInfo
      resolve(formatUrl(scheme, { host: at.host, port }))
    })
  })
}

export function formatUrl(scheme: string, { host, port }: ListenAddress): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

export function openIf(
  server: Server,
  setting: string,
  at: ListenAddress | undefined,
  scheme: string,
) {
  return at === undefined ? undefined : open(server, setting, at, scheme)
}
