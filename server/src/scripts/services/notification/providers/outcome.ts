import { Fault, parseJsonObject } from '../../../../foundation/kernel/index.ts'
import {
  type Guest,
  type OutboundAnswer,
  type OutboundCall,
  outboundKind,
} from '../../../../foundation/outbound/index.ts'
import { notificationLimits } from '../limits.ts'
import type { DeliveryOutcome, NotificationJob } from '../sending/channel.ts'

/** Connecting to a provider of notifications. */
const pushConnectMsMax = 5_000
/** One call of a provider, to the answer's last byte. */
const pushCallMsMax = 15_000
/** A provider's answer. */
const pushAnswerBytesMax = 64 * 1024
/** Characters of a provider's own message that are repeated. */
const pushReasonCharsMax = 300

/**
 * `prune`: the address is gone. `suspect`: the same, but a wrong configuration has this answer for
 * every address. `retry`: later. `busy`: the provider limits the rate, perhaps of this address.
 * `slow`: it limits the rate of the account. `refuse`: it would be refused again.
 * `misconfigured`: so would all others with this configuration.
 */
export type AnswerVerdict =
  | 'prune'
  | 'suspect'
  | 'retry'
  | 'busy'
  | 'slow'
  | 'refuse'
  | 'misconfigured'
export type Verdicts = { readonly [code: string]: AnswerVerdict }

export type ProviderAnswer = {
  readonly verdict: AnswerVerdict
  readonly reason: string
  readonly afterMs?: number | undefined
  readonly sinceMs?: number | undefined
}

export function toOutcome({ verdict, reason, afterMs, sinceMs }: ProviderAnswer): DeliveryOutcome {
  switch (verdict) {
    case 'prune':
      return { kind: 'invalid_address', reason, ...(sinceMs === undefined ? {} : { sinceMs }) }
    case 'suspect':
      return { kind: 'invalid_address', reason, suspect: true }
    case 'retry':
      return { kind: 'retry', reason, ...(afterMs === undefined ? {} : { afterMs }) }
    case 'busy':
      return { kind: 'retry', reason, busy: true, ...(afterMs === undefined ? {} : { afterMs }) }
    case 'slow':
      return { kind: 'retry', reason, slow: true, ...(afterMs === undefined ? {} : { afterMs }) }
    case 'refuse':
      return { kind: 'refused', reason }
    case 'misconfigured':
      return { kind: 'refused', reason, misconfigured: true }
  }
}

/** The verdict of a code; one that is not in the table has the verdict of its status. */
export function verdictFor(table: Verdicts, code: string, status: number): AnswerVerdict {
  if (Object.hasOwn(table, code)) return table[code] ?? 'refuse'
  if (status === 429 || status === 503) return 'busy'
  return status >= 500 || status === 408 ? 'retry' : 'refuse'
}

/** The timeouts and the limits of every call to a provider. */
export function callFor({ signal }: Pick<NotificationJob, 'signal'>) {
  return {
    connectMsMax: pushConnectMsMax,
    totalMsMax: pushCallMsMax,
    answerBytesMax: pushAnswerBytesMax,
    signal,
  } satisfies Partial<OutboundCall>
}

/** A solution's own connections to its providers, apart from those of its scripts. */
export function guestFor({ solutionId }: Pick<NotificationJob, 'solutionId'>): Guest {
  return { scope: `push ${solutionId}`, allow: [] }
}

/**
 * The outcome of a call without an answer: the provider may have received it. The reason repeats
 * nothing of the request, which holds secrets.
 */
export function outcomeOfFailure(
  provider: string,
  error: unknown,
  signal: AbortSignal,
): DeliveryOutcome {
  const kind = outboundKind(error)
  if (signal.aborted) throw error
  if (kind === 'refused' && error instanceof Fault) {
    return { kind: 'refused', reason: error.detail }
  }
  if (kind !== undefined) return { kind: 'retry', reason: `${provider}: ${failureTexts[kind]}` }
  if (error instanceof Fault && error.code === 'overloaded') {
    return { kind: 'retry', reason: `${provider}: ${error.detail}` }
  }
  if (error instanceof Fault) return { kind: 'refused', reason: `${provider}: ${error.code}` }
  throw error
}

const failureTexts = {
  refused: 'its address is not allowed',
  unreachable: 'it cannot be reached',
  timed_out: 'it did not answer in time',
  too_large: 'its answer is too large',
  broken: 'it broke off',
} as const

/** The wait of `Retry-After`: seconds, or a date. */
export function retryAfterMs({ headers }: OutboundAnswer, nowMs: number): number | undefined {
  const said = headers['retry-after']?.trim() ?? ''
  const ms = /^\d{1,9}$/.test(said) ? Number(said) * 1_000 : Date.parse(said) - nowMs
  return ms >= 0 ? Math.min(ms, notificationLimits.pushRetryAfterMsMax) : undefined
}

export function parseBody({ body }: OutboundAnswer) {
  return body.length === 0 ? {} : (parseJsonObject(body) ?? {})
}

/** A provider's own text, as one short line. */
export function shortenWords(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  return String(value)
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, pushReasonCharsMax)
}
