import type { components } from '@millrace/client'
import { objectOfText } from '../input.ts'
import { list, operation, wholeBody } from '../operation.ts'
import { formatTime } from '../output/output.ts'
import { limitOption, newSolution, plain } from './options.ts'

type Schemas = components['schemas']

/** The commands of notifications. */
export const commands = {
  'notifications list': list('listNotifications', 'notifications', {
    summary:
      'Print the notifications of a solution, newest first, with the state of their deliveries.',
    options: { limit: limitOption('notifications') },
    line: summaryLine,
    example: `${newSolution('alerts1', 'Alerts')} notifications list --solution alerts1`,
  }),
  'notifications show': operation('getNotification', {
    summary: 'Print the timeline of a notification for each of its bindings.',
    options: { sid: 'The sid of the notification.', limit: limitOption('bindings') },
    lines: (shown) => [
      summaryLine(shown),
      `${formatTime(shown.accepted_at)}  accepted`,
      ...shown.deliveries.flatMap(formatTimeline),
    ],
    example: `${newSolution('alerts2', 'Alerts')} notifications list --solution alerts2`,
  }),
  'notifications sink': operation('listSinkEntries', {
    summary: 'Print the messages in the local sink (channels without a provider), newest first.',
    options: { limit: limitOption('messages') },
    data: ({ arrived }) => arrived,
    lines: ({ arrived }) => arrived.flatMap(arrivedLines),
    example: `${newSolution('alerts3', 'Alerts')} notifications sink --solution alerts3`,
  }),
  'notifications channels': list('listChannels', 'channels', {
    summary: 'Print the provider and the status of each notification channel of a solution.',
    line: channelLine,
    example: `${newSolution('alerts5', 'Alerts')} notifications channels --solution alerts5`,
  }),
  'notifications bindings list': operation('listBindings', {
    summary: 'Print the bindings of a solution, newest first, and when each was last sent to.',
    options: {
      identity: 'Only those of this person.',
      channel: 'Only those of this channel: apn, fcm, gcm, sms, vendor-messenger.',
      tag: 'Only those with this tag.',
      limit: limitOption('bindings'),
    },
    lines: ({ bindings }) => bindings.map(bindingLine),
    example: `${newSolution('bound1', 'Bound')} notifications bindings list --solution bound1 --channel sms`,
  }),
  'notifications bindings delete': operation('deleteBinding', {
    summary: 'Delete a binding of a solution.',
    options: { sid: 'The sid of the binding.' },
    confirm: 'Delete the binding {sid}? Nothing more is sent to its address.',
    done: '{sid} is deleted',
    example: `${newSolution('bound2', 'Bound')} notifications bindings list --solution bound2`,
  }),
  'notifications preview': operation('previewNotification', {
    summary: 'Print a message as each channel would send it, without sending it.',
    options: {
      message: {
        as: wholeBody,
        read: objectOfText,
        required: true,
        meaning: 'The message as JSON: Title, Body, Data and the other arguments of send.',
      },
    },
    data: ({ channels }) => channels,
    lines: ({ channels }) => channels.map(previewLine),
    example:
      `${newSolution('bound3', 'Bound')} notifications preview ` +
      `--solution bound3 --message '{"Body":"It is hot."}'`,
  }),
  'notifications import': {
    summary: 'Import the bindings of another service, from a file or from its API.',
    load: async () => (await import('./notifications/import.ts')).notificationsImport,
  },
}

/** A notification in a line: its states that are not empty, and its text. */
function summaryLine(one: Schemas['Notification']): string {
  const states = Object.entries(one.states).flatMap(([state, count]) => {
    return count === 0 ? [] : [`${count} ${state}`]
  })
  const shown = [...states, ...(one.expanded ? [] : ['and more to come'])].join(', ')
  const text = one.title === '' ? one.body : `${one.title}: ${one.body}`
  return plain([one.sid, formatTime(one.accepted_at), shown || 'nobody', text].join('  '))
}

function formatTimeline(delivery: Schemas['NotificationDelivery']): string[] {
  const { binding_sid, channel, address, state, timeline } = delivery
  const head = `${binding_sid}  ${channel}  ${address}  ${state}`
  const moments = timeline.map(
    ({ at, event, text = '' }) => `  ${formatTime(at)}  ${event}  ${text}`,
  )
  return [head, ...moments].map(plain)
}

function channelLine(one: Schemas['NotificationChannel']): string {
  const rate = one.rate_per_second === null ? [] : [`${one.rate_per_second} a second`]
  const pause =
    one.paused_until === null
      ? []
      : [`pauses until ${formatTime(one.paused_until)}: ${one.pause_reason ?? ''}`]
  const fault = one.fault === null ? [] : [one.fault]
  return plain([one.channel, one.provider, ...rate, ...pause, ...fault].join('  '))
}

function arrivedLines(one: Schemas['SinkEntry']): string[] {
  const { at, channel, address, notification_sid: sid, headers, body } = one
  const head = Object.keys(headers ?? {}).length === 0 ? '' : `${JSON.stringify(headers)} `
  return [`${formatTime(at)}  ${channel}  ${address}  ${sid}`, `  ${head}${JSON.stringify(body)}`]
}

function bindingLine(one: Schemas['NotificationBinding']): string {
  const used = one.sent_at === null ? 'not used yet' : `used ${formatTime(one.sent_at)}`
  const tags = one.tags.length === 0 ? [] : [one.tags.join(',')]
  const parts = [one.sid, formatTime(one.updated_at), one.identity, one.channel, one.address, used]
  return plain([...parts, ...tags].join('  '))
}

function previewLine(one: Schemas['NotificationPreview']): string {
  const { channel, refused, size, max, unit, shown, body } = one
  if (refused !== undefined) return plain(`${channel}  refused: ${refused}`)
  const texts = [shown?.title, shown?.body].filter((text) => typeof text === 'string')
  const used = `${size} of ${max} ${unit}`
  return plain([channel, used, texts.join(': '), JSON.stringify(body)].join('  '))
}
