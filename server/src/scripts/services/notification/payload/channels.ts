import { Fault } from '../../../../foundation/kernel/index.ts'
import { type Channel, channels, type Payload } from '../sending/channel.ts'
import { apn } from './apn.ts'
import type { ChannelDefinition } from './definition.ts'
import { fcm, gcm } from './fcm.ts'
import { messenger } from './messenger.ts'
import { sms } from './sms.ts'

export const definitions = {
  apn,
  fcm,
  gcm,
  sms,
  'vendor-messenger': messenger,
} satisfies Readonly<Record<Channel, ChannelDefinition>>

export const pushChannels = channels.filter((channel) => definitions[channel].isPush)

/** An argument of `send` with what differs for one channel. */
export type OverrideField = (typeof definitions)[Channel]['field']

/** A channel as it is named where a name has no hyphen. */
type WireName<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}_${Rest}`
  : Name

/** Returns an object with a field for each channel. */
export function byWireName<Value>(of: (channel: Channel) => Value) {
  const fields = channels.map((channel) => [channel.replace('-', '_'), of(channel)] as const)
  return Object.fromEntries(fields) as { [Name in Channel as WireName<Name>]: Value }
}

/** @throws Fault too_large */
export function checkSize(channel: Channel, { body }: Payload): void {
  const { unit, size, max } = definitions[channel].size(body)
  if (size <= max) return
  throw new Fault(
    'too_large',
    `The payload for ${channel} has ${size} ${unit}; ${max} are allowed.`,
  )
}
