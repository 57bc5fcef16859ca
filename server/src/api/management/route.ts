import { channel } from 'node:diagnostics_channel'
import type { IncomingHttpHeaders } from 'node:http'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  answeredMethods,
  type Clock,
  Fault,
  isJsonObject,
  limits,
  nameOperation,
  omitUndefined,
  readFromWire,
  readPeer,
  refusalOnWire,
  StrictObject,
  showOnWire,
} from '../../foundation/kernel/index.ts'
import type { Accounts, AuditSource, CountRequest, Principal } from '../../people/accounts/index.ts'
import { requireNames } from './calls.ts'
import { OwnAnswer, StreamedAnswer, sent } from './contract/common.ts'
import { type Contract, isStream, methods, type StreamBody } from './contract/contract.ts'
import { compileValidation } from './contract/validation.ts'
import { discardRest, readRequestBytes } from './discard.ts'
import { apiHeaders } from './errors.ts'
import { readJson, refuseLength } from './json-body.ts'
import type { Call } from './operation.ts'
import { type CallerAuthentication, requireAccess } from './operator.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    contract?: Contract
    /** The type of a body that the handler reads as it comes. */
    mediaType?: string | undefined
  }
  interface FastifyRequest {
    principal: Principal | undefined
    /** To be called with the time that the request took. */
    endCount: ((ms: number) => void) | undefined
  }
}

/** A contract with its code. */
export type Route = {
  readonly contract: Contract
  act(call: Call): unknown
}

/** An answer as it is sent, for tests that compare it with its contract. */
export type SentAnswer = {
  readonly contract: Contract
  readonly status: number
  readonly contentType: string
  readonly body: unknown
  /** Set by a subscriber: the request fails with it. */
  problem?: unknown
}

const answers = channel('millrace.management.answer')

function publishAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async ({ routeOptions }, reply, payload) => {
    const { contract } = routeOptions.config
    if (contract === undefined || !answers.hasSubscribers) return
    const message: SentAnswer = {
      contract,
      status: reply.statusCode,
      contentType: String(reply.getHeader('content-type') ?? ''),
      body: payload,
    }
    answers.publish(message)
    if (message.problem !== undefined) throw message.problem
  })
}

/** The caller, and the log of what callers change. */
export type RouteAccess = {
  readonly authentication: CallerAuthentication
  readonly audited: Accounts['audited']
  readonly countRequest: CountRequest
  readonly clock: Clock
}

/** Adds the routes, and a 405 for every other method of their paths. */
export function addRoutes(
  app: FastifyInstance,
  access: RouteAccess,
  routes: readonly Route[],
): void {
  app.decorateRequest('principal', undefined)
  app.decorateRequest('endCount', undefined)
  app.setValidatorCompiler(({ schema, httpPart }) =>
    compileValidation(schema as never, httpPart as never),
  )
  // A field that the contract does not have is not left out: tests find it.
  app.setSerializerCompiler(() => JSON.stringify)
  publishAnswers(app)
  for (const { contract, act } of routes) {
    const { body } = contract.details()
    if (body !== undefined && isStream(body)) {
      app.register(async (scope) => {
        await acceptBytes(scope, body)
        addRoute(scope, access, { contract, act })
      })
    } else addRoute(app, access, { contract, act })
  }
  for (const path of new Set(routes.map(({ contract }) => contract.path)))
    refuseOthers(app, routes, path)
}

function refuseOthers(app: FastifyInstance, routes: readonly Route[], path: string): void {
  const known = routes
    .filter(({ contract }) => contract.path === path)
    .map(({ contract }) => contract.method)
  const allow = answeredMethods(methods.filter((method) => known.includes(method))).join(', ')
  const method = [...methods, 'OPTIONS' as const].filter((one) => !known.includes(one as never))
  app.route({
    method,
    url: toUrl(path),
    onRequest: async (_request, reply) => {
      reply.header('allow', allow)
      throw new Fault('method_not_allowed')
    },
    handler: async () => undefined,
  })
}

function toUrl(path: string): string {
  return path.replaceAll(':1', '::1')
}

/** The body stays where it is: only the handler reads it. */
async function acceptBytes(scope: FastifyInstance, { stream }: StreamBody): Promise<void> {
  scope.removeAllContentTypeParsers()
  if (stream.includes('multipart/form-data')) await scope.register(multipart)
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))
  scope.addHook('onRequest', async (request, reply) => discardRest(request.raw, reply.raw))
}

/** A contract without a query takes none: a typing error must not look like success. */
const noParameters = StrictObject({})

/** Authenticates the caller before the body is read. */
function addRoute(
  app: FastifyInstance,
  { authentication, audited, countRequest, clock }: RouteAccess,
  { contract, act }: Route,
): void {
  const { permission, method, path } = contract
  const { params, query, headers, body, bodyBytesMax } = contract.details()
  const hasSchema = body !== undefined && !isStream(body)
  // Browsers and monitors follow the open links, with parameters of others.
  const parameters = query ?? (permission === 'none' ? undefined : noParameters)
  const audit: Audit = (request, run) => {
    const { principal: by } = request
    if (method === 'GET' || by === undefined) return run()
    return audited(
      {
        by,
        source: readSource(request.headers),
        action: contract.id,
        target: describeTarget(request),
      },
      run,
    )
  }
  app.route({
    method,
    url: toUrl(path),
    config: { contract, mediaType: body && isStream(body) ? body.stream[0] : undefined },
    schema: {
      ...(params && { params }),
      ...(parameters && { querystring: parameters }),
      ...(headers && { headers }),
      ...(hasSchema && { body }),
    },
    bodyLimit: bodyBytesMax ?? (permission === 'none' ? 1 : limits.managementBodyBytesMax),
    async onRequest(request) {
      nameOperation(request.raw, contract.id)
      if (permission === 'none') return
      const needsBusiness = permission !== 'operator'
      const caller = await authentication.authenticate(request, needsBusiness)
      request.principal = caller.principal
      const count = await countRequest(caller.principal)
      request.endCount = count && ((ms) => count.end(ms))
      try {
        requireAccess(caller, contract)
      } catch (refusal) {
        await audit(request, () => Promise.reject(refusal))
      }
    },
    async handler(request, reply) {
      const startMs = clock.elapsedMs()
      const run = async () => {
        const call = await makeCall(contract, request, reply)
        try {
          return await act(call)
        } catch (error) {
          throw namedOnWire(contract, error)
        }
      }
      const result = await audit(request, run).finally(() =>
        request.endCount?.(clock.elapsedMs() - startMs),
      )
      return sendResult(contract, reply, result)
    },
  })
}

/** Modules refuse fields by their own names. */
function namedOnWire(contract: Contract, error: unknown): unknown {
  if (!(error instanceof Fault) || error.code !== 'invalid_argument') return error
  const { query, body } = contract.details()
  const schemas = [body && isStream(body) ? body.schema : body, query]
  const sentences = schemas.map((schema) => schema && refusalOnWire(schema, error.detail))
  const other = sentences.find((sentence) => sentence !== undefined && sentence !== error.detail)
  if (other === undefined) return error
  const { code, reason, problems, conflict } = error
  return new Fault(code, other, omitUndefined({ cause: error, reason, problems, conflict }))
}

type Audit = <Result>(request: FastifyRequest, run: () => Promise<Result>) => Promise<Result>

/** The program by which the caller says that it calls. */
function readSource(headers: IncomingHttpHeaders): AuditSource {
  const program = headers[programHeader]
  return program === 'console' || program === 'cli' ? program : 'management'
}

const programHeader = 'millrace-program'

/** The thing that the path names; of something that is made, its name in the body. */
function describeTarget({ params, body }: FastifyRequest): string {
  const named = Object.values((params ?? {}) as Readonly<Record<string, string>>)
  if (named.length > 0 || !isJsonObject(body)) return named.join('/')
  const texts = [body.name, body.email].filter((value) => typeof value === 'string')
  return texts.find((text) => text !== '') ?? ''
}

/** The status is the only one of the contract, unless the operation chooses. */
function sendResult(contract: Contract, reply: FastifyReply, result: unknown): FastifyReply {
  if (result === sent) return reply
  if (result instanceof StreamedAnswer) {
    // From here on the answer is the stream's own.
    reply.hijack()
    result.write(reply.raw)
    return reply
  }
  reply.headers(apiHeaders)
  if (result instanceof OwnAnswer) {
    return reply
      .code(result.status)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(result.value))
  }
  const [answer] = Object.entries(contract.details().answers)
  reply.code(Number(answer?.[0]))
  const { json, only } = answer?.[1] ?? {}
  if (json === undefined) return reply.send()
  return reply.send(showOnWire(json, only === undefined ? result : { [only]: result }))
}

async function makeCall(
  contract: Contract,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Call> {
  const { principal, params, headers, raw } = request
  const { query: parameters, body: wanted } = contract.details()
  const bytes = readRequestBytes(raw)
  if (wanted !== undefined && isStream(wanted)) refuseLength(headers, wanted)
  const query = readFromWire(parameters, request.query)
  const body =
    wanted === undefined || !isStream(wanted)
      ? readFromWire(wanted, request.body)
      : wanted.isParsed && readFromWire(wanted.schema, await readJson({ bytes, headers }, wanted))
  const { ip } = readPeer(raw)
  requireNames((params ?? {}) as Readonly<Record<string, string>>)
  const { businessId, view, subject } = principal ?? {}
  const caller = { principal, businessId, view, subject, authorization: headers.authorization }
  const userAgent = headers['user-agent']
  const from = { address: ip, source: readSource(headers), ...(userAgent && { userAgent }) }
  // A caller without a credential has no principal, and its type states that.
  const given = { params, query, body, ip, from, headers, bytes, contract }
  return { ...given, raw: { request, reply }, ...caller } as unknown as Call
}
