import type { buildConnector } from 'undici'
import { Fault, limits } from '../kernel/index.ts'
import { outboundLimits } from './limits.ts'

type Connector = buildConnector.connector

/** Makes a connector count what it opens for a scope. */
export type SocketCounter = (scope: string, connect: Connector) => Connector

/**
 * Counts the sockets of each scope from their beginning to their end. A call that gives up early
 * leaves a socket that still connects, and one that is done an idle one: without a bound a guest
 * that goes on calling would take every socket that the process may have.
 */
export function createSockets(): SocketCounter {
  const open = new Map<string, number>()

  function ended(scope: string): void {
    const left = (open.get(scope) ?? 1) - 1
    if (left === 0) open.delete(scope)
    else open.set(scope, left)
  }

  return (scope, connect) => (options, callback) => {
    const before = open.get(scope) ?? 0
    if (before >= outboundLimits.outboundGuestSocketsMax) {
      const what = 'Too many connections are open or being opened. Try again.'
      const busy = new Fault('overloaded', what, { retryAfterS: limits.retryAfterS })
      return process.nextTick(callback, busy, null)
    }
    open.set(scope, before + 1)
    connect(options, (error, socket) => {
      if (error !== null || socket === null) {
        ended(scope)
        return callback(error ?? new Fault('internal'), null)
      }
      socket.once('close', () => ended(scope))
      callback(null, socket)
    })
  }
}
