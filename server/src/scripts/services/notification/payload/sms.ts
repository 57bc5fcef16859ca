import {
  Fault,
  type Json,
  type JsonObject,
  omitUndefined,
} from '../../../../foundation/kernel/index.ts'
import type { Message, Payload, Recipient } from '../sending/channel.ts'
import { type ChannelDefinition, shownText } from './definition.ts'
import { countSegments } from './segments.ts'

/** Media of one SMS. A standard or a provider sets it. */
const notificationMediaMax = 10
/** The text of an SMS, in all its segments. A standard or a provider sets it. */
const notificationSmsCharsMax = 1_600

/** A number of E.164. */
export const phone = /^\+[1-9]\d{1,14}$/

export const sms: ChannelDefinition<'Sms'> = {
  field: 'Sms',
  meaning: 'What differs for sms',
  targets: [],
  isPush: false,
  address: {
    shape: phone,
    rule: 'of sms must be an E.164 number: +15551234567',
    example: '+15550100',
  },
  map: mapSms,
  shown: ({ Body }) => shownText(Body),
  size({ Body }) {
    const text = typeof Body === 'string' ? Body : ''
    const { encoding, segments } = countSegments(text)
    const max = notificationSmsCharsMax
    return { unit: 'characters', size: text.length, max, encoding, segments }
  },
}

/** The keys of the Sms payload, and the form fields of the Messages API that they become. */
const fields = {
  from: 'From',
  body: 'Body',
  media_url: 'MediaUrl',
  status_callback: 'StatusCallback',
  max_price: 'MaxPrice',
} as const

function mapSms(message: Message, target: Recipient): Payload {
  const over = message.overrides.sms ?? {}
  const form: JsonObject = { ...omitUndefined({ Body: message.body }), ...makeForm(over) }
  if (form.Body === undefined && form.MediaUrl === undefined) {
    const what = 'Body, or body or media_url in Sms, is missing, and sms bindings need one'
    throw new Fault('invalid_argument', what)
  }
  const { messagingServiceSid } = target
  const sender = form.From === undefined ? { MessagingServiceSid: messagingServiceSid } : {}
  return { headers: {}, body: omitUndefined({ To: target.address, ...sender, ...form }) }
}

/** Twilio needs one; a webhook may have a sender of its own. @throws Fault invalid_argument */
export function requireSender(payload: Payload): Payload {
  const { From, MessagingServiceSid } = payload.body
  if (From !== undefined || MessagingServiceSid !== undefined) return payload
  const what = 'from is missing in Sms, and the service has no messaging service configured'
  throw new Fault('invalid_argument', what)
}

/** Null or empty values change nothing: a payload never deletes. */
function makeForm(payload: JsonObject): JsonObject {
  const pairs = Object.entries(payload).flatMap(([key, value]) => {
    if (!Object.hasOwn(fields, key)) throw refused(`there is no attribute ${key.slice(0, 40)}`)
    if (value === null || value === '') return []
    return [[fields[key as keyof typeof fields], checkText(key, value)] as const]
  })
  return Object.fromEntries(pairs)
}

function checkText(key: string, value: Json): Json {
  if (typeof value === 'string') return value
  if (key === 'max_price' && typeof value === 'number') return String(value)
  const urls = Array.isArray(value) && value.length > 0 && value.length <= notificationMediaMax
  if (key === 'media_url' && urls && value.every((one) => typeof one === 'string')) return value
  throw refused(`${key} must be a string`)
}

function refused(rule: string): Fault {
  return new Fault('invalid_argument', `Sms: ${rule}`)
}
