import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { Fault } from '../kernel/index.ts'
import type { AllowEntry } from './allow.ts'
import { readBody } from './answer.ts'
import { failureOf } from './errors.ts'
import { judge } from './guard.ts'
import { refusal } from './lookup.ts'

export type OutboundCall = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
  readonly url: string | URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Milliseconds for name, connection and TLS; undici counts them to the half second. */
  readonly connectMsMax: number
  /** Milliseconds from the call to the answer's last byte; exact. */
  readonly totalMsMax: number
  /** Bytes of the answer's body, as sent and as decompressed. */
  readonly answerBytesMax: number
}

export type OutboundAnswer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The body, decompressed. */
  readonly body: Buffer
}

/** Judges the URL, sends, and reads the whole answer, all within the call's limits. */
export async function send(
  call: OutboundCall,
  allow: readonly AllowEntry[],
  dispatcher: Dispatcher,
  onRefused: (reason: string) => void,
): Promise<OutboundAnswer> {
  const url = parseUrl(call.url)
  const target = judge(url, allow)
  if (typeof target === 'string') {
    onRefused(`${url.hostname} is ${target}`)
    throw refusal(url.hostname === '' ? url.protocol : url.hostname)
  }
  const signal = AbortSignal.timeout(call.totalMsMax)
  const answer = exchange(call, url, dispatcher, signal)
  // undici heeds the signal only once it is connected; the race makes the time exact before, too.
  answer.catch(() => undefined)
  try {
    return await Promise.race([answer, aborted(signal)])
  } catch (error) {
    throw failureOf(error, target.host)
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
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const { statusCode, headers, body } = await dispatcher.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: call.method,
    headers: call.headers ?? null,
    body: call.body ?? null,
    signal,
  })
  return { status: statusCode, headers, body: await readBody(body, headers, call.answerBytesMax) }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
