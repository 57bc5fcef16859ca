import { type Clock, Fault, limits } from '../../../foundation/kernel/index.ts'
import {
  type Guest,
  type Outbound,
  type OutboundAnswer,
  outboundKind,
} from '../../../foundation/outbound/index.ts'
import type { HttpRequest } from './compose.ts'
import { httpClientLimits } from './limits.ts'
import { nextRequest } from './redirect.ts'

export type RedirectOptions = {
  readonly outbound: Pick<Outbound, 'call'>
  readonly clock: Clock
  readonly guest: Guest
  /** For each connection attempt. */
  readonly connectMs: number
  /** For all answers together, redirects included. */
  readonly receiveMs: number
  /** The time left for the script. */
  readonly remainingMs: number
  readonly signal: AbortSignal
}

/**
 * Makes the request and follows its redirects. Each destination is checked again. A client
 * certificate is sent to the first origin only.
 * @throws Fault address_refused, http_failed, http_timed_out, overloaded, invalid_argument
 */
export async function follow(
  first: HttpRequest,
  options: RedirectOptions,
): Promise<OutboundAnswer> {
  const { clock, guest } = options
  const endsMs = clock.elapsedMs() + options.remainingMs
  let receiveMs = options.receiveMs
  let request = first
  for (let hops = 0; ; hops += 1) {
    let sentMs = clock.elapsedMs()
    const answer = await exchange(request, {
      ...options,
      receiveMs: Math.max(1, receiveMs),
      remainingMs: Math.max(1, endsMs - clock.elapsedMs()),
      guest: request.url.origin === first.url.origin ? guest : forOtherOrigin(guest),
      onSent: () => {
        sentMs = clock.elapsedMs()
      },
    })
    const next = nextRequest(answer, request)
    if (next === undefined) return answer
    if (hops === httpClientLimits.httpRedirectsMax) {
      throw new Fault(
        'http_failed',
        `There are more than ${httpClientLimits.httpRedirectsMax} redirects.`,
      )
    }
    receiveMs -= clock.elapsedMs() - sentMs
    request = next
  }
}

async function exchange(
  { method, url, headers, body }: HttpRequest,
  { outbound, guest, ...options }: RedirectOptions & { onSent: () => void },
): Promise<OutboundAnswer> {
  const call = {
    method,
    url,
    headers,
    signal: options.signal,
    onSent: options.onSent,
    ...(body === undefined ? {} : { body }),
    connectMsMax: options.connectMs,
    receiveMsMax: options.receiveMs,
    totalMsMax: options.remainingMs,
    answerBytesMax: limits.httpAnswerBytesMax,
  }
  try {
    return await outbound.call(call, guest)
  } catch (error) {
    throw toFailure(error)
  }
}

function toFailure(error: unknown): unknown {
  const kind = outboundKind(error)
  if (kind === undefined || kind === 'refused' || !(error instanceof Error)) return error
  const code = kind === 'timed_out' ? 'http_timed_out' : 'http_failed'
  return new Fault(code, `No answer: ${error.message}.`, { cause: error })
}

function forOtherOrigin({ tls, ...guest }: Guest): Guest {
  return tls?.ca === undefined ? guest : { ...guest, tls: { ca: tls.ca } }
}
