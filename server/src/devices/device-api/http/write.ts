import {
  type Clock,
  Fault,
  limits,
  measure,
  type RequestInfo,
} from '../../../foundation/kernel/index.ts'
import {
  type EventLog,
  entryTrackingId,
  type PresenceBody,
  type WritePoint,
} from '../../../log/eventlog/index.ts'
import { checkValue, type Device, storedValue } from '../../provisioning/index.ts'
import type { FormPair } from './form.ts'

/** The parsed body of a write: values of defined aliases, and the names of the others. */
export type DeviceWrites = {
  readonly payload: readonly WritePoint[]
  readonly unknown: readonly string[]
}

/**
 * The values of one write. An alias that is given twice keeps its last value.
 * @throws Fault `value_refused` if a value breaks its resource's format or allowed values: then
 *   nothing of the body is written.
 */
export function parseWrites(
  device: Device,
  pairs: readonly FormPair[],
  nowUs: number,
): DeviceWrites {
  const fields: [alias: string, value: string][] = []
  const unknown: string[] = []
  for (const { key, value } of pairs) {
    const stored = acceptValue(device, key, value)
    if (stored === undefined) unknown.push(key)
    else fields.push([key, stored])
  }
  if (fields.length === 0) return { payload: [], unknown }
  // It defines each field, also one that is named __proto__.
  return { payload: [{ timestamp: nowUs, values: Object.fromEntries(fields) }], unknown }
}

/**
 * The value of an alias as it is stored; undefined if the connector does not define the alias.
 * @throws Fault `too_large`, `value_refused`.
 */
export function acceptValue(device: Device, alias: string, value: string): string | undefined {
  const resource = device.connector.resources.get(alias)
  if (resource === undefined) return undefined
  if (Buffer.byteLength(value) > limits.resourceValueBytesMax) {
    throw new Fault('too_large', `The value of ${alias} is larger than the limit.`)
  }
  const reason = checkValue(resource, value)
  if (reason !== undefined) throw new Fault('value_refused', `${alias}: ${reason}`)
  return storedValue(resource, value)
}

/** Counts a message of a business. @throws Fault `business_rate_exceeded`, or rejects with it. */
export type TakeMessage = (businessId: string) => Promise<void> | undefined

/** To be called before the writes are appended: what is refused is not in the log. */
export function takeMessage(
  { takeMessage: take }: { readonly takeMessage?: TakeMessage | undefined },
  device: Device,
  { payload, unknown }: DeviceWrites,
): Promise<void> | undefined {
  if (payload.length === 0 && unknown.length === 0) return undefined
  return take?.(device.connector.businessId)
}

/**
 * Appends the writes to the log; they are durable when it resolves. Undefined aliases are logged by
 * name.
 * @param at the time of values without a stamp of the device.
 * @param info of the request, if it is one.
 */
export async function append(
  { eventlog, clock }: { readonly eventlog: EventLog; readonly clock: Clock },
  device: Device,
  connection: PresenceBody,
  writes: DeviceWrites,
  at = clock.nowUs(),
  info?: RequestInfo,
): Promise<void> {
  const { payload, unknown } = writes
  if (payload.length === 0 && unknown.length === 0) return
  const beganMs = clock.elapsedMs()
  const position = await eventlog.append({
    businessId: device.connector.businessId,
    connectorId: device.connector.id,
    identity: device.identity,
    kind: 'write',
    at,
    body: unknown.length > 0 ? { ...connection, payload, unknown } : { ...connection, payload },
  })
  measure('write', () => {
    const nowMs = clock.elapsedMs()
    const ms = nowMs - beganMs
    const request = info?.id
    const requestMs = info && nowMs - info.beganMs
    const { connector, identity } = device
    const { protocol } = connection
    const trackingId = entryTrackingId(position)
    const about = { trackingId, connectorId: connector.id, identity, protocol }
    return Object.assign(about, { request, requestMs, caller: info?.caller, ms })
  })
}
