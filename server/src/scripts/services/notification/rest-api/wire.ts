import type { Binding } from '../bindings/binding.ts'
import { bindingsUrl, type Sent } from '../wire.ts'

/** The messenger's name in the legacy API, and in the spec. */
const theirs = 'facebook-messenger'
const ours = 'vendor-messenger'

/** A channel, or the implicit tag of one, as the spec names it. */
export function channelNamed(name: string): string {
  return name === theirs ? ours : name
}

/** A channel as the legacy API names it. */
export function nameOfChannel(channel: string): string {
  return channel === ours ? theirs : channel
}

/** As the ending service's JSON has it: `2026-11-21T07:00:00Z`. */
function formatDate(us: number): string {
  return `${new Date(us / 1_000).toISOString().slice(0, 19)}Z`
}

/** The legacy API's link to users, without a resource here. */
function userUrl(baseUrl: string, { serviceSid, identity }: Binding): string {
  return [baseUrl, 'v1', 'Services', serviceSid, 'Users', encodeURIComponent(identity)].join('/')
}

export function bindingBody(binding: Binding, accountSid: string, baseUrl: string) {
  const { sid, serviceSid, endpoint, identity, address, tags } = binding
  return {
    sid,
    account_sid: accountSid,
    service_sid: serviceSid,
    credential_sid: binding.credentialSid ?? null,
    date_created: formatDate(binding.createdAt),
    date_updated: formatDate(binding.updatedAt),
    notification_protocol_version: binding.protocolVersion ?? null,
    endpoint,
    identity,
    binding_type: nameOfChannel(binding.channel),
    address,
    tags,
    url: `${bindingsUrl(baseUrl, serviceSid)}/${sid}`,
    links: { user: userUrl(baseUrl, binding) },
  }
}

export function notificationBody(sent: Sent, accountSid: string) {
  const { message } = sent
  const { overrides } = message
  return {
    sid: sent.sid,
    account_sid: accountSid,
    service_sid: sent.serviceSid,
    date_created: formatDate(message.acceptedAtMs * 1_000),
    identities: sent.identities,
    tags: sent.tags.map(nameOfChannel),
    segments: [],
    priority: message.priority,
    ttl: message.ttlS,
    title: message.title ?? null,
    body: message.body ?? null,
    sound: message.sound ?? null,
    action: message.action ?? null,
    data: message.data ?? null,
    apn: overrides.apn ?? null,
    gcm: overrides.gcm ?? null,
    fcm: overrides.fcm ?? null,
    sms: overrides.sms ?? null,
    facebook_messenger: overrides['vendor-messenger'] ?? null,
    alexa: null,
  }
}
