import { lookup as systemLookup } from 'node:dns'
import { Fault, isLocalName, type Logger, limits } from '../kernel/index.ts'
import { createAgents } from './agents.ts'
import { type AllowEntry, isAllowed, parseAllow } from './allow.ts'
import type { OutboundAnswer, OutboundCall } from './call.ts'
import { send } from './exchange.ts'
import { judge } from './guard.ts'
import type { Guest } from './guest.ts'
import { askDns, type Lookup, listLocal, refusal } from './lookup.ts'

export type Outbound = {
  /**
   * Sends a request and returns its whole answer; any status is an answer. Redirects are not
   * followed. With a guest it goes over connections of that guest alone, and may go where the
   * operator opened the way for that guest.
   * @throws Fault address_refused, invalid_argument (URL, header) or overloaded; OutboundError
   */
  call(call: OutboundCall, guest?: Guest): Promise<OutboundAnswer>
  /**
   * Returns the error of a call to a URL, as far as its text shows it: what a name resolves to is
   * judged at each call. Undefined if the call may be made.
   */
  refusal(url: URL, guest?: Guest): Fault | undefined
  /** Ends every connection; calls under way fail as `broken`. */
  close(): Promise<void>
}

export type OutboundOptions = {
  /** Private addresses that the operator allows: `host:port`, see `parseAllow`. */
  readonly allow: readonly string[]
  readonly logger: Pick<Logger, 'warn'>
  /** The resolver of all names; for tests. */
  readonly lookup?: Lookup
}

/** Opens the platform's only way out. @throws Fault invalid_argument for an unreadable entry. */
export function createOutbound({ allow, logger, lookup }: OutboundOptions): Outbound {
  const entries = parseAllow(allow)
  const onRefused = (reason: string) => logger.warn({ reason }, 'an outgoing call was refused')
  const agents = createAgents({
    allow: entries,
    onRefused,
    lookup: lookup ?? systemLookup,
    guestLookup: lookup ?? askDns,
  })
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
        const open = guest === undefined ? entries : [...entries, ...guest.allow]
        const agent =
          guest === undefined ? agents.ofPlatform(call.connectMsMax) : agents.ofGuest(guest)
        return await send(call, open, agent, onRefused)
      } finally {
        under -= 1
      }
    },
    refusal(url, guest) {
      const open = guest === undefined ? entries : [...entries, ...guest.allow]
      return mayBeCalled(url, open) ? undefined : refusal(url.hostname)
    },
    close: () => agents.destroy(),
  }
}

function mayBeCalled(url: URL, open: readonly AllowEntry[]): boolean {
  const target = judge(url, open)
  if (typeof target === 'string') return false
  const { host, port } = target
  // These names need no DNS.
  return !isLocalName(host) || isAllowed(open, host, port) || listLocal(open, port).length > 0
}
