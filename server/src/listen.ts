import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Address, Config } from './config.ts'
import type { Door } from './connector/index.ts'
import type { Graphql } from './graphql/index.ts'
import { type Logger, limits } from './kernel/index.ts'
import type { Management } from './management/index.ts'
import type { ServerAuthority } from './provisioning/index.ts'

export type ListenOptions = {
  readonly config: Config
  readonly door: Door
  readonly graphql: Graphql
  readonly management: Management
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
  /** The certificate that clients of the device door trust. */
  readonly caFile: string
  close(): Promise<void>
}

const serverLimits = {
  maxHeaderSize: limits.headerBytesMax,
  requestTimeout: limits.deviceRequestMsMax,
  keepAliveTimeout: limits.deviceIdleMsMax,
}

/** Opens the two listeners. @throws Error that names the setting where an address is taken. */
export async function listen(options: ListenOptions): Promise<Listeners> {
  const { config, door, management } = options
  const answerOther = await management.handler()
  const plain = createServer(serverLimits, (message, response) =>
    dispatch(options, answerOther, message, response),
  )
  const secure = createTlsServer(
    { ...serverLimits, ...(await tlsOptions(options)) },
    (message, response) => door.handle(message, response),
  )
  const httpUrl = await open(plain, 'MILLRACE_HTTP', config.http, 'http')
  try {
    const tlsUrl = await open(secure, 'MILLRACE_DEVICE_TLS', config.deviceTls, 'https')
    return {
      httpUrl,
      tlsUrl,
      caFile: options.authority.caFile,
      async close() {
        await Promise.all([shut(plain), shut(secure)])
        await management.close()
      },
    }
  } catch (error) {
    await shut(plain)
    throw error
  }
}

/** Devices first: their paths are theirs on every host, since firmware may call a fixed one. */
function dispatch(
  { config, door, graphql }: ListenOptions,
  answerOther: (message: IncomingMessage, response: ServerResponse) => void,
  message: IncomingMessage,
  response: ServerResponse,
): void {
  const url = message.url ?? '/'
  if (door.owns(url) || callsConnector(message, config.domain)) door.handle(message, response)
  else if (url === '/api/graphql' || url.startsWith('/api/graphql?')) {
    graphql.handle(message, response)
  } else answerOther(message, response)
}

function callsConnector(message: IncomingMessage, domain: string): boolean {
  const host = (message.headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
  return host.endsWith(`.${domain}`)
}

/** Each connector's host gets a certificate of its own; no other name makes one. */
async function tlsOptions({ config, authority, isConnector, logger }: ListenOptions) {
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
    if (name === config.domain) return true
    const [label, ...rest] = name.split('.')
    return rest.join('.') === config.domain && isConnector(label ?? '')
  }
  return {
    ...(await authority.certificateFor(config.deviceTls.host)),
    minVersion: 'TLSv1.2' as const,
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

function open(server: Server, setting: string, at: Address, scheme: string): Promise<string> {
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

/** Lets requests that are under way end, and cuts what is still open after a while. */
function shut(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve()
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), limits.shutdownMsMax)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}
