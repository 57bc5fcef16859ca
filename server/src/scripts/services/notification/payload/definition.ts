import { isJsonObject, type Json, type JsonObject } from '../../../../foundation/kernel/index.ts'
import type { Shown } from '../schema.ts'
import type { Message, Payload, Recipient } from '../sending/channel.ts'

/**
 * A payload for Apple or Firebase, in JSON; for Firebase without the token. A standard or a
 * provider sets it.
 */
const notificationPayloadBytesMax = 4_096

/** The size of a payload in the unit of its provider, and its limit. */
export type Size = {
  readonly unit: 'bytes' | 'characters'
  readonly size: number
  readonly max: number
  /** The alphabet of an SMS, and its number of messages. */
  readonly encoding?: string
  readonly segments?: number
}

/** All that makes a channel another one than the others, except for its providers. */
export type ChannelDefinition<Field extends string = string> = {
  /** The argument of `send` with what differs for this channel, and its description. */
  readonly field: Field
  readonly meaning: string
  /** Keys of that argument that would name a recipient. */
  readonly targets: readonly string[]
  /** Mobile push: it has a Ttl, a credential and a version of its protocol. */
  readonly isPush: boolean
  readonly address: {
    readonly shape: RegExp
    readonly rule: string
    /** An address that nobody has. */
    readonly example: string
  }
  /**
   * The spec's rules of `send`.
   * @throws Fault invalid_argument if the message is invalid for the channel
   */
  map(message: Message, target: Recipient): Payload
  shown(body: JsonObject): Shown
  size(body: JsonObject): Size
}

/** A text that a device shows as it is. */
export function shownText(body: Json | undefined): Shown {
  return { by: 'device', title: null, body: textOrNull(body), sound: null, data: {} }
}

export function sizeInBytes(value: JsonObject): Size {
  const size = Buffer.byteLength(JSON.stringify(value))
  return { unit: 'bytes', size, max: notificationPayloadBytesMax }
}

export function objectOrEmpty(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

export function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
