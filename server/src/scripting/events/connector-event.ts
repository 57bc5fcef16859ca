import {
  entryKinds,
  type LoggedEntry,
  type PresenceBody,
  type ProvisionedBody,
  type WriteBody,
} from '../../eventlog/index.ts'
import type { ScriptValue } from '../runtime/value.ts'

/** A device's tags, as its event shows them. */
export type DeviceTag = { readonly name: string; readonly value: string }

/**
 * An entry of the log as programs in the field expect an event of a connector, or undefined where
 * it is none: the steps of a rotation are for operators. `connection_id` is empty where no
 * connection is the device's: what the cloud sets, what an operator does, a window that closed, and
 * its activation, which is before its first.
 */
export function connectorEvent(entry: LoggedEntry, tags: readonly DeviceTag[]): ScriptValue {
  // Of signals, not of a device.
  if (entry.kind === 'values') return undefined
  const body: Partial<WriteBody & ProvisionedBody & PresenceBody> = entry.body
  if (body.rotation !== undefined) return undefined
  const { ip = '', protocol = '', connection = '', payload = [] } = body
  return {
    type: entryKinds[entry.kind].event,
    identity: entry.identity,
    ip,
    timestamp: entry.at,
    connection_id: connection,
    protocol,
    tags: tags.map(({ name, value }) => ({ name, value })),
    payload: payload.map(({ timestamp, values }) => ({ timestamp, values })),
  }
}
