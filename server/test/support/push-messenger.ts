import type { TestContext } from 'node:test'
import { openWeb, type WebAnswer, type WebRequest } from './web.ts'

/* The messenger platform's Send API as its documents describe it, for one page. */

export type MessengerMessage = Readonly<Record<string, unknown>>

export type FakeMessenger = {
  readonly url: string
  /** Everything that was asked, as it came. */
  readonly requests: readonly WebRequest[]
  readonly token: string
  readonly accepted: MessengerMessage[]
  /** The paths that were asked, with the version in them. */
  readonly paths: string[]
  /** What the person of an id, or of a number, has the platform say. */
  readonly people: Map<string, WebAnswer>
  /** What the next sendings are told instead. */
  readonly troubles: WebAnswer[]
}

export function messengerError(status: number, code: number, sub?: number): WebAnswer {
  const error = {
    ...{ message: 'Told in words.', type: 'OAuthException', code },
    ...(sub === undefined ? {} : { error_subcode: sub }),
    fbtrace_id: 'A1b2C3',
  }
  const headers = { 'content-type': 'application/json' }
  return { status, headers, body: JSON.stringify({ error }) }
}

const types = new Set(['RESPONSE', 'UPDATE', 'MESSAGE_TAG', 'UTILITY'])
const known = new Set(['messaging_type', 'recipient', 'message', 'tag', 'notification_type'])
const textMax = 2_000

export async function fakeMessenger(t: Pick<TestContext, 'after'>): Promise<FakeMessenger> {
  const { url, requests } = await openWeb(t, (request) => fake.troubles.shift() ?? send(request))
  const fake: FakeMessenger = {
    ...{ url, requests, token: 'EAAB-page-token', accepted: [], paths: [] },
    ...{ people: new Map(), troubles: [] },
  }
  return fake

  function send({ method, url: path = '', headers, body }: WebRequest): WebAnswer {
    fake.paths.push(path)
    if (method !== 'POST' || !/^\/v\d+\.\d\/me\/messages$/.test(path)) {
      return messengerError(400, 100, 33)
    }
    if (headers.authorization !== `Bearer ${fake.token}`) return messengerError(401, 190)
    const said = JSON.parse(body.toString()) as MessengerMessage
    const {
      recipient,
      message,
      messaging_type: type,
      tag,
    } = said as {
      recipient?: { id?: string; phone_number?: string }
      message?: { text?: string }
      messaging_type?: string
      tag?: string
    }
    if (Object.keys(said).some((name) => !known.has(name))) return messengerError(400, 100)
    if (!types.has(type ?? '')) return messengerError(400, 100)
    if ((type === 'MESSAGE_TAG') !== (tag !== undefined)) return messengerError(400, 100)
    const whom = recipient?.id ?? recipient?.phone_number
    if (whom === undefined || message?.text === undefined) return messengerError(400, 100)
    if (message.text.length > textMax) return messengerError(400, 100, 2018109)
    const told = fake.people.get(whom)
    if (told !== undefined) return told
    fake.accepted.push(said)
    // One that is reached by a number is not named.
    const named = recipient?.id === undefined ? {} : { recipient_id: recipient.id }
    const message_id = `m_${fake.accepted.length}`
    return { status: 200, body: JSON.stringify({ ...named, message_id }) }
  }
}
