import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Accounts,
  type Permission,
  type Principal,
  requirePermission,
} from '../accounts/index.ts'
import { Fault, limits } from '../kernel/index.ts'
import { apiHeaders } from './errors.ts'

/** A request as a route sees it; nothing is known of what it holds. */
export type OpenCall = {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  /** The parsed JSON; undefined if there was no body. */
  readonly body: unknown
  readonly ip: string
  readonly authorization: string | undefined
  readonly headers: IncomingHttpHeaders
  /** The body as it comes, of a verb that takes bytes. */
  readonly bytes: AsyncIterable<Buffer>
}

export type Call = OpenCall & { readonly principal: Principal }

/**
 * Without a body it is a 204. `json` is the text of a body that may be no object. A `stream` writes
 * its answer itself, head and all.
 */
export type Answer =
  | { readonly status: number; readonly body?: unknown }
  | { readonly status: number; readonly json: string }
  | { readonly status: number; readonly stream: (response: ServerResponse) => void }

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
type Method = (typeof methods)[number]

/** A verb takes JSON, or `bytes` of any type and size, which it reads itself. */
type Verb =
  | {
      readonly permission: Permission
      readonly takes?: 'bytes'
      act(call: Call): Promise<Answer>
    }
  /** For anyone who has an account, or for anyone at all. */
  | { readonly permission: 'account'; act(call: Call): Promise<Answer> }
  | {
      readonly permission: 'nobody'
      /** The body parser that runs before authentication; none by default. */
      readonly bodyBytesMax?: number
      act(call: OpenCall): Promise<Answer>
    }

/** A path and all that it answers; every other method is a 405. */
export type Route = { readonly path: string } & { readonly [Name in Method]?: Verb }

export const ok = (body: unknown): Answer => ({ status: 200, body })
export const created = (body: unknown): Answer => ({ status: 201, body })
export const noContent = (): Answer => ({ status: 204 })

/** Authenticates the caller before the body is read. */
export function addRoute(app: FastifyInstance, accounts: Accounts, route: Route): void {
  const url = route.path.replaceAll(':1', '::1')
  const allow = methods.filter((method) => route[method] !== undefined).join(', ')
  for (const method of methods) {
    const verb = route[method]
    if (verb !== undefined && takesBytes(verb)) {
      app.register(async (scope) => {
        acceptBytes(scope)
        addVerb(scope, accounts, { method, url, verb })
      })
    } else if (verb !== undefined) addVerb(app, accounts, { method, url, verb })
    else app.route({ method, url, onRequest: refuseMethod(allow), handler: async () => undefined })
  }
}

function takesBytes(verb: Verb): boolean {
  return 'takes' in verb && verb.takes === 'bytes'
}

/** The body stays where it is: who reads it, if anybody, is the verb. */
function acceptBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))
  // Nobody waits for the rest of an upload that was refused.
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('connection', 'close')
  })
}

/** The answer to every other method of a path. */
export function refuseMethod(allow: string) {
  return async (
    _request: FastifyRequest,
    reply: { header(name: string, value: string): unknown },
  ) => {
    reply.header('allow', allow)
    throw new Fault('method_not_allowed')
  }
}

type Added = { readonly method: Method; readonly url: string; readonly verb: Verb }

function addVerb(app: FastifyInstance, accounts: Accounts, { method, url, verb }: Added): void {
  const principals = new WeakMap<FastifyRequest, Principal>()
  app.route({
    method,
    url,
    bodyLimit:
      verb.permission === 'nobody' ? (verb.bodyBytesMax ?? 1) : limits.managementBodyBytesMax,
    async onRequest(request) {
      if (verb.permission === 'nobody') return
      const principal = await accounts.authorize(request.headers.authorization, request.ip)
      if (verb.permission !== 'account') requirePermission(principal, verb.permission)
      principals.set(request, principal)
    },
    async handler(request, reply) {
      const answer = await act(verb, callOf(request), principals.get(request))
      if ('stream' in answer) return stream(reply, answer)
      reply.code(answer.status).headers(apiHeaders)
      if ('json' in answer) return reply.type('application/json; charset=utf-8').send(answer.json)
      return answer.status === 204 ? reply.send() : reply.send(answer.body)
    },
  })
}

/** From here on the answer is the stream's own. */
function stream(reply: FastifyReply, { stream }: Extract<Answer, { stream: unknown }>): void {
  reply.hijack()
  stream(reply.raw)
}

function act(verb: Verb, call: OpenCall, principal: Principal | undefined): Promise<Answer> {
  if (verb.permission === 'nobody') return verb.act(call)
  if (principal === undefined) throw new Fault('unknown_credential')
  return verb.act({ ...call, principal })
}

function callOf(request: FastifyRequest): OpenCall {
  return {
    params: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
    body: request.body,
    ip: request.ip,
    authorization: request.headers.authorization,
    headers: request.headers,
    bytes: request.raw,
  }
}
