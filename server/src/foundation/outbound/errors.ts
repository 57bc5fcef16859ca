import { Fault } from '../kernel/index.ts'

/**
 * `refused`: the address is not allowed. `unreachable`: no connection was made, so nothing was
 * sent. `timed_out`: the total time was up. `too_large`: the answer passed its cap. `broken`: the
 * connection was lost, or what came is no HTTP answer.
 */
export type OutboundKind = 'refused' | 'unreachable' | 'timed_out' | 'too_large' | 'broken'

/** A call without an answer. Callers translate it; no client receives it as it is. */
export class OutboundError extends Error {
  readonly kind: Exclude<OutboundKind, 'refused'>

  constructor(kind: OutboundError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OutboundError'
    this.kind = kind
  }
}

/** Which way a call failed, for one switch in the caller; undefined for what is not outbound's. */
export function outboundKind(thrown: unknown): OutboundKind | undefined {
  if (thrown instanceof OutboundError) return thrown.kind
  return thrown instanceof Fault && thrown.code === 'address_refused' ? 'refused' : undefined
}

const beforeConnected = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ENODATA',
  'ETIMEOUT',
  'ESERVFAIL',
  'EREFUSED',
  'EBADNAME',
  'EBADRESP',
])

/** Gives what the HTTP client threw its kind. */
export function toFailure(thrown: unknown, host: string): Error {
  if (thrown instanceof Fault || thrown instanceof OutboundError) return thrown
  const { code, cause } = thrown as { code?: unknown; cause?: unknown }
  if (cause instanceof Fault || cause instanceof OutboundError) return cause
  if (code === 'UND_ERR_INVALID_ARG') {
    return new Fault('invalid_argument', (thrown as Error).message, { cause: thrown })
  }
  if (typeof code === 'string' && (beforeConnected.has(code) || isCertificate(code))) {
    return new OutboundError('unreachable', `${host} is out of reach (${code})`, { cause: thrown })
  }
  const what = typeof code === 'string' ? code : 'no HTTP answer'
  return new OutboundError('broken', `${host} broke off (${what})`, { cause: thrown })
}

/** Codes of OpenSSL for a certificate that is not trusted, whose names do not show it. */
const untrusted = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'HOSTNAME_MISMATCH',
])

function isCertificate(code: string): boolean {
  const said = code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_') || code.includes('CERT')
  return said || untrusted.has(code)
}
