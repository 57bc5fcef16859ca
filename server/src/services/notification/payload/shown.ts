import { isJsonObject, type Json, type JsonObject } from '../../../kernel/index.ts'
import type { Channel, Payload } from '../sending/channel.ts'

/** A payload as its device shows it. */
export type Shown = {
  /** The device itself; or the application, which shows what it wants of the data. */
  readonly by: 'device' | 'application'
  readonly title: string | null
  readonly body: string | null
  readonly sound: string | null
  /** What the application receives beside the texts. */
  readonly data: JsonObject
}

export function shownOf(channel: Channel, { body }: Payload): Shown {
  switch (channel) {
    case 'apn':
      return shownByApple(body)
    case 'fcm':
    case 'gcm':
      return shownByAndroid(objectOf(body.message))
    case 'sms':
      return text(body.Body)
    case 'vendor-messenger':
      return text(objectOf(body.message).text)
  }
}

function text(body: Json | undefined): Shown {
  return { by: 'device', title: null, body: textOf(body), sound: null, data: {} }
}

function shownByApple({ aps, ...data }: JsonObject): Shown {
  const { alert, sound } = objectOf(aps)
  const { title, body } = typeof alert === 'string' ? { body: alert } : objectOf(alert)
  return {
    by: alert === undefined ? 'application' : 'device',
    title: textOf(title),
    body: textOf(body),
    sound: textOf(isJsonObject(sound) ? sound.name : sound),
    data,
  }
}

/** Without a notification there are only data, among which are the texts for the application. */
function shownByAndroid(message: JsonObject): Shown {
  const data = objectOf(message.data)
  const android = objectOf(objectOf(message.android).notification)
  const { title, body } = { ...objectOf(message.notification), ...android }
  if (title !== undefined || body !== undefined) {
    const [shown, sound] = [{ title: textOf(title), body: textOf(body) }, textOf(android.sound)]
    return { by: 'device', ...shown, sound, data }
  }
  const { vnd_title, vnd_body, vnd_sound } = data
  const shown = { title: textOf(vnd_title), body: textOf(vnd_body), sound: textOf(vnd_sound) }
  return { by: 'application', ...shown, data }
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
