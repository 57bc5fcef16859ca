import type { Queryable } from '../../../foundation/database/index.ts'
import { type Clock, Fault, newId, type Random } from '../../../foundation/kernel/index.ts'
import type { EndpointCall, Endpoints, ScriptValue } from '../../scripting/index.ts'
import { composeAnswer, type EndpointAnswer, faultOfEnd, Refusal } from './answer.ts'
import {
  type AuthenticationOptions,
  authenticate,
  hiddenHeaders,
  takeRate,
  toCaller,
} from './authenticate.ts'
import { isPreflight, preflightHeaders } from './cors.ts'
import {
  type EndpointRequest,
  partsOfUri,
  requestFields,
  socketMethod,
} from './endpoint-request.ts'
import { ownDocument } from './openapi.ts'
import { headersFor, readContent } from './request.ts'
import type { EndpointMatch, EndpointRoute } from './routes.ts'
import { serveStatic } from './static/serve.ts'

export type ExchangeOptions = AuthenticationOptions & {
  readonly endpoints: Pick<Endpoints, 'run' | 'reportError'>
  readonly database: Queryable
  readonly random: Random
  readonly clock: Pick<Clock, 'nowUs'>
}

/** Answers a request: route, security, script, response. @throws Fault, Refusal */
export async function exchange(
  options: ExchangeOptions,
  request: EndpointRequest,
): Promise<EndpointAnswer> {
  const { message, settings } = request
  const found = findRoute(request)
  const own = found.kind === 'nothing' ? ownDocument(request) : undefined
  if (own !== undefined) return own
  const file = found.kind === 'nothing' ? await serveStatic(options.database, request) : undefined
  if (file !== undefined) return withHeaders(file, settings, request.shared)
  if (found.kind === 'nothing') throw new Fault('not_found', 'The solution has no such endpoint.')
  const allow = ['Allow', found.allow.join(', ')] as const
  const { method = 'GET' } = message
  if (isPreflight(method, message.headers) && settings.cors !== undefined) {
    return noContent([allow, ...preflightHeaders(settings.cors, found.allow)])
  }
  if (found.kind === 'route') return answerRoute(options, request, found.route)
  if (method === 'OPTIONS') return noContent([allow])
  throw new Refusal(new Fault('method_not_allowed'), allow)
}

function noContent(headers: EndpointAnswer['headers']): EndpointAnswer {
  return { status: 204, headers, body: undefined }
}

function findRoute({
  message: { method = 'GET' },
  routes,
  sockets,
  uri,
}: EndpointRequest): EndpointMatch {
  const parts = partsOfUri(uri)
  const found = routes.find(method, parts)
  const isRead = method === 'GET' || method === 'HEAD'
  if (found.kind === 'route' || (found.kind === 'other_method' && !isRead)) return found
  if (sockets.find(socketMethod, parts).kind !== 'route') return found
  const upgrade = [
    ['Upgrade', 'websocket'],
    ['Connection', 'Upgrade, close'],
  ] as const
  throw new Refusal(new Fault('upgrade_required'), ...upgrade)
}

async function answerRoute(
  options: ExchangeOptions,
  request: EndpointRequest,
  route: EndpointRoute,
): Promise<EndpointAnswer> {
  const { message, served } = request
  const { endpoint } = route
  refuseCode(request)
  const security = await authenticate(options, toCaller(request), endpoint, message.headers)
  takeRate(options, request, endpoint, message.headers)
  const { body, json, parameters } = await readContent(message)
  const headers = headersFor(message.headers, hiddenHeaders(request, endpoint))
  const trackingId = newId(options.random)
  const received = { timestamp: options.clock.nowUs(), request_id: trackingId }
  const asked = { ...requestFields(request, route, parameters), ...received }
  const fields = { ...asked, headers, body, security }
  const call = {
    solution: served,
    endpoint,
    request: fields,
    trackingId,
    ...(json && { body: json }),
  }
  const end = await options.endpoints.run(call)
  if (end.kind !== 'returned') throw faultOfEnd(end)
  return compose(options, request, call, end.value)
}

/**
 * A page on the console's origin must not load a solution's code, whatever made it request that.
 */
function refuseCode({ message, shared }: EndpointRequest): void {
  const { 'sec-fetch-dest': purpose, 'service-worker': worker } = message.headers
  const isCode = worker !== undefined || codePurposes.has(String(purpose))
  if (!shared || !isCode) return
  throw new Fault('forbidden', "Code of a solution is served on the solution's own host only.")
}

const codePurposes = new Set([
  'audioworklet',
  'embed',
  'object',
  'paintworklet',
  'script',
  'serviceworker',
  'sharedworker',
  'style',
  'worker',
  'xslt',
  'manifest',
])

/** The headers of the configuration, if the script does not set them. */
function withHeaders(
  answer: EndpointAnswer,
  { headers }: EndpointRequest['settings'],
  shared: boolean,
): EndpointAnswer {
  if (headers.length === 0 || shared) return answer
  const set = new Set(answer.headers.map(([name]) => name.toLowerCase()))
  const more = headers.filter(([name]) => !set.has(name.toLowerCase()))
  return { ...answer, headers: [...answer.headers, ...more] }
}

/** Logs for the author why an answer cannot be sent; the caller gets a general refusal. */
function compose(
  { endpoints }: ExchangeOptions,
  { settings, shared }: EndpointRequest,
  call: EndpointCall,
  returned: ScriptValue,
): EndpointAnswer {
  try {
    const answer = withHeaders(composeAnswer(returned, call.endpoint, shared), settings, shared)
    if (settings.cors === undefined) return answer
    // If CORS is configured, only that setting names the origins that may read the answer.
    const headers = answer.headers.filter(([name]) => !/^access-control-/i.test(name))
    return { ...answer, headers }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    endpoints.reportError(call, `The answer was refused: ${error.detail}`)
    throw new Fault(error.code, 'The script returned an answer that cannot be sent.')
  }
}
