import type { IncomingHttpHeaders } from 'node:http'
import { DecoratorHandler, type Dispatcher } from 'undici'
import { Fault } from '../kernel/index.ts'
import type { AllowEntry } from './allow.ts'
import { readBody } from './answer.ts'
import { failureOf } from './errors.ts'
import { judge, type Target } from './guard.ts'
import { refusal } from './lookup.ts'
import { startWatch, type Watch } from './watch.ts'

export type OutboundCall = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
  readonly url: string | URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Milliseconds for name, connection and TLS; exact only where `receiveMsMax` is given. */
  readonly connectMsMax: number
  /** Milliseconds from the moment the request goes out to the answer's last byte; exact. */
  readonly receiveMsMax?: number
  /** Milliseconds from the call to the answer's last byte; exact. */
  readonly totalMsMax: number
  /** Bytes of the answer's body, as sent and as decompressed. */
  readonly answerBytesMax: number
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal
  /** Called when the connection stands and the request goes out. */
  readonly onSent?: () => void
}

export type OutboundAnswer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The body, decompressed. */
  readonly body: Buffer
}

/** Judges the URL, sends, and reads the whole answer, all within the call's limits. */
export function send(
  call: OutboundCall,
  allow: readonly AllowEntry[],
  dispatcher: Dispatcher,
  onRefused: (reason: string) => void,
): Promise<OutboundAnswer> {
  return guarded(call, allow, onRefused, ({ url, watch }) => exchange(call, url, dispatcher, watch))
}

/** A call that was found fit. */
export type FitCall = { readonly url: URL; readonly target: Target; readonly watch: Watch }

/** Judges the URL, and holds what is said there to the times of the call. */
export async function guarded(
  call: OutboundCall,
  allow: readonly AllowEntry[],
  onRefused: (reason: string) => void,
  exchange: (fit: FitCall) => Promise<OutboundAnswer>,
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
  const { statusCode, headers, body } = await dispatcher.compose(tellsWhenSent(watch)).request({
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

/** Where there is none by definition, the headers speak of another answer's body. */
function hasBody(method: OutboundCall['method'], status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304
}

/** undici calls `onRequestStart` when it writes a request to a connection that stands. */
function tellsWhenSent(watch: Watch): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    return dispatch(options, new SentTeller(handler, watch))
  }
}

class SentTeller extends DecoratorHandler {
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
