import { lookup as systemLookup } from 'node:dns'
import { Agent, type Dispatcher, Pool } from 'undici'
import { Fault, type Logger, limits } from '../kernel/index.ts'
import { type AllowEntry, parseAllow } from './allow.ts'
import { type OutboundAnswer, type OutboundCall, send } from './call.ts'
import { judge } from './guard.ts'
import { guardedLookup, type Lookup } from './lookup.ts'

export type Outbound = {
  /**
   * One request and its whole answer; any status is an answer. Redirects are not followed.
   * @throws Fault address_refused, invalid_argument (URL, header) or overloaded; OutboundError
   */
  call(call: OutboundCall): Promise<OutboundAnswer>
  /** Ends every connection; calls under way fail as `broken`. */
  close(): Promise<void>
}

export type OutboundOptions = {
  /** What the operator opens although it is private: `host:port`, see `parseAllow`. */
  readonly allow: readonly string[]
  readonly logger: Pick<Logger, 'warn'>
  /** How names become addresses; the machine's way unless a test says otherwise. */
  readonly lookup?: Lookup
}

/** Opens the platform's only way out. @throws Fault invalid_argument for an unreadable entry. */
export function createOutbound({
  allow,
  logger,
  lookup = systemLookup,
}: OutboundOptions): Outbound {
  const entries = parseAllow(allow)
  const onRefused = (reason: string) => logger.warn({ reason }, 'an outgoing call was refused')
  // One agent for each time that callers give to connecting: they are constants, so these are few.
  const agents = new Map<number, Agent>()
  let under = 0

  function agentFor(connectMsMax: number): Agent {
    const known = agents.get(connectMsMax)
    if (known !== undefined) return known
    const agent = openAgent(connectMsMax, entries, lookup, onRefused)
    agents.set(connectMsMax, agent)
    return agent
  }

  return {
    async call(call) {
      if (under >= limits.outboundCallsMax) {
        throw new Fault('overloaded', 'Too many outgoing calls are under way.', {
          retryAfterS: limits.retryAfterS,
        })
      }
      under += 1
      try {
        return await send(call, entries, agentFor(call.connectMsMax), onRefused)
      } finally {
        under -= 1
      }
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
      agents.clear()
    },
  }
}

/** Keeps connections per origin; each origin's lookups know the port that they are for. */
function openAgent(
  connectMsMax: number,
  allow: readonly AllowEntry[],
  lookup: Lookup,
  onRefused: (reason: string) => void,
): Agent {
  function factory(origin: string | URL, options: object): Dispatcher {
    const target = judge(new URL(origin), allow)
    if (typeof target === 'string') throw new Fault('address_refused')
    return new Pool(origin, {
      ...options,
      connect: {
        timeout: connectMsMax,
        lookup: guardedLookup(target, allow, lookup, onRefused),
      },
    })
  }
  return new Agent({
    factory,
    allowH2: false,
    connections: limits.outboundConnectionsMax,
    maxOrigins: limits.outboundOriginsMax,
    keepAliveTimeout: limits.outboundIdleMsMax,
    keepAliveMaxTimeout: limits.outboundIdleMsMax,
    maxHeaderSize: limits.headerBytesMax,
    // The call's own signal is the only time that counts after the connecting.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}
