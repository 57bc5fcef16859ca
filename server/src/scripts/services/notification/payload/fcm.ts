import {
  Fault,
  isJsonObject,
  type Json,
  type JsonObject,
  mergeJson,
  omitUndefined,
} from '../../../../foundation/kernel/index.ts'
import type { Shown } from '../schema.ts'
import type { Message, Payload, Recipient } from '../sending/channel.ts'
import { type ChannelDefinition, objectOrEmpty, sizeInBytes, textOrNull } from './definition.ts'

const dataPrefix = 'vnd_'

export const fcm: ChannelDefinition<'Fcm'> = {
  ...googleChannel('fcm'),
  field: 'Fcm',
  targets: ['to', 'registration_ids', 'notification_key', 'condition', 'token', 'topic'],
}

export const gcm: ChannelDefinition<'Gcm'> = {
  ...googleChannel('gcm'),
  field: 'Gcm',
  targets: ['to', 'registration_ids', 'notification_key', 'token', 'topic'],
}

function googleChannel(channel: 'fcm' | 'gcm'): Omit<ChannelDefinition, 'field' | 'targets'> {
  return {
    meaning: `What differs for ${channel}`,
    isPush: true,
    address: {
      shape: /^[\w.:~%-]+$/,
      rule: `of ${channel} must be a registration token`,
      example: 'example-token',
    },
    map: (message, target) => mapFcm(channel, message, target),
    shown: ({ message }) => shown(objectOrEmpty(message)),
    size({ message }) {
      const { token: _token, ...sized } = objectOrEmpty(message)
      return sizeInBytes(sized)
    },
  }
}

/**
 * The body of `messages:send`. The spec's payloads have the names of the older HTTP protocol, and
 * keep them; here they become those of HTTP v1, in which `gcm` bindings are reached, too.
 */
function mapFcm(channel: 'fcm' | 'gcm', message: Message, { address }: Recipient): Payload {
  const known = mapped[channel].get(message) ?? map(channel, message)
  mapped[channel].set(message, known)
  return { headers: {}, body: { message: { token: address, ...known } } }
}

/** Except for the token, a message is the same for every device; a field would be stored. */
const mapped = {
  fcm: new WeakMap<Message, JsonObject>(),
  gcm: new WeakMap<Message, JsonObject>(),
}

function map(channel: 'fcm' | 'gcm', message: Message): JsonObject {
  const { body, title, sound, action, data = {} } = message
  const generic = {
    priority: message.priority === 'high' ? 'high' : 'normal',
    time_to_live: message.ttlS,
    data: omitUndefined({
      ...data,
      [`${dataPrefix}body`]: body,
      [`${dataPrefix}title`]: title,
      [`${dataPrefix}sound`]: sound,
      [`${dataPrefix}action`]: channel === 'gcm' ? action : undefined,
    }),
  }
  const name = channel === 'fcm' ? 'Fcm' : 'Gcm'
  const legacy = mergeJson(generic, message.overrides[channel])
  return toV1(name, legacy)
}

/** Names of HTTP v1, which pass as they are. */
const passing = ['android', 'webpush', 'apns', 'fcm_options'] as const
/** Names of the older protocol. `delay_while_idle` means nothing to the service any more. */
const known = new Set([
  ...passing,
  'data',
  'notification',
  'priority',
  'time_to_live',
  'collapse_key',
  'delay_while_idle',
  'restricted_package_name',
  'content_available',
  'mutable_content',
])

function toV1(name: string, legacy: JsonObject): JsonObject {
  const unknown = Object.keys(legacy).find((key) => !known.has(key))
  if (unknown !== undefined) throw refused(name, `there is no attribute ${unknown.slice(0, 40)}`)
  const notification = fieldsIn(name, legacy, 'notification')
  const { collapse_key, restricted_package_name } = legacy
  const android = omitUndefined({
    priority: parsePriority(name, legacy.priority),
    ttl: `${parseSeconds(name, legacy.time_to_live)}s`,
    collapse_key,
    restricted_package_name,
    notification: filled(forAndroid(notification)),
  })
  const aps = omitUndefined({
    'content-available': legacy.content_available === true ? 1 : undefined,
    'mutable-content': legacy.mutable_content === true ? 1 : undefined,
    badge: notification.badge === undefined ? undefined : Number(notification.badge),
  })
  const generic = omitUndefined({
    data: filled(asTexts(fieldsIn(name, legacy, 'data'))),
    notification: filled(
      omitUndefined({
        title: notification.title,
        body: notification.body,
        image: notification.image,
      }),
    ),
    android,
    apns: filled(aps) === undefined ? undefined : { payload: { aps } },
  })
  const over = Object.fromEntries(passing.map((key) => [key, fieldsIn(name, legacy, key)]))
  const message = mergeJson(generic, withoutEmpty(over))
  for (const part of [message, message.android, message.webpush]) rejectReserved(name, part)
  rejectEmpty(name, message)
  return message
}

/** Reserved by Firebase: each delivery would fail later. */
const reserved = /^(?:from$|message_type$|google|gcm)/

function rejectReserved(name: string, part: Json | undefined): void {
  const data = isJsonObject(part) ? part.data : undefined
  const key = isJsonObject(data) ? Object.keys(data).find((one) => reserved.test(one)) : undefined
  if (key === undefined) return
  throw refused(name, `data may not hold ${key.slice(0, 40)}: Firebase reserves that key`)
}

/** Priority, Ttl and the like alone show nothing, and give an application nothing. */
function rejectEmpty(name: string, { data, notification, webpush, ...rest }: JsonObject): void {
  const android = isJsonObject(rest.android) ? rest.android : {}
  const apns = isJsonObject(rest.apns) ? rest.apns.payload : undefined
  const said = [data, notification, webpush, android.data, android.notification, apns]
  if (said.some((one) => isJsonObject(one) && filled(one) !== undefined)) return
  throw refused(name, 'there is nothing to send: Body, Title, Data or a notification is missing')
}

function forAndroid({
  title: _title,
  body: _body,
  image: _image,
  badge: _badge,
  ...rest
}: JsonObject) {
  const { android_channel_id: channel_id, ...others } = rest
  return omitUndefined({ ...others, channel_id })
}

function parsePriority(name: string, priority: Json | undefined): 'HIGH' | 'NORMAL' {
  if (priority === 'high') return 'HIGH'
  if (priority === 'normal') return 'NORMAL'
  throw refused(name, 'priority must be normal or high')
}

function parseSeconds(name: string, seconds: Json | undefined): number {
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 0) return seconds
  throw refused(name, 'time_to_live must be whole seconds')
}

/** The values of `data` are texts: others come as their JSON. */
function asTexts(data: JsonObject): JsonObject {
  const texts = Object.entries(data).map(([key, value]) => {
    return [key, typeof value === 'string' ? value : JSON.stringify(value)] as const
  })
  return Object.fromEntries(texts)
}

function fieldsIn(name: string, payload: JsonObject, key: string): JsonObject {
  const value = payload[key] ?? {}
  if (isJsonObject(value)) return value
  throw refused(name, `${key} must be an object`)
}

function filled(object: JsonObject): JsonObject | undefined {
  return Object.keys(object).length === 0 ? undefined : object
}

function withoutEmpty(objects: { readonly [key: string]: JsonObject }): JsonObject {
  return Object.fromEntries(Object.entries(objects).filter(([, one]) => filled(one) !== undefined))
}

function refused(name: string, rule: string): Fault {
  return new Fault('invalid_argument', `${name}: ${rule}`)
}

/** Without a notification there are only data, among which are the texts for the application. */
function shown(message: JsonObject): Shown {
  const data = objectOrEmpty(message.data)
  const android = objectOrEmpty(objectOrEmpty(message.android).notification)
  const { title, body } = { ...objectOrEmpty(message.notification), ...android }
  if (title !== undefined || body !== undefined) {
    const texts = {
      title: textOrNull(title),
      body: textOrNull(body),
      sound: textOrNull(android.sound),
    }
    return { by: 'device', ...texts, data }
  }
  const { vnd_title, vnd_body, vnd_sound } = data
  const texts = {
    title: textOrNull(vnd_title),
    body: textOrNull(vnd_body),
    sound: textOrNull(vnd_sound),
  }
  return { by: 'application', ...texts, data }
}
