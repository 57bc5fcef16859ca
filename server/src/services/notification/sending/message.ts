import { type JsonObject, limits } from '../../../kernel/index.ts'
import type { ScriptValue } from '../../../scripting/index.ts'
import { flagOf, listOf, payloadOf, refused, sidOf, take, textOf, wholeOf } from './arguments.ts'
import type { Channel, Message } from './channel.ts'

/** An address that has no binding. */
export type Direct = { readonly channel: Channel; readonly address: string }

/** The arguments of `send`, read. */
export type SendArguments = {
  readonly serviceSid: string
  readonly identities: readonly string[]
  readonly tags: readonly string[]
  /** Addresses in place of an audience. */
  readonly direct: readonly Direct[]
  readonly message: Message
  /** Only tell who would get what. */
  readonly dryRun: boolean
}

const names = [
  ...['ServiceSid', 'Apn', 'Fcm', 'Gcm', 'Sms', 'VendorMessenger', 'Tag', 'Ttl', 'Body', 'Data'],
  ...['Sound', 'Title', 'Action', 'Identity', 'Priority', 'dryRun'],
]

/** @throws Fault invalid_argument */
export function readSend(
  args: ScriptValue,
  acceptedAtMs: number,
  direct: readonly Direct[] = [],
): SendArguments {
  const given = take(args, names)
  const serviceSid = sidOf('ServiceSid', given.ServiceSid)
  const [identities, tags] = [listOf('Identity', given.Identity), listOf('Tag', given.Tag)]
  const chosen = identities.length + tags.length
  if (chosen + direct.length === 0) {
    throw refused('Identity or Tag', 'is missing; the tag all names every binding')
  }
  if (chosen > 0 && direct.length > 0) {
    throw refused('ToBinding', 'stands in place of Identity and Tag, not beside them')
  }
  if (payloadOf('VendorMessenger', given.VendorMessenger) !== undefined) {
    throw refused('VendorMessenger', 'is not available yet')
  }
  const chars = limits.notificationArgumentCharsMax
  const data = payloadOf('Data', given.Data)
  if (data !== undefined) rejectReserved('Data', data)
  const message = {
    body: textOf('Body', given.Body, chars),
    title: textOf('Title', given.Title, chars),
    sound: textOf('Sound', given.Sound, chars),
    action: textOf('Action', given.Action, chars),
    data,
    ttlS: wholeOf('Ttl', given.Ttl, limits.notificationTtlSMax, limits.notificationTtlSMax),
    priority: priorityOf(given.Priority),
    overrides: overridesOf(given),
    acceptedAtMs,
  }
  const dryRun = flagOf('dryRun', given.dryRun)
  return { serviceSid, identities, tags, direct, message, dryRun }
}

function priorityOf(value: unknown): 'low' | 'high' {
  const priority = value ?? 'high'
  if (priority === '' || priority === 'high') return 'high'
  if (priority === 'low') return 'low'
  throw refused('Priority', 'must be low or high')
}

const payloads = [
  ['Apn', 'apn', []],
  ['Fcm', 'fcm', ['to', 'registration_ids', 'notification_key', 'condition', 'token', 'topic']],
  ['Gcm', 'gcm', ['to', 'registration_ids', 'notification_key', 'token', 'topic']],
  ['Sms', 'sms', []],
] as const

function overridesOf(given: Readonly<Record<string, unknown>>): Message['overrides'] {
  const overrides: Partial<Record<Channel, JsonObject>> = {}
  for (const [field, channel, targets] of payloads) {
    const payload = payloadOf(field, given[field])
    if (payload === undefined) continue
    const target = targets.find((key) => Object.hasOwn(payload, key))
    if (target !== undefined) throw refused(field, `may not hold the target parameter ${target}`)
    rejectReserved(field, payload)
    overrides[channel] = payload
  }
  return overrides
}

/** Keys of this service's own, wherever they stand: a device would take them for its words. */
function rejectReserved(field: string, payload: JsonObject): void {
  let level: object[] = [payload]
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limits.scriptValueDepthMax) {
      throw refused(field, `is deeper than ${limits.scriptValueDepthMax}`)
    }
    for (const one of level) {
      if (Array.isArray(one)) continue
      const reserved = Object.keys(one).find((key) => key.startsWith('vnd_'))
      if (reserved === undefined) continue
      const name = reserved.slice(0, 40)
      throw refused(field, `holds ${name}: keys that start with vnd_ are reserved`)
    }
    level = level.flatMap((one) => Object.values(one)).filter(isNested)
  }
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
