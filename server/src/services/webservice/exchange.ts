import { Fault, newId, type Random } from '../../kernel/index.ts'
import type { EndpointCall, Endpoints, ScriptValue } from '../../scripting/index.ts'
import { type AdmitNeeds, authenticate, callerOf, hiddenOf, takeRate } from './admit.ts'
import { type Answer, composeAnswer, faultOfEnd } from './answer.ts'
import { type Asked, partsOfUri, requestFields, socketMethod } from './asked.ts'
import { isPreflight, preflightHeaders } from './cors.ts'
import { Refusal } from './refusal.ts'
import { headersFor, readContent } from './request.ts'
import type { Found, Route } from './routes.ts'

export type ExchangeNeeds = AdmitNeeds & {
  readonly endpoints: Pick<Endpoints, 'run' | 'reportError'>
  readonly random: Random
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

function findRoute({ message: { method = 'GET' }, routes, sockets, uri }: Asked): Found {
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

async function answerOf(needs: ExchangeNeeds, asked: Asked, route: Route): Promise<Answer> {
  const { message, served, shared } = asked
  const { endpoint } = route
  refuseParts(asked)
  takeRate(needs, asked, endpoint)
  const security = await authenticate(needs, callerOf(asked), endpoint, message.headers)
  const { body, json, parameters } = await readContent(message)
  const headers = headersFor(message.headers, hiddenOf(shared, endpoint))
  const request = { ...requestFields(asked, route, parameters), headers, body, security }
  const trackingId = newId(needs.random)
  const call = { solution: served, endpoint, request, trackingId, ...(json && { body: json }) }
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
    endpoints.reportError(call, `The answer was refused: ${error.detail}`)
    throw new Fault(error.code, 'The script gave an answer that cannot be sent.')
  }
}
