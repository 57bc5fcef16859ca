import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Clock, Fault, type Logger, type Random } from '../../kernel/index.ts'
import type { Scripts, Served, Service } from '../../scripting/index.ts'
import { configure, type Settings, settingsOf } from './configuration.ts'
import { corsHeaders } from './cors.ts'
import { exchange } from './exchange.ts'
import type { Pair } from './headers.ts'
import { createRates } from './rates.ts'
import { createRoutes, type Routes } from './routes.ts'
import type { Holders } from './security.ts'
import { sandbox, send, sendRefusal } from './send.ts'

export type WebserviceOptions = {
  readonly scripts: Pick<Scripts, 'endpoints'>
  readonly holders: Holders
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

/** The endpoints of solutions, and the door to them. */
export type Webservice = {
  /** What a solution configures of its endpoints; it has no operations. */
  readonly service: Service
  isSolution(id: string): Promise<boolean>
  /** Whether the URL is `/solution/<id>/…`, where solutions share an origin with the console. */
  owns(url: string): boolean
  handleShared(message: IncomingMessage, response: ServerResponse): void
  /** A request to the host of that name; `otherwise` where it is no solution. */
  handleHost(
    id: string,
    message: IncomingMessage,
    response: ServerResponse,
    otherwise: () => void,
  ): void
}

type Prepared = { readonly settings: Settings; readonly routes: Routes }
type Where = { readonly id: string; readonly uri: string; readonly shared: boolean }

const sharedPath = /^\/solution\/([a-z0-9]+)(\/.*)$/

export function createWebservice(options: WebserviceOptions): Webservice {
  const { scripts, clock, logger } = options
  const { endpoints } = scripts
  const needs = { ...options, endpoints, takeRequest: createRates(clock) }
  const prepared = new WeakMap<Served, Prepared>()

  function prepare(served: Served): Prepared {
    const known = prepared.get(served)
    if (known !== undefined) return known
    const settings = settingsOf(served.configurations)
    const fresh = { settings, routes: createRoutes(served.endpoints) }
    prepared.set(served, fresh)
    return fresh
  }

  async function serve(
    message: IncomingMessage,
    response: ServerResponse,
    { id, uri, shared }: Where,
    otherwise: () => void,
  ): Promise<void> {
    const more: Pair[] = shared ? [...sandbox] : []
    try {
      const served = await endpoints.find(id)
      if (served === undefined) return otherwise()
      const { settings, routes } = prepare(served)
      more.push(...corsHeaders(settings.cors, message.headers, shared))
      const asked = { message, served, settings, routes, uri, shared }
      send(response, await exchange(needs, asked), more)
    } catch (error) {
      message.resume()
      sendRefusal(response, error, more, logger)
    }
  }

  return {
    service: {
      name: 'webservice',
      always: true,
      events: [],
      operation: () => undefined,
      configure: async (input) => configure(input),
    },
    isSolution: async (id) => (await endpoints.find(id)) !== undefined,
    owns: (url) => sharedPath.test(url),
    handleShared(message, response) {
      const [, id = '', uri = ''] = sharedPath.exec(message.url ?? '') ?? []
      void serve(message, response, { id, uri, shared: true }, () => {
        throw new Fault('not_found', 'There is no such solution.')
      })
    },
    handleHost(id, message, response, otherwise) {
      const uri = message.url ?? '/'
      void serve(message, response, { id, uri, shared: false }, otherwise)
    },
  }
}
