import {
  bindingImportedSchema,
  bindingsSchema,
  channelSchema,
  createBindingImportSchema,
  createBindingsQuery,
  createPageQuery,
  messageSchema,
  notificationsSchema,
  notificationTimelineSchema,
  previewSchema,
  sinkSchema,
} from '../../../scripts/services/notification/index.ts'
import { toOwner } from '../calls.ts'
import { does, lists, PathText, shows } from '../contract/common.ts'
import { operations } from '../operation.ts'

const path = '/api:1/solution/:solution/notifications'
const on = operations('notifications', 'Setup', path, {
  params: { sid: PathText('The sid of a notification.') },
  inSolution: true,
})
const bindings = operations('notifications', 'Setup', `${path}/bindings`, {
  params: { sid: PathText('The sid of a binding.') },
  inSolution: true,
})

export const listNotifications = on.get(
  '',
  'List the notifications of a solution, newest first.',
  () => ({ query: createPageQuery(), ...shows('A page.', notificationsSchema) }),
  ({ notifications }, call) => notifications.list(toOwner(call), call.query),
)

export const getNotification = on.get(
  '/:sid',
  'Show a notification with the timelines of its deliveries.',
  () => ({
    query: createPageQuery(),
    ...shows('The notification, with a page of its deliveries.', notificationTimelineSchema),
  }),
  ({ notifications }, call) => notifications.show(toOwner(call), call.params.sid, call.query),
)

export const listSinkEntries = on.get(
  '/sink',
  'List the messages that the local sink has, newest first.',
  () => ({ query: createPageQuery(), ...shows('A page.', sinkSchema) }),
  ({ notifications }, call) => notifications.sink(toOwner(call), call.query),
)

export const listChannels = on.get(
  '/channels',
  'Show the provider, the pause and the fault of each channel of a solution.',
  () => lists('channels', channelSchema, 'The channels.'),
  ({ notifications }, call) => notifications.channels(toOwner(call)),
)

export const importBindings = bindings.post(
  '',
  'Import bindings of another service.',
  () => ({
    description: 'A binding that is not valid is listed in `failed`; the others are imported.',
    body: createBindingImportSchema(),
    ...shows('What has changed.', bindingImportedSchema),
    example: {
      request: {
        bindings: [{ identity: 'ann', binding_type: 'sms', address: '+15550100' }],
        dry_run: true,
      },
      answer: { added: 1, changed: 0, unchanged: 0, failed: [] },
    },
  }),
  ({ notifications }, call) => notifications.importBindings(toOwner(call), call.body),
)

export const listBindings = bindings.get(
  '',
  'List the bindings of a solution, newest first.',
  () => ({
    query: createBindingsQuery(),
    ...shows('A page.', bindingsSchema),
  }),
  ({ notifications }, call) => notifications.bindings.list(toOwner(call), call.query),
)

export const deleteBinding = bindings.remove(
  '/:sid',
  'Delete a binding of a solution.',
  () => ({
    description: 'Its notifications that wait fail.',
    ...does('It is deleted.'),
  }),
  ({ notifications }, call) => notifications.bindings.remove(toOwner(call), call.params.sid),
)

export const previewNotification = on.post(
  '/preview',
  'Show a message as each channel would have it.',
  () => ({
    description:
      'Nothing is sent. The fields are the arguments of `send`, without those that say ' +
      'whom it is for.',
    body: messageSchema,
    ...lists('channels', previewSchema, 'The channels.'),
    example: { request: { Title: 'Pump 7', Body: 'It is hot.', Sms: { from: '+15550009999' } } },
  }),
  ({ notifications }, call) => notifications.preview(toOwner(call), call.body),
)
