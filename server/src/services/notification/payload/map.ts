import type { Channel, Message, Payload, Target } from '../sending/channel.ts'
import { mapApn } from './apn.ts'
import { mapFcm } from './fcm.ts'
import { mapMessenger } from './messenger.ts'
import { mapSms } from './sms.ts'

/**
 * The spec's rules of `send` for one channel.
 * @throws Fault invalid_argument if the message is invalid for the channel
 */
export function mapPayload(channel: Channel, message: Message, target: Target): Payload {
  switch (channel) {
    case 'apn':
      return mapApn(message)
    case 'fcm':
    case 'gcm':
      return mapFcm(channel, message, target)
    case 'sms':
      return mapSms(message, target)
    case 'vendor-messenger':
      return mapMessenger(message, target)
  }
}
