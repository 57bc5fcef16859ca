import { Fault, limits, parseJsonObject } from '../../../kernel/index.ts'
import {
  type Guest,
  type OutboundAnswer,
  type OutboundCall,
  outboundKind,
} from '../../../outbound/index.ts'
import type { Job, Outcome } from '../sending/channel.ts'

/**
 * `prune`: the address is gone. `doubt`: so it is said, but a wrong configuration would be told the
 * same of every address. `retry`: this one later. `busy`: the provider wants less, perhaps of this
 * address alone. `slow`: it wants less of everything.
 * `refuse`: it would be refused again. `setup`: so would all others with this configuration.
 */
export type Verdict = 'prune' | 'doubt' | 'retry' | 'busy' | 'slow' | 'refuse' | 'setup'
export type Verdicts = { readonly [code: string]: Verdict }

export type Said = {
  readonly verdict: Verdict
  readonly reason: string
  readonly afterMs?: number | undefined
  readonly sinceMs?: number | undefined
}

export function outcomeOf({ verdict, reason, afterMs, sinceMs }: Said): Outcome {
  switch (verdict) {
    case 'prune':
      return { kind: 'invalid_address', reason, ...(sinceMs === undefined ? {} : { sinceMs }) }
    case 'doubt':
      return { kind: 'invalid_address', reason, doubtful: true }
    case 'retry':
      return { kind: 'retry', reason, ...(afterMs === undefined ? {} : { afterMs }) }
    case 'busy':
      return { kind: 'retry', reason, busy: true, ...(afterMs === undefined ? {} : { afterMs }) }
    case 'slow':
      return { kind: 'retry', reason, slow: true, ...(afterMs === undefined ? {} : { afterMs }) }
    case 'refuse':
      return { kind: 'refused', reason }
    case 'setup':
      return { kind: 'refused', reason, setup: true }
  }
}

/** A code that a table does not know is judged by its status. An address is not pruned for it. */
export function verdictOf(table: Verdicts, code: string, status: number): Verdict {
  if (Object.hasOwn(table, code)) return table[code] ?? 'refuse'
  if (status === 429 || status === 503) return 'busy'
  return status >= 500 || status === 408 ? 'retry' : 'refuse'
}

/** The times and the cap of every call to a provider. */
export function callFor({ signal }: Pick<Job, 'signal'>) {
  return {
    connectMsMax: limits.pushConnectMsMax,
    totalMsMax: limits.pushCallMsMax,
    answerBytesMax: limits.pushAnswerBytesMax,
    signal,
  } satisfies Partial<OutboundCall>
}

/** A solution's own connections to its providers, apart from those of its scripts. */
export function guestOf({ solutionId }: Pick<Job, 'solutionId'>): Guest {
  return { scope: `push ${solutionId}`, allow: [] }
}

/**
 * What a call without an answer means. It may have been heard, where it broke off. Nothing of the
 * request is repeated: it holds secrets.
 */
export function outcomeOfFailure(provider: string, error: unknown, signal: AbortSignal): Outcome {
  const kind = outboundKind(error)
  if (signal.aborted) throw error
  if (kind === 'refused' && error instanceof Fault) {
    return { kind: 'refused', reason: error.detail }
  }
  if (kind !== undefined) return { kind: 'retry', reason: `${provider}: ${told[kind]}` }
  if (error instanceof Fault && error.code === 'overloaded') {
    return { kind: 'retry', reason: `${provider}: ${error.detail}` }
  }
  if (error instanceof Fault) return { kind: 'refused', reason: `${provider}: ${error.code}` }
  throw error
}

const told = {
  refused: 'its address is not allowed',
  unreachable: 'it cannot be reached',
  timed_out: 'it did not answer in time',
  too_large: 'its answer is too large',
  broken: 'it broke off',
} as const

/** What `Retry-After` asks for: seconds, or a date. */
export function retryAfterMs({ headers }: OutboundAnswer, nowMs: number): number | undefined {
  const said = headers['retry-after']?.trim() ?? ''
  const ms = /^\d{1,9}$/.test(said) ? Number(said) * 1_000 : Date.parse(said) - nowMs
  return ms >= 0 ? Math.min(ms, limits.pushRetryAfterMsMax) : undefined
}

export function jsonOf({ body }: OutboundAnswer) {
  return body.length === 0 ? {} : (parseJsonObject(body.toString()) ?? {})
}

/** A provider's own words: one line, and not many. */
export function wordsOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  return String(value)
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, limits.pushReasonCharsMax)
}
