import type { IncomingMessage } from 'node:http'

/** The span in which a request was sent, by the header `traceparent` of W3C Trace Context. */
export type CallerSpan = {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** True if the caller sends its own spans to a collector. */
  readonly isSampled: boolean
  /** True if a trusted proxy sent the header, or let it through. */
  readonly isTrusted: boolean
}

/** A later version may say more behind the flags. */
const form = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/
const sampledFlag = 1

/** Returns undefined without the header, and if it is malformed. */
export function callerSpanIn(
  { headers }: Pick<IncomingMessage, 'headers'>,
  isTrusted: boolean,
): CallerSpan | undefined {
  const { traceparent } = headers
  if (typeof traceparent !== 'string') return undefined
  const [, version, traceId, spanId, flags, more] = form.exec(traceparent) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (version === '00' && more !== undefined) return undefined
  const isSampled = (Number.parseInt(flags, 16) & sampledFlag) !== 0
  return { traceId, spanId, isSampled, isTrusted }
}
