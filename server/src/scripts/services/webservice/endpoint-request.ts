import type { IncomingMessage } from 'node:http'
import { Fault, readPeer } from '../../../foundation/kernel/index.ts'
import type { ScriptValue, SolutionEndpoints } from '../../scripting/index.ts'
import type { WebserviceSettings } from './configuration.ts'
import type { HeaderPair } from './headers.ts'
import { parseFields } from './request.ts'
import { type EndpointRoute, type EndpointRoutes, splitPath } from './routes.ts'

/** The solution that a request is for, and the URI within it. */
export type RequestTarget = { readonly id: string; readonly uri: string; readonly shared: boolean }

/**
 * Resolves a request to its solution, and adds the headers that every answer has to `more`.
 * Undefined if there is no such solution.
 */
export type ResolveRequest = (
  message: IncomingMessage,
  where: RequestTarget,
  more: HeaderPair[],
) => Promise<EndpointRequest | undefined>

/** A request to a solution, an upgrade included. */
export type EndpointRequest = {
  readonly message: IncomingMessage
  readonly served: SolutionEndpoints
  readonly settings: WebserviceSettings
  readonly routes: EndpointRoutes
  /** The routes of its websockets. */
  readonly sockets: EndpointRoutes
  /** The path for the script, from its first `/` on. */
  readonly uri: string
  /** True on the console's origin, where a page could be mistaken for the console's. */
  readonly shared: boolean
}

/** The method of the routes of websockets, as header lines name it. */
export const socketMethod = 'WEBSOCKET'

export function noSolution(): Fault {
  return new Fault('not_found', 'There is no such solution.')
}

/** The parts of the path. @throws Fault malformed_request */
export function partsOfUri(uri: string): string[] {
  const parts = uri.startsWith('/') ? splitPath(stripQuery(uri)) : undefined
  if (parts !== undefined) return parts
  throw new Fault('malformed_request', 'The path cannot be decoded.')
}

/** The fields of a request that scripts see. @throws Fault too_complex */
export function requestFields(
  { message, uri }: EndpointRequest,
  { endpoint, parameters }: EndpointRoute,
  more: Readonly<Record<string, ScriptValue>> = {},
) {
  const query = uri.slice(stripQuery(uri).length + 1)
  return {
    uri,
    method: message.method ?? 'GET',
    route: endpoint.path,
    // A parameter of the path wins: the endpoint's author named it.
    parameters: { ...parseFields(query), ...more, ...parameters },
    ip: readPeer(message).ip,
  }
}

function stripQuery(uri: string): string {
  const mark = uri.indexOf('?')
  return mark < 0 ? uri : uri.slice(0, mark)
}
