import { Fault, isJsonObject, type JsonObject, limits } from '../../../kernel/index.ts'
import type { Channel, Payload } from '../sending/channel.ts'
import { segmentsOf } from './segments.ts'

/** The size of a payload in the unit of its provider, and its limit. */
export type Size = {
  readonly unit: 'bytes' | 'characters'
  readonly size: number
  readonly max: number
  /** Of an SMS: the alphabet, and the number of messages. */
  readonly encoding?: string
  readonly segments?: number
}

export function sizeOf(channel: Channel, { body }: Payload): Size {
  switch (channel) {
    case 'apn':
      return { unit: 'bytes', size: bytesOf(body), max: limits.notificationPayloadBytesMax }
    case 'fcm':
    case 'gcm': {
      const { token: _token, ...message } = isJsonObject(body.message) ? body.message : {}
      return { unit: 'bytes', size: bytesOf(message), max: limits.notificationPayloadBytesMax }
    }
    case 'sms': {
      const text = typeof body.Body === 'string' ? body.Body : ''
      const { encoding, segments } = segmentsOf(text)
      const max = limits.notificationSmsCharsMax
      return { unit: 'characters', size: text.length, max, encoding, segments }
    }
    case 'vendor-messenger': {
      const { text } = isJsonObject(body.message) ? body.message : {}
      const size = typeof text === 'string' ? text.length : 0
      return { unit: 'characters', size, max: limits.notificationMessengerCharsMax }
    }
  }
}

/** @throws Fault too_large */
export function checkSize(channel: Channel, payload: Payload): void {
  const { unit, size, max } = sizeOf(channel, payload)
  if (size <= max) return
  throw new Fault(
    'too_large',
    `The payload for ${channel} has ${size} ${unit}; ${max} are allowed.`,
  )
}

function bytesOf(value: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(value))
}
