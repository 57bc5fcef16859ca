import { AnyValue, limits, Nullable, RecordOf, StrictObject, Type } from '../../kernel/index.ts'
import {
  component,
  json,
  Microseconds,
  nothing,
  OptionalMicroseconds,
  PageSize,
  PathText,
  SearchText,
  solutionParams,
} from './common.ts'
import { contract } from './contract.ts'

const states = ['queued', 'sending', 'sent', 'failed', 'pruned'] as const
const events = [
  'accepted',
  'queued',
  'sent',
  'answer',
  'retry',
  'delivered',
  'failed',
  'pruned',
] as const

const count = Type.Integer()
const cursor = Type.Optional(Type.Integer({ description: 'Of the next page, if there is one.' }))

const summaryFields = {
  sid: Type.String(),
  service_sid: Type.String(),
  title: Type.String(),
  body: Type.String(),
  tags: Type.Array(Type.String()),
  identities: Type.Array(Type.String()),
  accepted_at: Microseconds(),
  expanded: Type.Boolean({
    description: 'True if `states` counts every binding of its audience.',
  }),
  states: StrictObject({
    queued: count,
    sending: count,
    sent: count,
    failed: count,
    pruned: count,
  }),
}

const notificationSchema = component('Notification', summaryFields, {
  description: 'A notification, with the number of its deliveries in each state.',
})

const deliverySchema = component('NotificationDelivery', {
  binding_sid: Type.String(),
  channel: Type.String(),
  address: Type.String(),
  state: Type.Enum([...states]),
  tries: Type.Integer(),
  provider: Nullable(Type.String()),
  provider_id: Nullable(Type.String(), { description: 'The id that the provider gave it.' }),
  reason: Nullable(Type.String(), { description: 'Why it failed.' }),
  timeline: Type.Array(
    StrictObject({
      at: Microseconds(),
      event: Type.Enum([...events]),
      text: Type.Optional(Type.String()),
    }),
  ),
})

const sinkEntrySchema = component(
  'SinkEntry',
  {
    notification_sid: Type.String(),
    binding_sid: Type.String(),
    channel: Type.String(),
    address: Type.String(),
    at: Microseconds(),
    headers: RecordOf(Type.String(), {
      description: 'The headers of the request to a provider.',
    }),
    body: AnyValue<unknown>({ description: 'The body of the request to a provider.' }),
    unit: Type.String({ description: 'The unit of `size` and `max`.' }),
    size: Type.Integer(),
    max: Type.Integer({ description: 'The largest size that the channel takes.' }),
  },
  { description: 'A message that the local sink has in place of a provider.' },
)

const channelSchema = component('NotificationChannel', {
  channel: Type.String(),
  provider: Type.String(),
  rate_per_second: Nullable(Type.Number(), { description: 'Null: no limit.' }),
  paused_until: OptionalMicroseconds('The end of a pause.'),
  pause_reason: Nullable(Type.String()),
  fault: Nullable(Type.String(), {
    description: 'In words, if most answers point at a wrong configuration.',
  }),
  fault_at: OptionalMicroseconds('When the fault was found.'),
})

const pageFields = () => ({
  cursor: Type.Optional(
    Type.Integer({
      description: 'The `cursor` of a page.',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  ),
  limit: PageSize(limits.pageMax),
})
const createPageQuery = () => StrictObject(pageFields())

const path = '/api:1/solution/:solution/notifications'

export const listNotifications = contract(
  {
    id: 'listNotifications',
    method: 'GET',
    path,
    permission: 'Setup',
    tag: 'notifications',
    summary: 'List the notifications of a solution, newest first.',
  },
  () => ({
    params: solutionParams,
    query: createPageQuery(),
    answers: {
      200: json('A page.', StrictObject({ notifications: Type.Array(notificationSchema), cursor })),
    },
  }),
)

export const getNotification = contract(
  {
    id: 'getNotification',
    method: 'GET',
    path: `${path}/:sid`,
    permission: 'Setup',
    tag: 'notifications',
    summary: 'Show a notification with the timelines of its deliveries.',
  },
  () => ({
    params: StrictObject({
      solution: PathText('The id of a solution.'),
      sid: PathText('The sid of a notification.'),
    }),
    query: createPageQuery(),
    answers: {
      200: json(
        'The notification, with a page of its deliveries.',
        component('NotificationTimeline', {
          ...summaryFields,
          deliveries: Type.Array(deliverySchema),
          cursor,
        }),
      ),
    },
  }),
)

export const listSinkEntries = contract(
  {
    id: 'listSinkEntries',
    method: 'GET',
    path: `${path}/sink`,
    permission: 'Setup',
    tag: 'notifications',
    summary: 'List the messages that the local sink has, newest first.',
  },
  () => ({
    params: solutionParams,
    query: createPageQuery(),
    answers: {
      200: json('A page.', StrictObject({ arrived: Type.Array(sinkEntrySchema), cursor })),
    },
  }),
)

export const listChannels = contract(
  {
    id: 'listChannels',
    method: 'GET',
    path: `${path}/channels`,
    permission: 'Setup',
    tag: 'notifications',
    summary: 'Show the provider, the pause and the fault of each channel of a solution.',
  },
  () => ({
    params: solutionParams,
    answers: {
      200: json('The channels.', StrictObject({ channels: Type.Array(channelSchema) })),
    },
  }),
)

export const importBindings = contract(
  {
    id: 'importBindings',
    method: 'POST',
    path: `${path}/bindings`,
    permission: 'Setup',
    tag: 'notifications',
    summary: 'Import bindings of another service.',
    description: 'A binding that is not valid is listed in `failed`; the others are imported.',
  },
  () => ({
    params: solutionParams,
    body: component('BindingImport', {
      bindings: Type.Array(
        AnyValue<unknown>({
          description:
            '`{sid, service_sid, identity, binding_type, address, endpoint, tags, ' +
            'credential_sid, notification_protocol_version, date_created, date_updated}`',
        }),
        {
          maxItems: limits.notificationImportBatchMax,
          rule: `must be a list of at most ${limits.notificationImportBatchMax}`,
        },
      ),
      service_sid: Type.Optional(Type.String({ description: 'In place of that of each binding.' })),
      dry_run: Type.Optional(Type.Boolean({ description: 'Nothing is written.' })),
    }),
    answers: {
      200: json(
        'What has changed.',
        component('BindingImported', {
          added: count,
          changed: count,
          unchanged: Type.Integer({ description: 'They were there, as they are or newer.' }),
          failed: Type.Array(
            StrictObject({
              row: Type.Integer({ description: 'The place in the request, from 0.' }),
              reason: Type.String(),
            }),
          ),
        }),
      ),
    },
    example: {
      request: {
        bindings: [{ identity: 'ann', binding_type: 'sms', address: '+15550100' }],
        dry_run: true,
      },
      answer: { added: 1, changed: 0, unchanged: 0, failed: [] },
    },
  }),
)

const bindingSchema = component(
  'NotificationBinding',
  {
    sid: Type.String(),
    service_sid: Type.String(),
    identity: Type.String({ description: 'The person.' }),
    channel: Type.String(),
    address: Type.String({ description: 'The token of a device, or a number.' }),
    endpoint: Type.String({ description: 'One application on one device.' }),
    tags: Type.Array(Type.String()),
    credential_sid: Nullable(Type.String()),
    created_at: Microseconds(),
    updated_at: Microseconds(),
    sent_at: OptionalMicroseconds(
      'When something was last sent to its address, to an hour; null: not yet.',
    ),
  },
  { description: 'Where a person is reached.' },
)

const bindingFilter = {
  identity: Type.Optional(SearchText('Only bindings of this person.')),
  channel: Type.Optional(SearchText('Only those of this channel.')),
  tag: Type.Optional(SearchText('Only those with this tag.')),
}

export const listBindings = contract(
  {
    id: 'listBindings',
    method: 'GET',
    path: `${path}/bindings`,
    permission: 'Setup',
    tag: 'notifications',
    summary: 'List the bindings of a solution, newest first.',
  },
  () => ({
    params: solutionParams,
    query: StrictObject({ ...bindingFilter, ...pageFields() }),
    answers: {
      200: json(
        'A page.',
        StrictObject({
          bindings: Type.Array(bindingSchema),
          total: Type.Integer({ description: 'All bindings of the solution.' }),
          cursor,
        }),
      ),
    },
  }),
)

export const deleteBinding = contract(
  {
    id: 'deleteBinding',
    method: 'DELETE',
    path: `${path}/bindings/:sid`,
    permission: 'Setup',
    tag: 'notifications',
    summary: 'Delete a binding of a solution.',
    description: 'Its notifications that wait fail.',
  },
  () => ({
    params: StrictObject({
      solution: PathText('The id of a solution.'),
      sid: PathText('The sid of a binding.'),
    }),
    answers: { 204: nothing('It is deleted.') },
  }),
)

const payload = (channel: string) =>
  Type.Optional(AnyValue<unknown>({ description: `What differs for ${channel}.` }))

const previewSchema = component(
  'NotificationPreview',
  {
    channel: Type.String(),
    refused: Type.Optional(Type.String({ description: 'Why the channel would not take it.' })),
    provider: Type.Optional(Type.String()),
    shown: Type.Optional(
      StrictObject({
        by: Type.Enum(['device', 'application'], {
          description:
            '`application`: the device shows nothing by itself; the application gets the data.',
        }),
        title: Nullable(Type.String()),
        body: Nullable(Type.String()),
        sound: Nullable(Type.String()),
        data: AnyValue<unknown>({ description: 'What the application receives beside the texts.' }),
      }),
    ),
    headers: Type.Optional(RecordOf(Type.String())),
    body: Type.Optional(AnyValue<unknown>({ description: 'The body of the request.' })),
    unit: Type.Optional(Type.String({ description: 'The unit of `size` and `max`.' })),
    size: Type.Optional(Type.Integer()),
    max: Type.Optional(Type.Integer()),
    fits: Type.Optional(Type.Boolean()),
    encoding: Type.Optional(Type.String({ description: 'Of an SMS.' })),
    segments: Type.Optional(Type.Integer({ description: 'Of an SMS: the messages it costs.' })),
  },
  { description: 'A message in one channel: as it is shown, and as its provider would get it.' },
)

export const previewNotification = contract(
  {
    id: 'previewNotification',
    method: 'POST',
    path: `${path}/preview`,
    permission: 'Setup',
    tag: 'notifications',
    summary: 'Show a message as each channel would have it.',
    description:
      'Nothing is sent. The fields are the arguments of `send`, without those that say ' +
      'whom it is for.',
  },
  () => ({
    params: solutionParams,
    body: component('NotificationMessage', {
      Title: Type.Optional(Type.String()),
      Body: Type.Optional(Type.String()),
      Sound: Type.Optional(Type.String()),
      Action: Type.Optional(Type.String()),
      Data: Type.Optional(AnyValue<unknown>({ description: 'Data for the application.' })),
      Ttl: Type.Optional(Type.Integer({ description: 'Seconds.' })),
      Priority: Type.Optional(Type.Enum(['high', 'low'])),
      Apn: payload('apn'),
      Fcm: payload('fcm'),
      Gcm: payload('gcm'),
      Sms: payload('sms'),
    }),
    answers: {
      200: json('The channels.', StrictObject({ channels: Type.Array(previewSchema) })),
    },
    example: { request: { Title: 'Pump 7', Body: 'It is hot.', Sms: { from: '+15550009999' } } },
  }),
)
