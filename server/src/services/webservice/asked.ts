import type { IncomingMessage } from 'node:http'
import { Fault } from '../../kernel/index.ts'
import type { ScriptValue, Served } from '../../scripting/index.ts'
import type { Settings } from './configuration.ts'
import type { Pair } from './headers.ts'
import { addressOf, parseFields } from './request.ts'
import { partsOf, type Route, type Routes } from './routes.ts'

/** Which solution a request is for, and what it says of it. */
export type Where = { readonly id: string; readonly uri: string; readonly shared: boolean }

/**
 * Finds what is asked. `more`: what any answer says, once it is known. Undefined where there is no
 * such solution.
 */
export type Look = (
  message: IncomingMessage,
  where: Where,
  more: Pair[],
) => Promise<Asked | undefined>

/** One request to a solution, an upgrade included. */
export type Asked = {
  readonly message: IncomingMessage
  readonly served: Served
  readonly settings: Settings
  readonly routes: Routes
  /** The routes of its websockets. */
  readonly sockets: Routes
  /** As the script sees it, from its first `/` on. */
  readonly uri: string
  /** On the console's origin, where a page could be mistaken for the console's. */
  readonly shared: boolean
}

/** The method of the routes of websockets, as header lines name it. */
export const socketMethod = 'WEBSOCKET'

export function noSolution(): Fault {
  return new Fault('not_found', 'There is no such solution.')
}

/** The parts of the path. @throws Fault malformed_request */
export function partsOfUri(uri: string): string[] {
  const parts = uri.startsWith('/') ? partsOf(pathOf(uri)) : undefined
  if (parts !== undefined) return parts
  throw new Fault('malformed_request', 'The path cannot be decoded.')
}

/** What scripts see of any request. @throws Fault too_complex */
export function requestFields(
  { message, uri }: Asked,
  { endpoint, parameters }: Route,
  more: Readonly<Record<string, ScriptValue>> = {},
) {
  const query = uri.slice(pathOf(uri).length + 1)
  return {
    uri,
    method: message.method ?? 'GET',
    route: endpoint.path,
    // Who wrote the path decides what a name in it means.
    parameters: { ...parseFields(query), ...more, ...parameters },
    ip: addressOf(message.socket),
  }
}

function pathOf(uri: string): string {
  const mark = uri.indexOf('?')
  return mark < 0 ? uri : uri.slice(0, mark)
}
