import { channel } from 'node:diagnostics_channel'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts, AuditSource, CountRequest, Principal } from '../accounts/index.ts'
import {
  answeredMethods,
  type Clock,
  Fault,
  isJsonObject,
  limits,
  nameOperation,
  peerOf,
  StrictObject,
} from '../kernel/index.ts'
import {
  type AnswerOf,
  type BodyOf,
  type Contract,
  isStream,
  methods,
  type ParamsOf,
  type QueryOf,
  type RouteDetails,
  type RouteHead,
  type StreamBody,
} from './contract/contract.ts'
import { compileValidation } from './contract/validation.ts'
import { bytesOf, discardRest } from './discard.ts'
import { apiHeaders } from './errors.ts'
import { type CallerAuthentication, requireAccess } from './operator.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    contract?: Contract
    /** Of a body that the handler reads as it comes: one that it takes. */
    mediaType?: string | undefined
  }
  interface FastifyRequest {
    principal: Principal | undefined
    /** To be called with the time that the request took. */
    endCount: ((ms: number) => void) | undefined
  }
}

/** A request as the handler of a contract has it. */
export type OpenCall<Details extends RouteDetails = RouteDetails> = {
  readonly params: ParamsOf<Details>
  readonly query: QueryOf<Details>
  /** The parsed JSON; undefined if there was no body. */
  readonly body: BodyOf<Details>
  readonly ip: string
  readonly authorization: string | undefined
  readonly headers: IncomingHttpHeaders
  /** The body as it comes, of a route that reads it itself. */
  readonly bytes: AsyncIterable<Buffer>
  /** For a route that parses a form, or sends its answer in pieces. */
  readonly raw: { readonly request: FastifyRequest; readonly reply: FastifyReply }
}

export type Call<Details extends RouteDetails = RouteDetails> = OpenCall<Details> & {
  readonly principal: Principal
}

/** A `stream` writes its answer itself, head and all. `sent`: the handler has sent it. */
export type StreamAnswer =
  | { readonly status: number; readonly json: string }
  | { readonly stream: (response: ServerResponse) => void }
  | 'sent'

type AnyAnswer = StreamAnswer | { readonly status: number; readonly body?: unknown }

export type Route = {
  readonly contract: Contract
  act(call: Call): Promise<AnyAnswer>
}

type CallOf<
  Head extends RouteHead,
  Details extends RouteDetails,
> = Head['permission'] extends 'none' ? OpenCall<Details> : Call<Details>

/** A contract with its handler, whose call and answers have the types of the contract. */
export function route<Head extends RouteHead, Details extends RouteDetails>(
  contract: Contract<Head, Details>,
  act: (call: CallOf<Head, Details>) => Promise<AnswerOf<Details> | StreamAnswer>,
): Route {
  // The types of a call are those that its contract's validation made.
  return { contract, act: act as unknown as Route['act'] }
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

export const ok = <const Body>(body: Body) => ({ status: 200 as const, body })
export const created = <const Body>(body: Body) => ({ status: 201 as const, body })
export const noContent = () => ({ status: 204 as const })

/** Who calls, and the log of what callers change. */
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
    url: urlOf(path),
    onRequest: async (_request, reply) => {
      reply.header('allow', allow)
      throw new Fault('method_not_allowed')
    },
    handler: async () => undefined,
  })
}

function urlOf(path: string): string {
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
      { by, source: sourceOf(request.headers), action: contract.id, target: targetOf(request) },
      run,
    )
  }
  app.route({
    method,
    url: urlOf(path),
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
      const answer = await audit(request, () => act(callOf(request, reply))).finally(() =>
        request.endCount?.(clock.elapsedMs() - startMs),
      )
      if (answer === 'sent') return reply
      if ('stream' in answer) {
        // From here on the answer is the stream's own.
        reply.hijack()
        answer.stream(reply.raw)
        return reply
      }
      reply.code(answer.status).headers(apiHeaders)
      if ('json' in answer) return reply.type('application/json; charset=utf-8').send(answer.json)
      return answer.status === 204 ? reply.send() : reply.send(answer.body)
    },
  })
}

type Audit = <Result>(request: FastifyRequest, run: () => Promise<Result>) => Promise<Result>

/** The program by which the caller says that it calls. */
export function sourceOf(headers: IncomingHttpHeaders): AuditSource {
  const program = headers[programHeader]
  return program === 'console' || program === 'cli' ? program : 'management'
}

const programHeader = 'millrace-program'

/** What the path names; of something that is made, its name in the body. */
function targetOf({ params, body }: FastifyRequest): string {
  const named = Object.values((params ?? {}) as Readonly<Record<string, string>>)
  if (named.length > 0 || !isJsonObject(body)) return named.join('/')
  const texts = [body.name, body.email].filter((value) => typeof value === 'string')
  return texts.find((text) => text !== '') ?? ''
}

function callOf(request: FastifyRequest, reply: FastifyReply): Call {
  const { principal, params, query, body, headers, raw } = request
  const { ip } = peerOf(raw)
  const call = { params, query, body, ip, headers, bytes: bytesOf(raw), raw: { request, reply } }
  // Who may call without a credential has no principal, and its type says so.
  return { ...call, authorization: headers.authorization, principal } as unknown as Call
}
