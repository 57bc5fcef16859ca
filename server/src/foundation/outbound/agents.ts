import { Agent, buildConnector, type Client, type Dispatcher, Pool } from 'undici'
import { Fault, limits } from '../kernel/index.ts'
import { type AllowEntry, isAllowed } from './allow.ts'
import { PooledConnection } from './connection.ts'
import { type CallTarget, judge } from './guard.ts'
import { type Guest, guestKey } from './guest.ts'
import { IdleTimes } from './idle-times.ts'
import { withoutContinue } from './interim-answers.ts'
import { outboundLimits } from './limits.ts'
import { guardedLookup, type Lookup } from './lookup.ts'
import { createSockets } from './sockets.ts'

/** Connections to one origin. */
const outboundConnectionsMax = 64
/** The time for which an idle outgoing connection is kept. */
const outboundIdleMsMax = 10_000
/**
 * Guests, which are solutions with their certificates, whose connections are kept apart at once.
 * Past it the one that called least recently loses its idle connections.
 */
const outboundGuestsMax = 1_000

export type Agents = {
  /** For the platform's own calls: one agent for each limit of connecting. */
  ofPlatform(connectMsMax: number): Agent
  /** For the calls of a guest: connections that no other uses. */
  ofGuest(guest: Guest): Agent
  destroy(): Promise<void>
}

export type AgentsOptions = {
  readonly allow: readonly AllowEntry[]
  readonly lookup: Lookup
  /** For names that a guest gives, and the operator does not. */
  readonly guestLookup: Lookup
  readonly onRefused: (reason: string) => void
}

export function createAgents(options: AgentsOptions): Agents {
  const { allow, lookup, guestLookup, onRefused } = options
  const sockets = createSockets()
  const times = new IdleTimes()
  // The times that the platform itself gives to connecting are constants, so these are few.
  const platform = new Map<number, Agent>()
  // The one that was used last stands last.
  const guests = new Map<string, Agent>()
  const leaving = new Set<Agent>()

  function retire(agent: Agent): void {
    leaving.add(agent)
    const gone = () => leaving.delete(agent)
    agent.close().then(gone, gone)
  }

  return {
    ofPlatform(connectMsMax) {
      const known = platform.get(connectMsMax)
      if (known !== undefined) return known
      const connectorTo = (target: CallTarget) =>
        buildConnector({
          timeout: connectMsMax,
          allowH2: false,
          lookup: guardedLookup(target, allow, lookup, onRefused),
        })
      const agent = openAgent(allow, times, connectorTo)
      platform.set(connectMsMax, agent)
      return agent
    },
    ofGuest(guest) {
      const key = guestKey(guest)
      const agent = guests.get(key) ?? openGuest(guest)
      guests.delete(key)
      guests.set(key, agent)
      const [oldest] = guests
      if (guests.size > outboundGuestsMax && oldest !== undefined) {
        guests.delete(oldest[0])
        retire(oldest[1])
      }
      return agent
    },
    async destroy() {
      const all = [...platform.values(), ...guests.values(), ...leaving]
      platform.clear()
      guests.clear()
      await Promise.all(all.map((agent) => agent.destroy()))
    },
  }

  function openGuest({ scope, allow: own, tls }: Guest): Agent {
    const open = [...allow, ...own]
    const known = ({ host, port }: CallTarget) => isAllowed(open, host, port)
    return openAgent(open, times, (target) => {
      const by = known(target) ? lookup : guestLookup
      const connect = buildConnector({
        ...tls,
        timeout: outboundLimits.outboundGuestConnectMsMax,
        allowH2: false,
        lookup: guardedLookup(target, open, by, onRefused),
      })
      return sockets(scope, connect)
    })
  }
}

type ConnectorTo = (target: CallTarget) => buildConnector.connector

/** Lets an unasked `100 Continue` pass, and others with it as undici does. */
function pastContinue(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    connect(options, (error, socket) => {
      if (error !== null || socket === null) return callback(error ?? new Fault('internal'), null)
      callback(null, withoutContinue(socket, limits.headerBytesMax))
    })
  }
}

/** Keeps connections per origin; each origin's lookups use its port. */
function openAgent(
  allow: readonly AllowEntry[],
  times: IdleTimes,
  connectorTo: ConnectorTo,
): Agent {
  function factory(origin: string | URL, options: object): Dispatcher {
    const target = judge(new URL(origin), allow)
    if (typeof target === 'string') throw new Fault('address_refused')
    return new Pool(origin, {
      ...options,
      connect: pastContinue(connectorTo(target)),
      factory: (url, own) => new PooledConnection(url, own as Client.Options, times),
    })
  }
  return new Agent({
    factory,
    allowH2: false,
    connections: outboundConnectionsMax,
    maxOrigins: outboundLimits.outboundOriginsMax,
    keepAliveTimeout: outboundIdleMsMax,
    keepAliveMaxTimeout: outboundIdleMsMax,
    maxHeaderSize: limits.headerBytesMax,
    // The call's own signal is the only time that counts after the connecting.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}
