import { type components, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { wholeNumber } from '../../input.ts'

import { type Output, timeOf } from '../../output/output.ts'
import { solutionOption } from '../options.ts'

type Schemas = components['schemas']

const limitOption = (of: string) => ({ meaning: `The number of ${of} to print.`, default: '20' })
const plain = (line: string) => line.replaceAll(/\p{Cc}/gu, ' ').trimEnd()

function noteMore(out: Output, cursor: number | undefined): void {
  if (cursor !== undefined) out.note('There are more; --limit shows them.')
}

export const notificationsList = defineCommand({
  options: { solution: solutionOption, limit: limitOption('notifications') },
  example:
    'npx millrace solution create --id alerts1 --name Alerts && ' +
    'npx millrace notifications list --solution alerts1',
  routes: ['listNotifications'],
  async run({ solution, limit }, { client, out }) {
    const api = await client()
    const params = { path: { solution }, query: { limit: wholeNumber('limit', limit) } }
    const page = await unwrap(api.GET('/api:1/solution/{solution}/notifications', { params }))
    out.show(page.notifications, () => page.notifications.map(summaryLine))
    noteMore(out, page.cursor)
    return undefined
  },
})

/** A notification in a line: its states that are not empty, and its text. */
function summaryLine(one: Schemas['Notification']): string {
  const states = Object.entries(one.states).flatMap(([state, count]) => {
    return count === 0 ? [] : [`${count} ${state}`]
  })
  const shown = [...states, ...(one.expanded ? [] : ['and more to come'])].join(', ')
  const text = one.title === '' ? one.body : `${one.title}: ${one.body}`
  return plain([one.sid, timeOf(one.accepted_at), shown || 'nobody', text].join('  '))
}

export const notificationsShow = defineCommand({
  options: {
    solution: solutionOption,
    sid: { meaning: 'The sid of the notification.', required: true },
    limit: limitOption('bindings'),
  },
  example:
    'npx millrace solution create --id alerts2 --name Alerts && ' +
    'npx millrace notifications list --solution alerts2',
  routes: ['getNotification'],
  async run({ solution, sid, limit }, { client, out }) {
    const api = await client()
    const params = { path: { solution, sid }, query: { limit: wholeNumber('limit', limit) } }
    const path = '/api:1/solution/{solution}/notifications/{sid}'
    const shown = await unwrap(api.GET(path, { params }))
    out.show(shown, () => [
      summaryLine(shown),
      `${timeOf(shown.accepted_at)}  accepted`,
      ...shown.deliveries.flatMap(timelineOf),
    ])
    noteMore(out, shown.cursor)
    return undefined
  },
})

function timelineOf(delivery: Schemas['NotificationDelivery']): string[] {
  const { binding_sid, channel, address, state, timeline } = delivery
  const head = `${binding_sid}  ${channel}  ${address}  ${state}`
  const moments = timeline.map(({ at, event, text = '' }) => `  ${timeOf(at)}  ${event}  ${text}`)
  return [head, ...moments].map(plain)
}

export const notificationsChannels = defineCommand({
  options: { solution: solutionOption },
  example:
    'npx millrace solution create --id alerts5 --name Alerts && ' +
    'npx millrace notifications channels --solution alerts5',
  routes: ['listChannels'],
  async run({ solution }, { client, out }) {
    const api = await client()
    const params = { path: { solution } }
    const path = '/api:1/solution/{solution}/notifications/channels'
    const { channels } = await unwrap(api.GET(path, { params }))
    out.show(channels, () => channels.map(channelLine))
    return undefined
  },
})

function channelLine(one: Schemas['NotificationChannel']): string {
  const rate = one.rate_per_second === null ? [] : [`${one.rate_per_second} a second`]
  const pause =
    one.paused_until === null
      ? []
      : [`pauses until ${timeOf(one.paused_until)}: ${one.pause_reason ?? ''}`]
  const fault = one.fault === null ? [] : [one.fault]
  return plain([one.channel, one.provider, ...rate, ...pause, ...fault].join('  '))
}

export const notificationsSink = defineCommand({
  options: { solution: solutionOption, limit: limitOption('messages') },
  example:
    'npx millrace solution create --id alerts3 --name Alerts && ' +
    'npx millrace notifications sink --solution alerts3',
  routes: ['listSinkEntries'],
  async run({ solution, limit }, { client, out }) {
    const api = await client()
    const params = { path: { solution }, query: { limit: wholeNumber('limit', limit) } }
    const page = await unwrap(api.GET('/api:1/solution/{solution}/notifications/sink', { params }))
    out.show(page.arrived, () => page.arrived.flatMap(arrivedLines))
    noteMore(out, page.cursor)
    return undefined
  },
})

function arrivedLines(one: Schemas['SinkEntry']): string[] {
  const { at, channel, address, notification_sid: sid, headers, body } = one
  const head = Object.keys(headers ?? {}).length === 0 ? '' : `${JSON.stringify(headers)} `
  return [`${timeOf(at)}  ${channel}  ${address}  ${sid}`, `  ${head}${JSON.stringify(body)}`]
}
