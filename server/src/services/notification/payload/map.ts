import { Fault } from '../../../kernel/index.ts'
import type { Channel, Message, Payload, Recipient } from '../sending/channel.ts'
import { mapApn } from './apn.ts'
import { mapFcm } from './fcm.ts'
import { mapSms } from './sms.ts'

/**
 * The spec's rules of `send` for one channel.
 * @throws Fault invalid_argument if the message is invalid for the channel
 */
export function mapPayload(channel: Channel, message: Message, target: Recipient): Payload {
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

/** The generic Body alone: the messenger's own payload is not available yet. */
function mapMessenger({ body }: Message, { address }: Recipient): Payload {
  if (body === undefined) {
    throw new Fault('invalid_argument', 'Body is missing, and vendor-messenger bindings need it')
  }
  const recipient = address.startsWith('+') ? { phone_number: address } : { id: address }
  return { headers: {}, body: { messaging_type: 'UPDATE', recipient, message: { text: body } } }
}
