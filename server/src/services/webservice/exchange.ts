import type { IncomingMessage } from 'node:http'
import { Fault, newId, type Random } from '../../kernel/index.ts'
import type { EndpointCall, Endpoints, ScriptValue, Served } from '../../scripting/index.ts'
import { type Answer, composeAnswer, faultOfEnd } from './answer.ts'
import type { Settings } from './configuration.ts'
import { isPreflight, preflightHeaders } from './cors.ts'
import type { TakeRequest } from './rates.ts'
import { addressOf, type Content, headersFor, parseFields, readContent } from './request.ts'
import { type Found, partsOf, type Route, type Routes } from './routes.ts'
import { challengeOf, type Holders, holderOf } from './security.ts'

/** One request to a solution. */
export type Asked = {
  readonly message: IncomingMessage
  readonly served: Served
  readonly settings: Settings
  readonly routes: Routes
  /** As the script sees it, from its first `/` on. */
  readonly uri: string
  /** On the console's origin, where a page could be mistaken for the console's. */
  readonly shared: boolean
}

export type ExchangeNeeds = {
  readonly endpoints: Pick<Endpoints, 'run' | 'complain'>
  readonly holders: Holders
  readonly takeRequest: TakeRequest
  readonly random: Random
}

/** A refusal, and what its answer says beside it. */
export class Refusal extends Error {
  readonly fault: Fault
  readonly header: readonly [string, string] | undefined

  constructor(fault: Fault, header?: readonly [string, string]) {
    super(fault.message, { cause: fault })
    this.fault = fault
    this.header = header
  }
}

/** A request, from its route to its answer. @throws Fault, Refusal */
export async function exchange(needs: ExchangeNeeds, asked: Asked): Promise<Answer> {
  const { message, settings } = asked
  const found = findRoute(asked)
  if (found.kind === 'nothing') throw new Fault('not_found', 'The solution has no such endpoint.')
  const allow = ['Allow', found.allow.join(', ')] as const
  const { method = 'GET' } = message
  if (isPreflight(method, message.headers) && settings.cors !== undefined) {
    return noContent([allow, ...preflightHeaders(settings.cors, found.allow)])
  }
  if (found.kind === 'route') return answerOf(needs, asked, found.route)
  if (method === 'OPTIONS') return noContent([allow])
  throw new Refusal(new Fault('method_not_allowed'), allow)
}

function noContent(headers: Answer['headers']): Answer {
  return { status: 204, headers, body: undefined }
}

function findRoute({ message, routes, uri }: Asked): Found {
  const parts = uri.startsWith('/') ? partsOf(pathOf(uri)) : undefined
  if (parts === undefined) throw new Fault('malformed_request', 'The path cannot be decoded.')
  return routes.find(message.method ?? 'GET', parts)
}

async function answerOf(needs: ExchangeNeeds, asked: Asked, route: Route): Promise<Answer> {
  const { message, served } = asked
  const { endpoint } = route
  refuseParts(asked)
  takeRate(needs, asked, route)
  const holder = await authenticate(needs, asked, route)
  const content = await readContent(message)
  const request = requestOf(asked, route, content, holder)
  const call = { served, endpoint, request, trackingId: newId(needs.random) }
  const end = await needs.endpoints.run(call)
  if (end.kind !== 'returned') throw faultOfEnd(end)
  return compose(needs, asked, call, end.value)
}

/** The console's pages take no code from a solution, even where somebody made them ask for it. */
function refuseParts({ message, shared }: Asked): void {
  const { 'sec-fetch-dest': purpose, 'service-worker': worker } = message.headers
  const isCode = worker !== undefined || codePurposes.has(String(purpose))
  if (!shared || !isCode) return
  throw new Fault('forbidden', "Code of a solution is served on the solution's own host only.")
}

const codePurposes = new Set([
  ...['audioworklet', 'embed', 'object', 'paintworklet', 'script', 'serviceworker'],
  ...['sharedworker', 'style', 'worker', 'xslt', 'manifest'],
])

function takeRate({ takeRequest }: ExchangeNeeds, { message, served }: Asked, route: Route): void {
  const { rate, name } = route.endpoint
  if (rate === undefined) return
  takeRequest(`${served.solutionId} ${name} ${addressOf(message.socket)}`, rate)
}

async function authenticate(
  { holders }: ExchangeNeeds,
  { message, served, settings, shared }: Asked,
  { endpoint: { security } }: Route,
): Promise<ScriptValue> {
  const { businessId, solutionId } = served
  try {
    return await holderOf({ security, businessId, settings, headers: message.headers }, holders)
  } catch (error) {
    const challenge = challengeOf(security, solutionId, shared)
    const isMissing = error instanceof Fault && error.code === 'unknown_credential'
    if (!isMissing || challenge === undefined) throw error
    throw new Refusal(error, ['WWW-Authenticate', challenge])
  }
}

const credentials = ['authorization', 'x-api-key', 'proxy-authorization']
const hiddenAlways = new Set(['proxy-authorization'])
const hiddenWhereSecured = new Set(credentials)
/** There they are the console's: of its origin a script learns nothing. */
const hiddenWhereShared = new Set([...credentials, 'cookie'])

function hiddenOf(shared: boolean, { endpoint: { security } }: Route): ReadonlySet<string> {
  if (shared) return hiddenWhereShared
  return security === 'none' ? hiddenAlways : hiddenWhereSecured
}

function requestOf(
  { message, uri, shared }: Asked,
  route: Route,
  content: Content,
  holder: ScriptValue,
): ScriptValue {
  const query = uri.slice(pathOf(uri).length + 1)
  return {
    uri,
    method: message.method ?? 'GET',
    route: route.endpoint.path,
    headers: headersFor(message.headers, hiddenOf(shared, route)),
    body: content.body,
    // Who wrote the path decides what a name in it means.
    parameters: { ...parseFields(query), ...content.parameters, ...route.parameters },
    ip: addressOf(message.socket),
    security: holder,
  }
}

function pathOf(uri: string): string {
  const mark = uri.indexOf('?')
  return mark < 0 ? uri : uri.slice(0, mark)
}

/** What cannot be sent is told to its author; the caller learns that it was refused. */
function compose(
  { endpoints }: ExchangeNeeds,
  { settings, shared }: Asked,
  call: EndpointCall,
  said: ScriptValue,
): Answer {
  try {
    const answer = composeAnswer(said, call.endpoint, shared)
    if (settings.cors === undefined) return answer
    // Where it is configured, that alone says which other origins may ask.
    const headers = answer.headers.filter(([name]) => !/^access-control-/i.test(name))
    return { ...answer, headers }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    endpoints.complain(call, `The answer was refused: ${error.detail}`)
    throw new Fault(error.code, 'The script gave an answer that cannot be sent.')
  }
}
