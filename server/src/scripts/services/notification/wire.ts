import type { JsonObject } from '../../../foundation/kernel/index.ts'
import type { Binding } from './bindings/binding.ts'
import { byWireName } from './payload/channels.ts'
import type { Message } from './sending/channel.ts'

/** RFC 2822: `Sat, 21 Nov 2026 07:00:00 +0000`. */
export function formatDate(us: number): string {
  return new Date(us / 1_000).toUTCString().replace(/GMT$/, '+0000')
}

/** The texts of a field, as `Tag` and `Identity` take them. */
function joined(texts: readonly string[]): string {
  return texts.some((one) => one.includes(',')) ? JSON.stringify(texts) : texts.join(',')
}

/** A binding as scripts see it. A field without a value is an empty string: fields are strings. */
export function bindingObject(binding: Binding, accountSid: string, baseUrl: string) {
  const { sid, serviceSid, endpoint, identity, address, channel } = binding
  return {
    sid,
    url: `${bindingsUrl(baseUrl, serviceSid)}/${sid}`,
    tags: joined(binding.tags),
    address,
    endpoint,
    identity,
    account_sid: accountSid,
    service_sid: serviceSid,
    binding_type: channel,
    date_created: formatDate(binding.createdAt),
    date_updated: formatDate(binding.updatedAt),
    credential_sid: binding.credentialSid ?? '',
    notification_protocol_version: binding.protocolVersion ?? '',
  }
}

export function bindingsUrl(baseUrl: string, serviceSid: string): string {
  return `${baseUrl}/v1/Services/${serviceSid}/Bindings`
}

export type Sent = {
  readonly sid: string
  readonly serviceSid: string
  readonly identities: readonly string[]
  readonly tags: readonly string[]
  readonly message: Message
}

/** A notification as scripts see it: every field a string. */
export function notificationObject(sent: Sent, accountSid: string) {
  const { message } = sent
  const { overrides } = message
  return {
    sid: sent.sid,
    ...byWireName((channel) => toJson(overrides[channel])),
    ttl: String(message.ttlS),
    body: message.body ?? '',
    data: toJson(message.data),
    tags: joined(sent.tags),
    sound: message.sound ?? '',
    title: message.title ?? '',
    action: message.action ?? '',
    priority: message.priority,
    identities: joined(sent.identities),
    account_sid: accountSid,
    service_sid: sent.serviceSid,
    date_created: formatDate(message.acceptedAtMs * 1_000),
  }
}

function toJson(object: JsonObject | undefined): string {
  return object === undefined ? '' : JSON.stringify(object)
}
