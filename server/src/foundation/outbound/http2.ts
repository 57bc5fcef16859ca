import { Fault, limits } from '../kernel/index.ts'
import { type AllowEntry, parseAllow } from './allow.ts'
import { type AllowedCall, guarded, type OutboundAnswer, type OutboundCall } from './call.ts'
import type { CallTarget } from './guard.ts'
import { type Guest, guestKey } from './guest.ts'
import { Line, NotBegun } from './http2-line.ts'
import { askDns, guardedLookup } from './lookup.ts'
import type { Outbound, OutboundOptions } from './outbound.ts'

/**
 * HTTP/2 connections at once in a process; past it the one unused for longest takes no new request.
 */
const outboundHttp2ConnectionsMax = 1_000
/** Attempts of an HTTP/2 request that the server surely did not begin. */
const outboundHttp2TriesMax = 3

export type Http2 = {
  /**
   * Sends a request and returns its whole answer over HTTP/2, which `http:` speaks at once, too.
   * All calls of a guest to an origin share one connection. A request that the other end surely did
   * not begin (it went away, or refused the stream) is sent again on a new connection.
   * @throws Fault address_refused, invalid_argument (URL, header) or overloaded; OutboundError
   */
  call(call: OutboundCall, guest: Guest): Promise<OutboundAnswer>
  /** Ends every connection; calls under way fail as `broken`. */
  close(): Promise<void>
}

/** The way out for providers that speak HTTP/2 alone. @throws Fault for an unreadable entry. */
export function createHttp2({ allow, logger, lookup }: OutboundOptions): Http2 {
  const entries = parseAllow(allow)
  const onRefused = (reason: string) => logger.warn({ reason }, 'an outgoing call was refused')
  // The one that was used last stands last.
  const lines = new Map<string, Line>()
  let under = 0

  return {
    async call(call, guest) {
      if (under >= limits.outboundCallsMax) {
        throw new Fault('overloaded', 'Too many outgoing calls are under way.', {
          retryAfterS: limits.retryAfterS,
        })
      }
      under += 1
      try {
        const open = [...entries, ...guest.allow]
        const key = guestKey(guest)
        return await guarded(call, open, onRefused, (fit) => {
          const place = `${key} ${fit.url.origin}`
          return exchange(call, fit, () => lineFor(place, fit, guest, open))
        })
      } finally {
        under -= 1
      }
    },
    async close() {
      const all = [...lines.values()]
      lines.clear()
      await Promise.all(all.map((line) => line.destroy()))
    },
  }

  function lineFor(
    place: string,
    { url, target }: AllowedCall,
    guest: Guest,
    open: AllowEntry[],
  ): Line {
    const known = lines.get(place)
    lines.delete(place)
    const line = known?.open === true ? known : openLine(url, target, guest, open)
    lines.set(place, line)
    line.onClosed = () => {
      if (lines.get(place) === line) lines.delete(place)
    }
    const [oldest] = lines
    if (lines.size > outboundHttp2ConnectionsMax && oldest !== undefined) oldest[1].retire()
    return line
  }

  function openLine(url: URL, target: CallTarget, { tls }: Guest, open: AllowEntry[]): Line {
    const resolve = guardedLookup(target, open, lookup ?? askDns, onRefused)
    return new Line(url.origin, target, resolve, tls)
  }
}

async function exchange(
  call: OutboundCall,
  { url, watch }: AllowedCall,
  lineFor: () => Line,
): Promise<OutboundAnswer> {
  for (let tries = 1; ; tries += 1) {
    const line = lineFor()
    // A connection on which a call waits may be lost: no other call is to wait for it.
    const give = () => line.retire()
    watch.signal.addEventListener('abort', give, { once: true })
    try {
      return await line.exchange(call, url, watch)
    } catch (error) {
      const again = error instanceof NotBegun && tries < outboundHttp2TriesMax
      if (!again || watch.signal.aborted) throw error
    } finally {
      watch.signal.removeEventListener('abort', give)
    }
  }
}

/** Ways out that refuse every call with this sentence, as `address_refused`. */
export function createClosed(sentence: string): Outbound & Http2 {
  return {
    async call() {
      throw new Fault('address_refused', sentence)
    },
    refusal: () => new Fault('address_refused', sentence),
    async close() {},
  }
}
