import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Limits } from '../limits.ts'
import type { InsightModule } from '../module/define-module.ts'
import { type Answering, answerRequest, type ModuleRequest } from './answer.ts'
import { readText, tooLarge } from './body.ts'
import { type HostOptions, makeAnswering } from './options.ts'

export type ServeOptions = HostOptions & {
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
}

export type Served = {
  /** The URL of the server, with the base path and no slash at the end. */
  readonly url: string
  /** Ends after the running calls; those that take too long are cut off. */
  close(): Promise<void>
}

/** Serves a module over HTTP. Rejects where the address cannot be listened on. */
export async function serve(module: InsightModule, options: ServeOptions = {}): Promise<Served> {
  const answering = makeAnswering(module, options, () => readHost(server))
  const { basePath, limits } = answering.routing
  const server = createServer((request, response) => void respond(answering, request, response))
  applyTimeouts(server, limits)
  answerWholeRequests(server)
  await listen(server, options.host ?? '127.0.0.1', options.port ?? 0)
  const url = `http://${readHost(server)}${basePath === '/' ? '' : basePath}`
  return { url, close: () => close(server, limits.closeMsMax) }
}

async function respond(
  answering: Answering,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, headers, body } = await answerRequest(answering, toRequest(request))
  if (response.headersSent || response.destroyed) return
  // The rest of an unread body would be taken for the next request.
  if (status >= 400 && !request.complete) response.setHeader('Connection', 'close')
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}

/** A socket with Node's own field for the answer to its request. */
type Carrier = Duplex & { readonly _httpMessage?: ServerResponse | null }

/** A request that came whole is answered, also if its client ends its side, or sends more. */
function answerWholeRequests(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true })
  const end = (status: string, socket: Carrier): void => {
    const answer = socket._httpMessage
    if (answer?.req.complete) answer.once('finish', () => end(status, socket))
    else if (answer?.headersSent || !socket.writable) socket.destroy()
    else socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  }
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Duplex) => {
    const isLate = code === 'ERR_HTTP_REQUEST_TIMEOUT'
    end(isLate ? '408 Request Timeout' : '400 Bad Request', socket)
  })
}

function toRequest(request: IncomingMessage): ModuleRequest {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2)
  return {
    method: request.method ?? '',
    path,
    query: new URLSearchParams(query),
    header(name) {
      const found = request.headers[name]
      return Array.isArray(found) ? found[0] : found
    },
    async text(bytesMax) {
      if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
      return readText(request.iterator({ destroyOnReturn: false }), bytesMax)
    },
  }
}
function readHost(server: Server): string {
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
