import type { IncomingHttpHeaders } from 'node:http'
import { DecoratorHandler, type Dispatcher } from 'undici'
import { Fault } from '../kernel/index.ts'
import type { AllowEntry } from './allow.ts'
import { readBody } from './answer.ts'
import { failureOf } from './errors.ts'
import { type CallTarget, judge } from './guard.ts'
import { refusal } from './lookup.ts'
import { type CallTimes, startWatch, type Watch } from './watch.ts'

export type OutboundCall = CallTimes & {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
  readonly url: string | URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Bytes of the answer's body, as sent and as decompressed. */
  readonly answerBytesMax: number
}

export type OutboundAnswer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The body, decompressed. */
  readonly body: Buffer
}

/** Checks the URL, sends, and reads the whole answer, all within the call's limits. */
export function send(
  call: OutboundCall,
  allow: readonly AllowEntry[],
  dispatcher: Dispatcher,
  onRefused: (reason: string) => void,
): Promise<OutboundAnswer> {
  return guarded(call, allow, onRefused, ({ url, watch }) => exchange(call, url, dispatcher, watch))
}

/** A call to an address that is allowed. */
export type AllowedCall = { readonly url: URL; readonly target: CallTarget; readonly watch: Watch }

/** Checks the URL, and ends the exchange when a time of the call is up. */
export async function guarded(
  call: OutboundCall,
  allow: readonly AllowEntry[],
  onRefused: (reason: string) => void,
  exchange: (fit: AllowedCall) => Promise<OutboundAnswer>,
): Promise<OutboundAnswer> {
  const url = parseUrl(call.url)
  const target = judge(url, allow)
  if (typeof target === 'string') {
    onRefused(`${url.hostname} is ${target}`)
    throw refusal(url.hostname === '' ? url.protocol : url.hostname)
  }
  const watch = startWatch(call, target.host)
  const answer = exchange({ url, target, watch })
  // undici heeds the signal only once it is connected; the race makes the time exact before, too.
  answer.catch(() => undefined)
  try {
    return await Promise.race([answer, aborted(watch.signal)])
  } catch (error) {
    throw failureOf(error, target.host)
  } finally {
    watch.end()
  }
}

function parseUrl(url: string | URL): URL {
  const parsed = typeof url === 'string' ? URL.parse(url) : url
  if (parsed === null) throw new Fault('invalid_argument', 'The URL cannot be read.')
  return parsed
}

async function exchange(
  call: OutboundCall,
  url: URL,
  dispatcher: Dispatcher,
  watch: Watch,
): Promise<OutboundAnswer> {
  const { statusCode, headers, body } = await dispatcher.compose(callingWhenSent(watch)).request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: call.method,
    headers: call.headers ?? null,
    body: call.body ?? null,
    signal: watch.signal,
  })
  const bytesMax = call.answerBytesMax
  const whole = hasBody(call.method, statusCode)
    ? await readBody(body, headers, bytesMax)
    : await readBody(body, {}, bytesMax)
  return { status: statusCode, headers, body: whole }
}

/** Without a body by definition, the headers describe that of another answer. */
function hasBody(method: OutboundCall['method'], status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304
}

/** undici calls `onRequestStart` when it writes a request to a connection that stands. */
function callingWhenSent(watch: Watch): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    return dispatch(options, new SentHandler(handler, watch))
  }
}

class SentHandler extends DecoratorHandler {
  readonly #watch: Watch

  constructor(handler: Dispatcher.DispatchHandler, watch: Watch) {
    super(handler)
    this.#watch = watch
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#watch.sent()
    // The type of undici's class does not list what it implements.
    const parent: Dispatcher.DispatchHandler = DecoratorHandler.prototype
    parent.onRequestStart?.call(this, controller, context)
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
