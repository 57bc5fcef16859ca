import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Database } from '../../database/index.ts'
import type { Hosts } from '../../hosts/index.ts'
import type { Clock, Logger, Random } from '../../kernel/index.ts'
import type { ScriptingApi, Served, Service } from '../../scripting/index.ts'
import { configure, type Settings, settingsOf } from './configuration.ts'
import { corsHeaders } from './cors.ts'
import { noSolution, type RequestTarget, socketMethod } from './endpoint-request.ts'
import { exchange } from './exchange.ts'
import type { Pair } from './headers.ts'
import { createRequestLimiter } from './request-limiter.ts'
import { createRoutes, type Routes } from './routes.ts'
import type { Holders } from './security.ts'
import { sandbox, send, sendRefusal } from './send.ts'
import { createSendBuffers } from './send-buffers.ts'
import { createSocketService } from './socket-service.ts'
import { createSockets } from './sockets.ts'
import { createUpgrade } from './upgrade.ts'
import { createUpgradeServer } from './upgrade-server.ts'

export type WebserviceOptions = {
  readonly database: Database
  /** Finds what answers on a host name. */
  readonly hosts: Pick<Hosts, 'kindOf'>
  readonly scripts: Pick<ScriptingApi, 'endpoints'>
  readonly holders: Holders
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
  /** True for `/solution/<id>/…`, where solutions share an origin with the console. */
  owns(url: string): boolean
  handleShared(message: IncomingMessage, response: ServerResponse): void
  /** Handles a request to the host of that name; calls `otherwise` if no solution has it. */
  handleHost(
    id: string,
    message: IncomingMessage,
    response: ServerResponse,
    otherwise: () => void,
  ): void
  /** Handles a websocket upgrade, to the host of that name, or to `/solution/<id>/…`. */
  upgrade(id: string | undefined, message: IncomingMessage, socket: Socket, head: Buffer): void
  /** Closes the websockets. */
  close(): Promise<void>
}

type Prepared = {
  readonly settings: Settings
  readonly routes: Routes
  readonly sockets: Routes
}

const sharedPath = /^\/solution\/([a-z0-9]+)(\/.*)$/

export function createWebservice(options: WebserviceOptions): Webservice {
  const { hosts, scripts, clock, logger } = options
  const { endpoints } = scripts
  const prepare = createPrepare()
  const sendBuffers = createSendBuffers()
  const sockets = createSockets({
    ...{ ...options, endpoints, sendBuffers },
    settingsOf: (served) => prepare(served).settings,
  })
  const serving = { ...options, endpoints, sockets, takeRequest: createRequestLimiter(clock) }
  const upgrades = createUpgradeServer({
    upgrade: createUpgrade(serving),
    resolve,
    logger,
  })

  async function resolve(message: IncomingMessage, where: RequestTarget, more: Pair[]) {
    const { id, uri, shared } = where
    // A connector may have the same id from before both took it from one registry.
    if (!shared && (await hosts.kindOf(id)) !== 'solution') return undefined
    const served = await endpoints.find(id)
    if (served === undefined) return undefined
    const request = { message, served, ...prepare(served), uri, shared }
    more.push(...corsHeaders(request.settings.cors, message.headers, shared))
    return request
  }

  async function serve(
    message: IncomingMessage,
    response: ServerResponse,
    where: RequestTarget,
    otherwise: () => void,
  ): Promise<void> {
    const more: Pair[] = where.shared ? [...sandbox] : []
    try {
      const request = await resolve(message, where, more)
      if (request === undefined) return otherwise()
      send(response, await exchange(serving, request), more)
    } catch (error) {
      message.resume()
      sendRefusal(response, error, more, logger)
    }
  }

  return {
    services: [webserviceService, createSocketService(sockets)],
    owns: (url) => sharedPath.test(url),
    handleShared(message, response) {
      void serve(message, response, sharedPlace(message), () => {
        throw noSolution()
      })
    },
    handleHost(id, message, response, otherwise) {
      const uri = message.url ?? '/'
      void serve(message, response, { id, uri, shared: false }, otherwise)
    },
    upgrade(id, message, socket, head) {
      const own = id === undefined ? undefined : { id, uri: message.url ?? '/', shared: false }
      upgrades.handle(message, socket, head, own ?? sharedPlace(message))
    },
    async close() {
      upgrades.drop()
      await sockets.close()
    },
  }
}

/** Prepares settings and routes once for each version of a solution. */
function createPrepare(): (served: Served) => Prepared {
  const prepared = new WeakMap<Served, Prepared>()
  return (served) => {
    const known = prepared.get(served)
    if (known !== undefined) return known
    const isSocket = ({ method }: { readonly method: string }) => method === socketMethod
    const fresh = {
      settings: settingsOf(served.configurations),
      routes: createRoutes(served.endpoints.filter((one) => !isSocket(one))),
      sockets: createRoutes(served.endpoints.filter(isSocket)),
    }
    prepared.set(served, fresh)
    return fresh
  }
}

const webserviceService: Service = {
  name: 'webservice',
  always: true,
  events: [],
  operation: () => undefined,
  configure: async (input) => configure(input),
}

function sharedPlace({ url = '' }: IncomingMessage): RequestTarget {
  const [, id = '', uri = ''] = sharedPath.exec(url) ?? []
  return { id, uri, shared: true }
}
