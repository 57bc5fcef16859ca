import {
  Fault,
  isJsonObject,
  type JsonObject,
  mergeJson,
  omitUndefined,
} from '../../../../foundation/kernel/index.ts'
import type { Shown } from '../schema.ts'
import type { Message, Payload } from '../sending/channel.ts'
import { type ChannelDefinition, objectOrEmpty, sizeInBytes, textOrNull } from './definition.ts'

export const apn: ChannelDefinition<'Apn'> = {
  field: 'Apn',
  meaning: 'What differs for apn',
  targets: [],
  isPush: true,
  address: {
    shape: /^(?:[0-9a-fA-F]{2})+$/,
    rule: 'of apn must be a device token, in hexadecimal digits',
    example: '0'.repeat(64),
  },
  map: mapApn,
  shown,
  size: sizeInBytes,
}

/** A message is the same for every device; a field of it would be stored with it. */
const mapped = new WeakMap<Message, Payload>()

/** The request to Apple's service. Data stands beside `aps`, as properties of the application. */
function mapApn(message: Message): Payload {
  const known = mapped.get(message) ?? map(message)
  mapped.set(message, known)
  return known
}

function map(message: Message): Payload {
  const { title, sound, action, data = {}, overrides, ttlS, acceptedAtMs } = message
  if (Object.hasOwn(data, 'aps')) {
    throw new Fault('invalid_argument', 'Data may not hold aps: it is the Apn payload that may')
  }
  const alert = omitUndefined({ title, body: message.body })
  const aps = omitUndefined({
    ...(Object.keys(alert).length === 0 ? {} : { alert }),
    sound,
    category: action,
  })
  const body = mergeJson({ ...data, aps }, withAlert(overrides.apn))
  rejectEmpty(body)
  const silent = isSilent(body.aps)
  return {
    headers: {
      'apns-expiration': ttlS === 0 ? '0' : String(Math.floor(acceptedAtMs / 1_000) + ttlS),
      // Apple rejects priority 10 for silent notifications.
      'apns-priority': message.priority === 'low' || silent ? '5' : '10',
      'apns-push-type': silent ? 'background' : 'alert',
    },
    body,
  }
}

/** An alert that is a text is its body: the title is not deleted. */
function withAlert(over: JsonObject | undefined): JsonObject | undefined {
  const aps = over?.aps
  if (over === undefined || aps === undefined || aps === null) return over
  if (!isJsonObject(aps)) throw new Fault('invalid_argument', 'Apn: aps must be an object')
  if (typeof aps.alert !== 'string') return over
  return { ...over, aps: { ...aps, alert: { body: aps.alert } } }
}

/** Keys of `aps` that have an effect without an alert. */
const perceptible = ['sound', 'badge', 'content-available', 'content-state', 'event']

/** An alert without words, and nothing beside it: Apple accepts it, and shows nothing. */
function rejectEmpty({ aps, ...custom }: JsonObject): void {
  const shown = isJsonObject(aps) ? aps : {}
  const alert = isJsonObject(shown.alert) ? Object.values(shown.alert) : []
  if (alert.some((one) => one !== '' && one !== null)) return
  if (Object.keys(custom).length > 0 || perceptible.some((name) => Object.hasOwn(shown, name)))
    return
  const what = 'Apn: there is nothing to send: Body, Title, Sound, Data or an alert is missing'
  throw new Fault('invalid_argument', what)
}

function isSilent(aps: unknown): boolean {
  if (!isJsonObject(aps) || aps['content-available'] !== 1) return false
  return !['alert', 'sound', 'badge'].some((name) => Object.hasOwn(aps, name))
}

function shown({ aps, ...data }: JsonObject): Shown {
  const { alert, sound } = objectOrEmpty(aps)
  const { title, body } = typeof alert === 'string' ? { body: alert } : objectOrEmpty(alert)
  return {
    by: alert === undefined ? 'application' : 'device',
    title: textOrNull(title),
    body: textOrNull(body),
    sound: textOrNull(isJsonObject(sound) ? sound.name : sound),
    data,
  }
}
