import { type components, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { objectOfText, wholeNumber } from '../../input.ts'
import { timeOf } from '../../output/output.ts'
import { solutionOption } from '../options.ts'

type Schemas = components['schemas']

const plain = (line: string) => line.replaceAll(/\p{Cc}/gu, ' ').trimEnd()
const path = '/api:1/solution/{solution}/notifications/bindings'

export const bindingsList = defineCommand({
  options: {
    solution: solutionOption,
    identity: { meaning: 'Only those of this person.' },
    channel: { meaning: 'Only those of this channel: apn, fcm, gcm, sms, vendor-messenger.' },
    tag: { meaning: 'Only those with this tag.' },
    limit: { meaning: 'The number of bindings to print.', default: '20' },
  },
  example:
    'npx millrace solution create --id bound1 --name Bound && ' +
    'npx millrace notifications bindings list --solution bound1 --channel sms',
  routes: ['listBindings'],
  async run({ solution, limit, identity, channel, tag }, { client, out }) {
    const api = await client()
    const filter = {
      ...(identity !== undefined && { identity }),
      ...(channel !== undefined && { channel }),
      ...(tag !== undefined && { tag }),
    }
    const query = { limit: wholeNumber('limit', limit), ...filter }
    const page = await unwrap(api.GET(path, { params: { path: { solution }, query } }))
    out.show(page, () => page.bindings.map(bindingLine))
    if (page.cursor !== undefined) out.note('There are more; --limit shows them.')
    return undefined
  },
})

function bindingLine(one: Schemas['NotificationBinding']): string {
  const used = one.sent_at === null ? 'not used yet' : `used ${timeOf(one.sent_at)}`
  const tags = one.tags.length === 0 ? [] : [one.tags.join(',')]
  const parts = [one.sid, timeOf(one.updated_at), one.identity, one.channel, one.address, used]
  return plain([...parts, ...tags].join('  '))
}

export const bindingsDelete = defineCommand({
  options: {
    solution: solutionOption,
    sid: { meaning: 'The sid of the binding.', required: true },
  },
  example:
    'npx millrace solution create --id bound2 --name Bound && ' +
    'npx millrace notifications bindings list --solution bound2',
  routes: ['deleteBinding'],
  async run({ solution, sid }, { client, out, confirm }) {
    await confirm(`Delete the binding ${sid}? Nothing more is sent to its address.`)
    const api = await client()
    await unwrap(api.DELETE(`${path}/{sid}`, { params: { path: { solution, sid } } }))
    out.print(`${sid} is deleted`)
    return undefined
  },
})

export const notificationsPreview = defineCommand({
  options: {
    solution: solutionOption,
    message: {
      meaning: 'The message as JSON: Title, Body, Data and the other arguments of send.',
      required: true,
    },
  },
  example:
    'npx millrace solution create --id bound3 --name Bound && ' +
    `npx millrace notifications preview --solution bound3 --message '{"Body":"It is hot."}'`,
  routes: ['previewNotification'],
  async run({ solution, message }, { client, out }) {
    const body = objectOfText('message', message)
    const api = await client()
    const route = '/api:1/solution/{solution}/notifications/preview'
    const { channels } = await unwrap(api.POST(route, { params: { path: { solution } }, body }))
    out.show(channels, () => channels.map(previewLine))
    return undefined
  },
})

function previewLine(one: Schemas['NotificationPreview']): string {
  const { channel, refused, size, max, unit, shown, body } = one
  if (refused !== undefined) return plain(`${channel}  refused: ${refused}`)
  const texts = [shown?.title, shown?.body].filter((text) => typeof text === 'string')
  const used = `${size} of ${max} ${unit}`
  return plain([channel, used, texts.join(': '), JSON.stringify(body)].join('  '))
}
