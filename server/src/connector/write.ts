import type { EventLog, WritePoint } from '../eventlog/index.ts'
import { type Clock, Fault, limits } from '../kernel/index.ts'
import { checkValue, type Device } from '../provisioning/index.ts'
import type { Pair } from './form.ts'
import type { Spoken } from './request.ts'

/** What a device's body came to: values of known aliases, and the names of the others. */
export type Writes = {
  readonly payload: readonly WritePoint[]
  readonly unknown: readonly string[]
}

/**
 * The values of one write. An alias that is given twice keeps its last value.
 * @throws Fault `value_refused` where a value breaks its resource's format or allowed values: then
 *   nothing of the body is written.
 */
export function parseWrites(device: Device, pairs: readonly Pair[], nowUs: number): Writes {
  if (pairs.length > limits.aliasesPerRequestMax) {
    throw new Fault('too_large', `More than ${limits.aliasesPerRequestMax} aliases.`)
  }
  const values: Record<string, string> = Object.create(null)
  const unknown: string[] = []
  for (const { key, value } of pairs) {
    if (admit(device, key, value)) values[key] = value
    else unknown.push(key)
  }
  const any = Object.keys(values).length > 0
  return { payload: any ? [{ timestamp: nowUs, values }] : [], unknown }
}

/** Whether the connector defines the alias; its value is then checked. */
export function admit(device: Device, alias: string, value: string): boolean {
  const resource = device.connector.resources.get(alias)
  if (resource === undefined) return false
  if (Buffer.byteLength(value) > limits.resourceValueBytesMax) {
    throw new Fault('too_large', `The value of ${alias} is larger than the limit.`)
  }
  const reason = checkValue(resource, value)
  if (reason !== undefined) throw new Fault('value_refused', `${alias}: ${reason}`)
  return true
}

/** How a device said something, and on which of its connections. */
export type Said = Spoken & { readonly connection: string }

/** Makes the writes durable. What names no known alias is kept in the log all the same. */
export async function append(
  { eventlog, clock }: { readonly eventlog: EventLog; readonly clock: Clock },
  device: Device,
  said: Said,
  writes: Writes,
): Promise<void> {
  const { payload, unknown } = writes
  if (payload.length === 0 && unknown.length === 0) return
  await eventlog.append({
    businessId: device.connector.businessId,
    connectorId: device.connector.id,
    identity: device.identity,
    kind: 'write',
    at: clock.nowUs(),
    body: JSON.stringify(unknown.length > 0 ? { ...said, payload, unknown } : { ...said, payload }),
  })
}
