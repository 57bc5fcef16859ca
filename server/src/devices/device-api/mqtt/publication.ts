import { decodeTextOrLatin1, Fault, limits } from '../../../foundation/kernel/index.ts'
import type { Device } from '../../provisioning/index.ts'
import { type DeviceWrites, parseWrites } from '../http/write.ts'
import { parseBatch } from './batch.ts'
import { parseTopic } from './topics.ts'

/** A PUBLISH of a device. */
export type Publication = {
  readonly topic: string
  readonly payload: Buffer
  readonly qos: number
  readonly packetId?: number | undefined
}

/**
 * The values of one PUBLISH of a device that proved who it is.
 * @throws Fault `malformed_request`, `too_large`, `value_refused`, `forbidden`.
 */
export function parsePublication(
  device: Device,
  { topic, payload, qos }: Publication,
  nowUs: number,
): DeviceWrites {
  if (qos > 1) throw new Fault('malformed_request', 'QoS 2 is not supported.')
  const target = parseTopic(topic, device.connector.resources)
  if (target.kind === 'provision') {
    throw new Fault('forbidden', 'Only an anonymous connection may activate.')
  }
  const batch = target.kind === 'batch'
  const most = batch ? limits.deviceBodyBytesMax : limits.resourceValueBytesMax
  if (payload.length > most) throw new Fault('too_large', `A payload has at most ${most} bytes.`)
  // As a body over HTTP.
  const text = decodeTextOrLatin1(payload)
  if (batch) return parseBatch(device, text, nowUs)
  return parseWrites(device, [{ key: target.alias, value: text }], target.stamp ?? nowUs)
}
