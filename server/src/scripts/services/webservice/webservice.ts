import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Hosts } from '../../../devices/hosts/index.ts'
import type { Database } from '../../../foundation/database/index.ts'
import type { Clock, Logger, Random } from '../../../foundation/kernel/index.ts'
import type {
  ScriptingApi,
  Service,
  SolutionEndpoints,
  StaticFileStore,
} from '../../scripting/index.ts'
import type { EndpointAnswer } from './answer.ts'
import { createRequestLimiter } from './authenticate.ts'
import { configure, readSettings, type WebserviceSettings } from './configuration.ts'
import { corsHeaders } from './cors.ts'
import {
  noSolution,
  type RequestTarget,
  type ResolveRequest,
  socketMethod,
} from './endpoint-request.ts'
import { exchange } from './exchange.ts'
import { type CallbackUrls, exchangeCallback, exchangeFile, type SignedFiles } from './files.ts'
import type { HeaderPair } from './headers.ts'
import { webserviceLimits } from './limits.ts'
import { createRoutes, type EndpointRoutes } from './routes.ts'
import type { Holders } from './security.ts'
import { sandbox, send, sendRefusal } from './send.ts'
import { webserviceSettings } from './settings.ts'
import { createSocketService } from './socket-service.ts'
import { type AcceptTextSocket, createTextSockets } from './sockets/message-sockets.ts'
import { createSendBuffers } from './sockets/send-buffers.ts'
import { createSockets } from './sockets/sockets.ts'
import { createUpgrade } from './sockets/upgrade.ts'
import { createUpgradeServer } from './sockets/upgrade-server.ts'
import { projectStaticFiles } from './static/push.ts'
import { createStaticFiles } from './static/static-files.ts'
import { removeStatic, staticCounts } from './store/static-files.ts'

export type WebserviceOptions = {
  readonly database: Database
  /** Finds what answers on a host name. */
  readonly hosts: Pick<Hosts, 'findKind'>
  readonly scripts: Pick<ScriptingApi, 'endpoints'>
  readonly holders: Holders
  /** Files that signed URLs of a solution's host read and write. */
  readonly files: SignedFiles
  /** URLs of a solution's host that raise events. */
  readonly callbacks: CallbackUrls
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

/** Serves the HTTP and websocket endpoints of solutions. */
export type Webservice = {
  /**
   * `webservice`: the endpoints' configuration; it has no operations. `websocket`: the sockets of
   * a script's solution.
   */
  readonly services: readonly Service[]
  /** The files that solutions serve beside their endpoints. */
  readonly staticFiles: StaticFileStore
  /** True for `/solution/<id>/…`, where solutions share an origin with the console. */
  owns(url: string): boolean
  handleShared(message: IncomingMessage, response: ServerResponse): void
  /** Handles a request to the host of a solution; calls `otherwise` if it is gone meanwhile. */
  handleHost(
    id: string,
    message: IncomingMessage,
    response: ServerResponse,
    otherwise: () => void,
  ): void
  /** Answers a request whose host could not be looked up. */
  refuse(message: IncomingMessage, response: ServerResponse, error: unknown): void
  /** Handles a websocket upgrade, to the host of that name, or to `/solution/<id>/…`. */
  upgrade(id: string | undefined, message: IncomingMessage, socket: Socket, head: Buffer): void
  /** Makes a websocket of a handshake for the instance itself. */
  readonly acceptSocket: AcceptTextSocket
  /** Closes the websockets. */
  close(): Promise<void>
}

type Prepared = {
  readonly settings: WebserviceSettings
  readonly routes: EndpointRoutes
  readonly sockets: EndpointRoutes
}

const sharedPath = /^\/solution\/([a-z0-9]+)(\/.*)$/

export function createWebservice(options: WebserviceOptions): Webservice {
  const { hosts, scripts, files, callbacks, clock, logger } = options
  const { endpoints } = scripts
  const prepare = createPrepare()
  const resolve = createResolve(endpoints, prepare)
  const sockets = createSockets({
    ...options,
    endpoints,
    sendBuffers: createSendBuffers(),
    readSettings: (served) => prepare(served).settings,
  })
  const serving = { ...options, endpoints, sockets, takeRequest: createRequestLimiter(clock) }
  const upgrades = createUpgradeServer({
    upgrade: createUpgrade(serving),
    logger,
    async resolve(message, where, more) {
      // A connector may have the same id from before both took it from one registry.
      if (!where.shared && (await hosts.findKind(where.id)) !== 'solution') return undefined
      return resolve(message, where, more)
    },
  })

  async function serve(
    message: IncomingMessage,
    response: ServerResponse,
    where: RequestTarget,
    otherwise: () => void,
  ): Promise<void> {
    const more: HeaderPair[] = where.shared ? [...sandbox] : []
    try {
      const request = await resolve(message, where, more)
      if (request === undefined) return otherwise()
      const taken = await exchangeOwn({ files, callbacks }, where, message)
      send(response, taken ?? (await exchange(serving, request)), more)
    } catch (error) {
      message.resume()
      sendRefusal(response, error, more, logger)
    }
  }

  return {
    staticFiles: createStaticFiles(options),
    services: [createWebserviceService(options.database), createSocketService(sockets)],
    owns: (url) => sharedPath.test(url),
    handleShared(message, response) {
      void serve(message, response, sharedTarget(message), () => {
        throw noSolution()
      })
    },
    handleHost(id, message, response, otherwise) {
      void serve(message, response, hostTarget(id, message), otherwise)
    },
    refuse(message, response, error) {
      message.resume()
      sendRefusal(response, error, [], logger)
    },
    acceptSocket: createTextSockets(),
    upgrade(id, message, socket, head) {
      upgrades.handle(message, socket, head, toTarget(id, message))
    },
    async close() {
      upgrades.drop()
      await sockets.close()
    },
  }
}

/** Answers at paths of the platform on a solution's host; undefined for another path. */
async function exchangeOwn(
  { files, callbacks }: Pick<WebserviceOptions, 'files' | 'callbacks'>,
  { id, shared }: RequestTarget,
  message: IncomingMessage,
): Promise<EndpointAnswer | undefined> {
  const { url = '/' } = message
  if (shared) return undefined
  if (files.owns(url)) return exchangeFile(files, id, message)
  return callbacks.owns(url) ? exchangeCallback(callbacks, id, message) : undefined
}

function createResolve(
  endpoints: ScriptingApi['endpoints'],
  prepare: (served: SolutionEndpoints) => Prepared,
): ResolveRequest {
  return async (message, { id, uri, shared }, more) => {
    const served = await endpoints.find(id)
    if (served === undefined) return undefined
    const request = { message, served, ...prepare(served), uri, shared }
    more.push(...corsHeaders(request.settings.cors, message.headers, shared))
    return request
  }
}

/** Prepares settings and routes once for each version of a solution, as long as it is cached. */
function createPrepare(): (served: SolutionEndpoints) => Prepared {
  const prepared = new WeakMap<SolutionEndpoints, Prepared>()
  return (served) => {
    const known = prepared.get(served)
    if (known !== undefined) return known
    const isSocket = ({ method }: { readonly method: string }) => method === socketMethod
    const fresh = {
      settings: readSettings(served.configurations),
      routes: createRoutes(served.endpoints.filter((one) => !isSocket(one))),
      sockets: createRoutes(served.endpoints.filter(isSocket)),
    }
    prepared.set(served, fresh)
    return fresh
  }
}

function createWebserviceService(database: Database): Service {
  return {
    name: 'webservice',
    always: true,
    events: [],
    operation: () => undefined,
    configure: async (input) => configure(input),
    settings: webserviceSettings,
    staticFiles: projectStaticFiles,
    removeIn: removeStatic,
    async usage(solutionId) {
      const { files, bytes } = await staticCounts.read(database, solutionId)
      return [
        {
          limit: 'solutionStaticFilesMax',
          used: files,
          max: webserviceLimits.solutionStaticFilesMax,
        },
        {
          limit: 'solutionStaticBytesMax',
          used: bytes,
          max: webserviceLimits.solutionStaticBytesMax,
        },
      ]
    },
  }
}

function toTarget(id: string | undefined, message: IncomingMessage): RequestTarget {
  return id === undefined ? sharedTarget(message) : hostTarget(id, message)
}

function hostTarget(id: string, { url = '/' }: IncomingMessage): RequestTarget {
  return { id, uri: url, shared: false }
}

function sharedTarget({ url = '' }: IncomingMessage): RequestTarget {
  const [, id = '', uri = ''] = sharedPath.exec(url) ?? []
  return { id, uri, shared: true }
}
