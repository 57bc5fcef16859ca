import type { Duplex } from 'node:stream'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import {
  type Clock,
  Fault,
  newId,
  plainAddress,
  type Random,
} from '../../../../foundation/kernel/index.ts'
import { Refusal } from '../answer.ts'
import {
  type AuthenticationOptions,
  authenticate,
  hiddenHeaders,
  takeRate,
  toCaller,
} from '../authenticate.ts'
import {
  type EndpointRequest,
  partsOfUri,
  requestFields,
  socketMethod,
} from '../endpoint-request.ts'
import { webserviceLimits } from '../limits.ts'
import { headersFor } from '../request.ts'
import type { EndpointRoute } from '../routes.ts'
import { chooseProtocol, extractCredentials } from './credentials.ts'
import type { Sockets } from './sockets.ts'

export type UpgradeOptions = AuthenticationOptions & {
  readonly sockets: Pick<Sockets, 'refuseFull' | 'add' | 'directory'>
  readonly clock: Clock
  readonly random: Random
}

/** Makes a websocket of an upgrade that may become one. @throws Fault, Refusal */
export type Upgrade = (asked: EndpointRequest, socket: Duplex, head: Buffer) => Promise<void>

const version = '13'

export function createUpgrade(options: UpgradeOptions): Upgrade {
  const accept = createHandshake()
  return async (request, socket, head) => {
    const { endpoint, ...route } = findRoute(request)
    refuseMalformed(request)
    const headers = extractCredentials(request)
    const security = await authenticate(options, toCaller(request), endpoint, headers)
    takeRate(options, request, endpoint, headers)
    const { message, served, shared } = request
    const { solutionId } = served
    const { sockets } = options
    sockets.refuseFull(served)
    const id = newId(options.random)
    const seen = headersFor(headers, hiddenHeaders(request, endpoint))
    const fields = {
      ...requestFields(request, { endpoint, ...route }),
      headers: seen,
      security,
      socket_id: id,
      server_ip: plainAddress(message.socket.localAddress ?? ''),
    }
    const openedUs = options.clock.nowUs()
    const entry = { id, solutionId, endpoint: endpoint.name, openedUs }
    const opened = { ...entry, message: { headers: message.headers }, shared }
    let accepted = false
    await sockets.directory.register(entry)
    try {
      sockets.refuseFull(served)
      accept(request, socket, head, (ws) => {
        accepted = true
        const protocol = ws.protocol === '' ? {} : { protocol: ws.protocol }
        sockets.add(ws, { ...opened, fields: { ...fields, ...protocol } }, served)
      })
    } finally {
      if (!accepted) sockets.directory.unregister(id)
    }
  }
}

function findRoute({ sockets, uri }: EndpointRequest): EndpointRoute {
  const found = sockets.find(socketMethod, partsOfUri(uri))
  if (found.kind === 'route') return found.route
  throw new Fault('not_found', 'The solution has no websocket at this path.')
}

/** Refuses a request that is not a valid upgrade, before any work is done for it. */
function refuseMalformed({ message: { headers } }: EndpointRequest): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers
  if (length !== '0' || encoding !== undefined) {
    throw new Fault('malformed_request', 'An upgrade has no body.')
  }
  if (headers['sec-websocket-version'] === version) return
  const words = `The version of the protocol must be ${version}.`
  throw new Refusal(new Fault('upgrade_required', words), ['Sec-WebSocket-Version', version])
}

type Accept = (
  request: EndpointRequest,
  socket: Duplex,
  head: Buffer,
  accepted: (ws: WebSocket) => void,
) => void

/** Nothing is compressed: each connection would need its own memory for it. */
function createHandshake(): Accept {
  const refused: Error[] = []
  const options: ServerOptions & { readonly closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: webserviceLimits.socketMessageBytesMax,
    maxFragments: webserviceLimits.socketFragmentsMax,
    maxBufferedChunks: webserviceLimits.socketFragmentsMax,
    closeTimeout: webserviceLimits.socketCloseMs,
    handleProtocols: chooseProtocol,
  }
  const server = new WebSocketServer(options)
  server.on('wsClientError', (error) => refused.push(error))
  return ({ message }, socket, head, accepted) => {
    server.handleUpgrade(message, socket, head, accepted)
    const error = refused.pop()
    if (error !== undefined) throw new Fault('malformed_request', `${error.message}.`)
  }
}
