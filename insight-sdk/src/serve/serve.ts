import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type NowUs, systemNowUs } from '../clock.ts'
import { errorResponseOf, ModuleError } from '../errors.ts'
import { defaultLimits, type Limits } from '../limits.ts'
import type { InsightModule } from '../module/define-module.ts'
import { openApiOf } from '../openapi/definition.ts'
import { type Credentials, checkCredentials, type Presented } from './credentials.ts'
import { type Routing, routeOf } from './routes.ts'
import { States } from './states.ts'

export type ServeOptions = {
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
  /** Before every path, such as `/vibration`. Default `/`. */
  readonly basePath?: string
  /** In the definition. Default `https`, the only one the protocol allows; TLS ends before us. */
  readonly scheme?: 'https' | 'http'
  /** Host and port in the definition, if clients use others than those listened on. */
  readonly publicHost?: string
  readonly credentials?: Credentials
  readonly limits?: Partial<Limits>
  readonly nowUs?: NowUs
  /** Receives what callers do not: errors with their stacks, problems without an outlet. */
  readonly onTrouble?: (trouble: unknown) => void
}

export type Served = {
  /** The URL of the server, with the base path and no slash at the end. */
  readonly url: string
  /** Ends after the running calls; those that take too long are cut off. */
  close(): Promise<void>
}

/** Serves a module over HTTP. Rejects where the address cannot be listened on. */
export async function serve(module: InsightModule, options: ServeOptions = {}): Promise<Served> {
  const limits = { ...defaultLimits, ...options.limits }
  const basePath = basePathOf(options.basePath ?? '/')
  const onTrouble = options.onTrouble ?? ((trouble) => console.error(trouble))
  const routing: Routing = {
    module,
    limits,
    basePath,
    states: new States(limits.linksMax),
    surroundings: { nowUs: options.nowUs ?? systemNowUs, onProblem: onTrouble },
    definition: () => openApiOf(module, { ...options, basePath, host: publicHost() }),
  }
  const server = createServer((request, response) =>
    answer(routing, options.credentials, onTrouble, request, response),
  )
  const publicHost = () => options.publicHost ?? hostOf(server)
  applyTimeouts(server, limits)
  await listen(server, options.host ?? '127.0.0.1', options.port ?? 0)
  const url = `http://${hostOf(server)}${basePath === '/' ? '' : basePath}`
  return { url, close: () => close(server, limits.closeMsMax) }
}

async function answer(
  routing: Routing,
  credentials: Credentials | undefined,
  onTrouble: (trouble: unknown) => void,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2)
    const route = routeOf(routing, path)
    if (route.open !== true) checkCredentials(credentials, presentedBy(request, query))
    if (request.method !== route.method) {
      response.setHeader('Allow', route.method)
      throw new ModuleError('MethodNotAllowed', `The path answers ${route.method} only.`)
    }
    send(response, 200, await within(routing.limits.processMsMax, route.answer(request)))
  } catch (thrown) {
    if (!(thrown instanceof ModuleError)) onTrouble(thrown)
    refuse(request, response, thrown, credentials)
  }
}

function presentedBy(request: IncomingMessage, query: string): Presented {
  const header = (name: string) => {
    const found = request.headers[name]
    return Array.isArray(found) ? found[0] : found
  }
  return { header, query: new URLSearchParams(query) }
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  thrown: unknown,
  credentials: Credentials | undefined,
): void {
  if (response.headersSent || response.destroyed) return
  const error = errorResponseOf(thrown)
  if (error.status === 401 && credentials?.type === 'basic') {
    response.setHeader('WWW-Authenticate', 'Basic realm="insight"')
  }
  // What is left of an unread body would be taken for the next request.
  if (!request.complete) response.setHeader('Connection', 'close')
  send(response, error.status, error)
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}

/** Rejects after `msMax`: an author's function may never end, and its caller needs an answer. */
async function within<T>(msMax: number, work: T | Promise<T>): Promise<T> {
  const refusal = new ModuleError('Timeout', `No answer within ${msMax} ms.`)
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    // Unref: once the server is closed nobody waits for the answer any more.
    timer = setTimeout(() => reject(refusal), msMax).unref()
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

function basePathOf(given: string): string {
  const path = `/${given.split('/').filter(Boolean).join('/')}`
  if (!/^[\w./~-]+$/.test(path)) throw new TypeError(`basePath ${JSON.stringify(given)} is no path`)
  return path
}

function hostOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  return `${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

function applyTimeouts(server: Server, limits: Limits): void {
  server.requestTimeout = limits.requestMsMax
  server.headersTimeout = limits.requestMsMax
  server.keepAliveTimeout = limits.idleMsMax
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function close(server: Server, msMax: number): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => server.closeAllConnections(), msMax)
    server.close(() => {
      clearTimeout(cutOff)
      resolve()
    })
  })
}
