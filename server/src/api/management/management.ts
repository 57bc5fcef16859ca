import type { IncomingMessage, ServerResponse } from 'node:http'
import { type FastifyInstance, fastify } from 'fastify'
import {
  checkJson,
  exactText,
  Fault,
  limits,
  processRoles,
  requireText,
  SharedBound,
} from '../../foundation/kernel/index.ts'
import { addConsole } from './console.ts'
import { createRefusal, nowhere, type Refuse } from './errors.ts'
import { managementLimits } from './limits.ts'
import { createLogStreams } from './log-streams.ts'
import { describeApi, type OpenApiDocument } from './openapi/document.ts'
import { contracts } from './operations/all.ts'
import { CallerAuthentication } from './operator.ts'
import { addPages } from './pages/pages.ts'
import { addRoutes, type Route } from './route.ts'
import type { ApiServices, ManagementOptions } from './services.ts'

/** Streams of changes that are open at once in a process: one for each browser. */
const changeStreamsMax = 2_000
/** Of these, those of one user or API token. */
const changeStreamsOfHolderMax = 50

export type Management = {
  /** Answers any request that is nobody else's. Reads the console's build first. */
  handler(): Promise<(message: IncomingMessage, response: ServerResponse) => void>
  /** A request without a socket, for tests. */
  readonly inject: FastifyInstance['inject']
  /** True if a request to the URL may upload a file, which takes longer. */
  takesFile(url: string): boolean
  /** Ends the live views, which would keep the server from closing. */
  endStreams(): void
  close(): Promise<void>
}

export function createManagement(options: ManagementOptions): Management {
  const { accounts, provisioning, logger, operatorToken: token } = options
  const { connectors } = provisioning
  const authentication = new CallerAuthentication({ accounts, connectors, token })
  const services = makeServices(options, authentication)
  const refuse = createRefusal(logger)
  const app = createApp(refuse)
  const { countRequest, clock } = options
  const access = { authentication, audited: accounts.audited, countRequest, clock }
  addRoutes(app, access, makeRoutes(services))
  addPages(app)
  app.register((scope) => addConsole(scope, { dir: options.consoleDir, logger, refuse }))
  return {
    async handler() {
      await app.ready()
      return (message, response) => app.routing(message, response)
    },
    inject: app.inject.bind(app) as FastifyInstance['inject'],
    takesFile: (url) => filePaths.test(url),
    endStreams: services.logStreams.end,
    async close() {
      services.logStreams.end()
      await app.close()
    },
  }
}

function makeServices(
  options: ManagementOptions,
  authentication: CallerAuthentication,
): ApiServices {
  const { csvBytesMax: bytesMax, retryAfterS } = limits
  const { csvStallMsMax: stallMsMax } = managementLimits
  const { csv = { bytesMax, stallMsMax }, roles = processRoles } = options
  const [logStreams, changeStreams] = openStreams(authentication)
  const running = { devices: 0, assets: 0 }
  let document: OpenApiDocument | undefined
  return {
    ...options,
    csv,
    roles,
    logStreams,
    changeStreams,
    apiDocument() {
      document ??= describeApi(contracts)
      return document
    },
    async inTurn(kind, run) {
      if (running[kind] >= managementLimits.csvImportsMax) {
        throw new Fault('overloaded', 'Other files are being uploaded.', { retryAfterS })
      }
      running[kind] += 1
      return run().finally(() => {
        running[kind] -= 1
      })
    },
  }
}

function makeRoutes(services: ApiServices): Route[] {
  const { changesReached } = services.scripting
  return contracts.map((contract) => ({
    contract,
    async act(call) {
      const result = await contract.act(services, call)
      if (contract.everyProcess && contract.method !== 'GET') await changesReached()
      return result
    },
  }))
}

const ofDevices = 'service/[^/?]+/device2/(?:content/|identities(?:[/?]|$))'
const ofSolutions = 'solution/[^/?]+/static(?:/|-upload(?:[?]|$))'
const ofAssets = 'assets/import(?:[?]|$)|work-instructions/[^/?]+/versions'
const filePaths = new RegExp(`^/api(?::|%3a)1/(?:${ofAssets}|${ofDevices}|${ofSolutions})`, 'i')

/** Paths on which an empty id would delete everything: such a path without its slash. */
const deletesOne = new Set(
  contracts.flatMap(({ method, path }) =>
    method === 'DELETE' ? (path.match(/^.*(?=\/:\w+$)/) ?? []) : [],
  ),
)

function createApp(refuse: Refuse): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: limits.managementBodyBytesMax,
    // Routes are ready as soon as there is CPU for them: a busy machine may need more than 10 s.
    pluginTimeout: 0,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: limits.headerBytesMax },
    rewriteUrl: ({ url = '/' }) => plainVersion(url),
    frameworkErrors: (error, _request, reply) => refuse(error, reply),
  })
  app.setErrorHandler((error, _request, reply) => refuse(error, reply))
  // No body is read for a path that is nowhere.
  app.addHook('onRequest', async ({ is404, method, url, routeOptions }) => {
    if (is404 && method !== 'GET' && method !== 'HEAD') throw nowhere(url)
    // The router takes a path without its last slash, and ends it where `#` or `?` stands.
    const isWithoutId = method === 'DELETE' && /^[^?#]*\/(?:[?#]|$)/.test(url)
    if (isWithoutId && deletesOne.has(routeOptions.url?.replace('::', ':') ?? '')) {
      throw new Fault('not_found', 'The path of a DELETE ends with a slash: an id is missing.')
    }
  })
  acceptJsonOnly(app)
  return app
}

/** Some clients escape the colon of `/api:1`. */
function plainVersion(url: string): string {
  return url.replace(/^\/api%3a1(?=[/?]|$)/i, '/api:1')
}

/** No body is the same as none was announced: a DELETE may carry the content type of its client. */
function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    try {
      checkJson(requireText(body as Buffer))
    } catch (error) {
      if (error instanceof Fault) return done(error)
      return done(new Fault('malformed_request', (error as Error).message, { cause: error }))
    }
    parse(request, exactText(body as Buffer), done)
  })
}

/** Live views of logs, and streams of changes: each kind has its own bound. */
function openStreams(authentication: CallerAuthentication) {
  const logs = new SharedBound({ what: 'live views', max: () => limits.logStreamsMax })
  const changes = new SharedBound({
    what: 'streams',
    max: () => changeStreamsMax,
    holderMax: () => changeStreamsOfHolderMax,
  })
  return [
    createLogStreams(authentication, logs),
    createLogStreams(authentication, changes),
  ] as const
}
