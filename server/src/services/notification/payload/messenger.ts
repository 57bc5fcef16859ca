import { Fault } from '../../../kernel/index.ts'
import type { Message, Payload, Target } from '../sending/channel.ts'

/** The generic Body alone: the messenger's own payload is not available yet. */
export function mapMessenger({ body }: Message, { address }: Target): Payload {
  if (body === undefined) {
    throw new Fault('invalid_argument', 'Body is missing, and vendor-messenger bindings need it')
  }
  const recipient = address.startsWith('+') ? { phone_number: address } : { id: address }
  return { headers: {}, body: { messaging_type: 'UPDATE', recipient, message: { text: body } } }
}
