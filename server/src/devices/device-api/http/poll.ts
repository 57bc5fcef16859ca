import type { ServerResponse } from 'node:http'
import {
  type Clock,
  Fault,
  limits,
  onClientEnd,
  type SharedBound,
} from '../../../foundation/kernel/index.ts'
import type { EventLog } from '../../../log/eventlog/index.ts'
import type { Device, Provisioning } from '../../provisioning/index.ts'
import { isAhead, isNewer } from './freshness.ts'
import type { HttpConnection } from './http-connection.ts'
import type { StateReading } from './read.ts'

/**
 * The time between probes of TCP that find out if a device that has ended its side of the
 * connection still waits for the answer to its long poll.
 */
const halfOpenProbeMs = 15_000

/** A long poll. */
export type Poll = {
  readonly waitMs: number
  /**
   * Microseconds. A value of this time or later is newer: clients add a second themselves.
   * Undefined if the client names no time: then values from now on are newer.
   */
  readonly sinceUs: number | undefined
  readonly connection: HttpConnection
  readonly response: ServerResponse
  readonly readNow: () => Promise<StateReading>
  /** Called once the listener for revocations is there. */
  readonly authenticateAgain: () => Promise<unknown>
}

/**
 * `Request-Timeout` in milliseconds; more than the limit is clamped, because one client sends
 * 15000000. Undefined where the header is missing: then it is a plain read.
 * @throws Fault `malformed_request` where it is no number.
 */
export function parseWait(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  if (!/^ *\d+(?:\.\d{0,6})? *$/.test(header)) {
    throw new Fault('malformed_request', 'Request-Timeout is not a number of milliseconds.')
  }
  return Math.min(Math.floor(Number(header)), limits.longPollMsMax)
}

export type PollOptions = {
  readonly eventlog: EventLog
  /** Ends an open poll; one function for each. Closing the server calls them. */
  readonly openPolls: Set<() => void>
  readonly pollBound: SharedBound
  readonly provisioning: Pick<Provisioning, 'revocations' | 'checkConnectorRules' | 'mendStamps'>
  readonly clock: Clock
}

/**
 * Waits until `readNow` finds a value that is new, the time is up, the connection breaks or the
 * server closes. A revoked credential ends it at once, with the refusal.
 * @returns the reading, or undefined if nothing new came.
 * @throws Fault `overloaded` if too many polls are open, `locked`, `unknown_credential`.
 */
export async function waitForNewer(
  { eventlog, openPolls, pollBound, provisioning, clock }: PollOptions,
  device: Device,
  poll: Poll,
): Promise<StateReading | undefined> {
  pollBound.requireRoom(device.connector)
  const { connection, response, readNow } = poll
  const over = Promise.withResolvers<void>()
  let ended = false
  let refused: Fault | undefined
  let changed = Promise.withResolvers<void>()
  const end = () => {
    ended = true
    over.resolve()
  }
  const stopWatching = eventlog.watch(device.connector.id, device.identity, () => changed.resolve())
  const refuse = (fault: Fault) => {
    refused = fault
    end()
  }
  const recheck = () => provisioning.checkConnectorRules(device, connection)
  const stopListening = provisioning.revocations.onRevoked(device, refuse, recheck)
  connection.answersRevocation(response)
  const timer = setTimeout(end, poll.waitMs)
  response.once('close', end)
  // A client that only ended its side still waits; one that has gone answers no probe.
  onClientEnd(response, () => response.req.socket.setKeepAlive(true, halfOpenProbeMs))
  openPolls.add(end)
  const leave = pollBound.enter(device.connector)
  const readPresent = async () => {
    const reading = await readNow()
    if (!isAhead(reading, clock.nowUs())) return reading
    await provisioning.mendStamps(device)
    return readNow()
  }
  let first: StateReading | undefined
  const sinceUs = poll.sinceUs ?? clock.nowUs()
  try {
    await poll.authenticateAgain()
    for (;;) {
      changed = Promise.withResolvers<void>()
      const reading = await readPresent()
      if (refused !== undefined) throw refused
      first ??= reading
      if (isNewer(reading, first, sinceUs, clock.nowUs())) return reading
      if (ended) return undefined
      await Promise.race([changed.promise, over.promise])
    }
  } finally {
    openPolls.delete(end)
    leave()
    response.off('close', end)
    clearTimeout(timer)
    stopListening()
    stopWatching()
  }
}
