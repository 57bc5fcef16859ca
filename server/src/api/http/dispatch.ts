import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { AcmeOrders } from '../../devices/acme/index.ts'
import type { DeviceHttp } from '../../devices/device-api/index.ts'
import type { Hosts } from '../../devices/hosts/index.ts'
import {
  type Clock,
  callerSpanIn,
  Fault,
  isMeasured,
  measure,
  nameRequest,
  newId,
  type ProcessRole,
  type Random,
  readRequestInfo,
  toFault,
} from '../../foundation/kernel/index.ts'
import type { NotificationHttp } from '../../scripts/services/notification/index.ts'
import type { Webservice } from '../../scripts/services/webservice/index.ts'
import type { Graphql } from '../graphql/index.ts'
import type { Management } from '../management/index.ts'
import { limitBody } from './connections.ts'
import type { ForwardedRequests } from './front/forwarded-requests.ts'
import { type HostNames, type NamedHost, namesOneHost } from './host-names.ts'
import { sendFault } from './node-answers.ts'
import { refuseRole, roleFor } from './roles.ts'
import { type HandlerName, type PathKind, RouteTable } from './routes.ts'

export type DispatchOptions = {
  readonly names: HostNames
  /** The roles of this process. */
  readonly roles: readonly ProcessRole[]
  readonly forwarded: ForwardedRequests
  readonly clock: Pick<Clock, 'elapsedMs'>
  readonly random: Random
  readonly hosts: Pick<Hosts, 'findKind'>
  readonly deviceApi: DeviceHttp
  readonly graphql: Graphql
  readonly management: Management
  /** The console and the management API. */
  readonly managementHandler: Handle
  readonly webservice: Webservice
  readonly notifications: NotificationHttp
  /** The answers to an ACME server that checks a host; undefined: none is asked. */
  readonly acme: Pick<AcmeOrders, 'challenges'> | undefined
}

type Handle = (message: IncomingMessage, response: ServerResponse) => void
type Handlers = Readonly<
  Record<HandlerName, (message: IncomingMessage, response: ServerResponse, host: NamedHost) => void>
>

/** Routes requests and websockets to the parts of the instance, by the routing table. */
export class RequestDispatcher {
  readonly #options: DispatchOptions
  readonly #handlers: Handlers
  readonly #table = new RouteTable()

  constructor(options: DispatchOptions) {
    this.#options = options
    this.#handlers = createHandlers(options)
  }

  handle(message: IncomingMessage, response: ServerResponse): void {
    if (!namesOneHost(message)) {
      void limitBody(message)
      refuse(message, response, 'The request has two hosts.')
      return
    }
    const { names, acme, forwarded } = this.#options
    try {
      forwarded.name(message)
    } catch (error) {
      void limitBody(message)
      sendFault(message, response, toFault(error))
      return
    }
    if (acme?.challenges.owns(message.url ?? '/') === true) {
      void acme.challenges.handle(message, response)
      return
    }
    const host = names.classify(message)
    const key = { path: this.#pathKind(message) }
    const handler =
      host.kind === 'registered'
        ? this.#table.findUnderDomain('request', key)
        : this.#table.find('request', { ...key, host: host.kind })
    const { url = '/' } = message
    const takesFile = handler === 'management' && this.#options.management.takesFile(url)
    if (!takesFile) void limitBody(message)
    if (handler === undefined) void this.#handleRegistered(message, response, host)
    else this.#run(handler, message, response, host)
  }

  #run(
    handler: HandlerName,
    message: IncomingMessage,
    response: ServerResponse,
    host: NamedHost,
  ): void {
    const { roles } = this.#options
    const role = roleFor(handler, message.url)
    if (role !== undefined && !roles.includes(role)) {
      refuseRole(message, response, role, roles)
      return
    }
    this.#name(handler, message, response)
    this.#handlers[handler](message, response, host)
  }

  /** Gives a request its id, if anybody reads it, and measures it. */
  #name(handler: HandlerName, message: IncomingMessage, response: ServerResponse): void {
    const { forwarded, clock, random } = this.#options
    const isAnswered = handler === 'management' || handler === 'graphql'
    const isRead = isMeasured('request') || isMeasured('write')
    if (!isAnswered && !isRead) return
    const id = forwarded.readRequestId(message) ?? newId(random)
    const sinceMs = clock.elapsedMs()
    const caller = isRead ? callerSpanIn(message, forwarded.isFromProxy(message)) : undefined
    nameRequest(message, { id, beganMs: sinceMs, caller })
    if (isAnswered) response.setHeader('X-Request-Id', id)
    if (!isRead) return
    response.once('close', () => {
      const ms = clock.elapsedMs() - sinceMs
      const { method = '' } = message
      const operation = readRequestInfo(message)?.operation
      const { statusCode: status } = response
      measure('request', () => {
        return { id, route: handler, method, operation, status, caller, ms }
      })
    })
  }

  /**
   * Returns whether a request becomes a websocket, of a solution or of the graph API. Any other
   * that asks for another protocol is answered as if it did not: many clients offer HTTP/2 so.
   */
  isUpgrade(message: IncomingMessage): boolean {
    const { method, headers } = message
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false
    if (!this.#options.roles.includes('api')) return false
    return namesOneHost(message) && this.#findUpgrade(message) !== undefined
  }

  upgrade(message: IncomingMessage, socket: Socket, head: Buffer): void {
    const { names, webservice, graphql, forwarded } = this.#options
    try {
      forwarded.name(message)
    } catch {
      // A handshake whose certificate cannot be read is no websocket's.
      socket.destroy()
      return
    }
    const handler = this.#findUpgrade(message)
    if (handler === 'graphql') {
      graphql.upgrade(message, socket, head)
      return
    }
    const shared = handler === 'sharedSolution'
    const label = shared ? undefined : names.classify(message).label
    webservice.upgrade(label, message, socket, head)
  }

  #findUpgrade(message: IncomingMessage): HandlerName | undefined {
    const host = this.#options.names.classify(message)
    const key = { path: this.#pathKind(message) }
    if (host.kind === 'registered') return this.#table.findUnderDomain('websocket', key)
    return this.#table.find('websocket', { ...key, host: host.kind })
  }

  /** Reads which of the registered kinds the host has. */
  async #handleRegistered(
    message: IncomingMessage,
    response: ServerResponse,
    host: NamedHost,
  ): Promise<void> {
    const { hosts, webservice } = this.#options
    try {
      const handler = this.#table.find('request', {
        host: (await hosts.findKind(host.label)) ?? 'unused',
        path: this.#pathKind(message),
      })
      if (handler !== undefined) this.#run(handler, message, response, host)
    } catch (error) {
      webservice.refuse(message, response, error)
    }
  }

  #pathKind({ url = '/' }: IncomingMessage): PathKind {
    const { deviceApi, notifications, webservice, graphql } = this.#options
    if (deviceApi.owns(url)) return 'device'
    if (notifications.owns(url)) return 'notification'
    if (webservice.owns(url)) return 'solution'
    return graphql.owns(url) ? 'graphql' : 'other'
  }
}

function createHandlers(options: DispatchOptions): Handlers {
  const { deviceApi, notifications, webservice, graphql, managementHandler } = options
  return {
    deviceApi: deviceApi.handle,
    notifications: notifications.handle,
    solution(message, response, { label }) {
      const gone = () => deviceApi.handle(message, response)
      webservice.handleHost(label, message, response, gone)
    },
    sharedSolution: webservice.handleShared,
    graphql: graphql.handle,
    management: managementHandler,
    refuseMissingHost(message, response) {
      refuse(message, response, 'The request has no Host.')
    },
    refuseForeignHost(message, response, { name }) {
      const own = 'MILLRACE_HOSTS names the hosts that it answers on beside its domain'
      const shown = name.slice(0, hostCharsShown)
      const sentence = `This instance does not answer as ${shown}: ${own}.`
      sendFault(message, response, new Fault('unknown_host', sentence))
    },
  }
}

const hostCharsShown = 100

function refuse(message: IncomingMessage, response: ServerResponse, sentence: string): void {
  sendFault(message, response, new Fault('malformed_request', sentence))
}
