import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { DeviceHttp } from '../device-api/index.ts'
import type { Graphql } from '../graphql/index.ts'
import { type ErrorCode, Fault, limits } from '../kernel/index.ts'
import type { Management } from '../management/index.ts'
import type { NotificationDoor } from '../services/notification/index.ts'
import type { Webservice } from '../services/webservice/index.ts'
import { type HostNames, namesOneHost, notifyLabel } from './host-names.ts'
import { sendFault } from './node-answers.ts'

type Handle = (message: IncomingMessage, response: ServerResponse) => void

export type DispatchOptions = {
  readonly names: HostNames
  readonly door: DeviceHttp
  readonly graphql: Graphql
  readonly management: Management
  readonly webservice: Webservice
  readonly notifications: NotificationDoor
  /** The console and the management API. */
  readonly answerOther: Handle
}

/** Routes a request to a part of the instance, by its listener, its path and its host. */
export type Dispatch = {
  /** Console, API and everything else, without encryption. */
  readonly plain: Handle
  /** Devices, solutions and notifications over TLS. */
  readonly secure: Handle
  /**
   * Whether a request is to become a websocket of a solution. Any other that would change its
   * protocol is answered as if it would not: many clients offer HTTP/2 so.
   */
  isUpgrade(message: IncomingMessage): boolean
  upgrade(message: IncomingMessage, socket: Socket, head: Buffer): void
}

export function createDispatch(options: DispatchOptions): Dispatch {
  const { names, door, graphql, management, webservice, notifications, answerOther } = options
  const placeOf = ({ headers }: IncomingMessage) => names.placeOf(headers.host)

  /** Devices first: their paths are theirs on every host, since firmware may call a fixed one. */
  function partFor(message: IncomingMessage): Handle {
    if (!namesOneHost(message)) return refusing('malformed_request', 'The request has two hosts.')
    const { url = '/' } = message
    if (door.owns(url)) return door.handle
    const place = placeOf(message)
    if (place.kind === 'label') return partOfLabel(place.label, url)
    // A browser always says the host; what speaks HTTP/1.0 without one is a health check.
    if (place.kind === 'missing' && message.httpVersion !== '1.0') {
      return refusing('malformed_request', 'The request has no Host.')
    }
    // Server code is often pointed here by a name of its own, and brings its credential itself.
    if (notifications.owns(url)) return notifications.handle
    if (isEncrypted(message)) return door.handle
    if (place.kind === 'foreign') return refusingHost(place.name)
    if (webservice.owns(url)) return webservice.handleShared
    return isGraphql(url) ? graphql.handle : answerOther
  }

  /** A host under the domain is a solution's or a connector's, whatever the path. */
  function partOfLabel(label: string, url: string): Handle {
    if (label === notifyLabel && notifications.owns(url)) return notifications.handle
    return (message, response) => {
      webservice.handleHost(label, message, response, () => door.handle(message, response))
    }
  }

  return {
    plain(message, response) {
      const part = partFor(message)
      const takesFile = part === answerOther && management.takesFile(message.url ?? '/')
      if (!takesFile) limitBody(message)
      part(message, response)
    },
    secure(message, response) {
      limitBody(message)
      partFor(message)(message, response)
    },
    isUpgrade(message) {
      const { method, headers } = message
      if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false
      if (!namesOneHost(message)) return false
      const { url = '/' } = message
      if (door.owns(url)) return false
      const place = placeOf(message)
      if (place.kind === 'label') return true
      // Only the plain listener is also the console's.
      return place.kind === 'own' && !isEncrypted(message) && webservice.owns(url)
    },
    upgrade(message, socket, head) {
      const place = placeOf(message)
      const label = place.kind === 'label' ? place.label : undefined
      webservice.upgrade(label, message, socket, head)
    },
  }
}

function isEncrypted({ socket }: IncomingMessage): boolean {
  return 'encrypted' in socket
}

function isGraphql(url: string): boolean {
  return url === '/api/graphql' || url.startsWith('/api/graphql?')
}

function refusing(code: ErrorCode, sentence: string): Handle {
  return (message, response) => sendFault(message, response, new Fault(code, sentence))
}

const hostCharsShown = 100

function refusingHost(name: string): Handle {
  const own = 'MILLRACE_HOSTS names the hosts that it answers on beside its domain'
  const shown = name.slice(0, hostCharsShown)
  return refusing('unknown_host', `This instance does not answer as ${shown}: ${own}.`)
}

/** Destroys a request whose body does not arrive in time. */
function limitBody(message: IncomingMessage): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = message.headers
  if (encoding === undefined && (length === undefined || length === '0')) return
  // A body that is refused unread may never end, and must not hold up the end of the process.
  const timer = setTimeout(() => message.destroy(), limits.deviceRequestMsMax).unref()
  const clear = () => clearTimeout(timer)
  message.once('end', clear)
  message.once('close', clear)
}
