import { Fault } from '../../../../foundation/kernel/index.ts'
import type { Message, Payload, Recipient } from '../sending/channel.ts'
import { type ChannelDefinition, objectOrEmpty, shownText } from './definition.ts'
import { phone } from './sms.ts'

/** A text for the messenger. A standard or a provider sets it. */
const notificationMessengerCharsMax = 2_000

export const messenger: ChannelDefinition<'VendorMessenger'> = {
  field: 'VendorMessenger',
  meaning: 'Not available yet',
  targets: [],
  isPush: false,
  address: {
    shape: new RegExp(`^\\d{1,32}$|${phone.source}`),
    rule: "of vendor-messenger must be a user's messenger id or an E.164 number",
    example: '1000000000',
  },
  map,
  shown: ({ message }) => shownText(objectOrEmpty(message).text),
  size({ message }) {
    const { text } = objectOrEmpty(message)
    const size = typeof text === 'string' ? text.length : 0
    return { unit: 'characters', size, max: notificationMessengerCharsMax }
  },
}

/** The generic Body alone: the messenger's own payload is not available yet. */
function map({ body }: Message, { address }: Recipient): Payload {
  if (body === undefined) {
    throw new Fault('invalid_argument', 'Body is missing, and vendor-messenger bindings need it')
  }
  const recipient = address.startsWith('+') ? { phone_number: address } : { id: address }
  return { headers: {}, body: { messaging_type: 'UPDATE', recipient, message: { text: body } } }
}
