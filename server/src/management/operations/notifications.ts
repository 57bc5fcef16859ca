import {
  AnyValue,
  component,
  limits,
  Microseconds,
  Nullable,
  OptionalMicroseconds,
  omitUndefined,
  RecordOf,
  StrictObject,
  Type,
} from '../../kernel/index.ts'
import { solutionIn } from '../calls.ts'
import { does, lists, PageSize, PathText, SearchText, shows } from '../contract/common.ts'
import { operations } from '../operation.ts'

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

const on = operations('notifications', 'Setup', '/api:1/solution/:solution/notifications', {
  params: { sid: PathText('The sid of a notification.') },
})
const bindings = operations(
  'notifications',
  'Setup',
  '/api:1/solution/:solution/notifications/bindings',
  { params: { sid: PathText('The sid of a binding.') } },
)

export const listNotifications = on.get(
  '',
  'List the notifications of a solution, newest first.',
  () => ({
    query: createPageQuery(),
    ...shows('A page.', StrictObject({ notifications: Type.Array(notificationSchema), cursor })),
  }),
  async ({ notifications, scripting }, call) =>
    omitUndefined(await notifications.list(...(await solutionIn(scripting, call)), call.query)),
)

export const getNotification = on.get(
  '/:sid',
  'Show a notification with the timelines of its deliveries.',
  () => ({
    query: createPageQuery(),
    ...shows(
      'The notification, with a page of its deliveries.',
      component('NotificationTimeline', {
        ...summaryFields,
        deliveries: Type.Array(deliverySchema),
        cursor,
      }),
    ),
  }),
  async ({ notifications, scripting }, call) => {
    const where = await solutionIn(scripting, call)
    return omitUndefined(await notifications.show(...where, call.params.sid, call.query))
  },
)

export const listSinkEntries = on.get(
  '/sink',
  'List the messages that the local sink has, newest first.',
  () => ({
    query: createPageQuery(),
    ...shows('A page.', StrictObject({ arrived: Type.Array(sinkEntrySchema), cursor })),
  }),
  async ({ notifications, scripting }, call) =>
    omitUndefined(await notifications.sink(...(await solutionIn(scripting, call)), call.query)),
)

export const listChannels = on.get(
  '/channels',
  'Show the provider, the pause and the fault of each channel of a solution.',
  () => lists('channels', channelSchema, 'The channels.'),
  async ({ notifications, scripting }, call) =>
    await notifications.channels(...(await solutionIn(scripting, call))),
)

export const importBindings = bindings.post(
  '',
  'Import bindings of another service.',
  () => ({
    description: 'A binding that is not valid is listed in `failed`; the others are imported.',
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
      serviceSid: Type.Optional(Type.String({ description: 'In place of that of each binding.' })),
      dryRun: Type.Optional(Type.Boolean({ description: 'Nothing is written.' })),
    }),
    ...shows(
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
    example: {
      request: {
        bindings: [{ identity: 'ann', binding_type: 'sms', address: '+15550100' }],
        dry_run: true,
      },
      answer: { added: 1, changed: 0, unchanged: 0, failed: [] },
    },
  }),
  async ({ notifications, scripting }, call) => {
    const [businessId, solutionId] = await solutionIn(scripting, call)
    const { bindings, serviceSid, dryRun = false } = call.body
    const where = { businessId, solutionId }
    return await notifications.importBindings(where, bindings, { serviceSid, dryRun })
  },
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

export const listBindings = bindings.get(
  '',
  'List the bindings of a solution, newest first.',
  () => ({
    query: StrictObject({ ...bindingFilter, ...pageFields() }),
    ...shows(
      'A page.',
      StrictObject({
        bindings: Type.Array(bindingSchema),
        total: Type.Integer({ description: 'All bindings of the solution.' }),
        cursor,
      }),
    ),
  }),
  async ({ notifications, scripting }, call) => {
    const [businessId, solutionId] = await solutionIn(scripting, call)
    const page = await notifications.bindings.list({ businessId, solutionId }, call.query)
    return omitUndefined(page)
  },
)

export const deleteBinding = bindings.remove(
  '/:sid',
  'Delete a binding of a solution.',
  () => ({
    description: 'Its notifications that wait fail.',
    ...does('It is deleted.'),
  }),
  async ({ notifications, scripting }, call) => {
    const [businessId, solutionId] = await solutionIn(scripting, call)
    await notifications.bindings.remove({ businessId, solutionId }, call.params.sid)
  },
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

export const previewNotification = on.post(
  '/preview',
  'Show a message as each channel would have it.',
  () => ({
    description:
      'Nothing is sent. The fields are the arguments of `send`, without those that say ' +
      'whom it is for.',
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
    ...lists('channels', previewSchema, 'The channels.'),
    example: { request: { Title: 'Pump 7', Body: 'It is hot.', Sms: { from: '+15550009999' } } },
  }),
  async ({ notifications, scripting }, call) => {
    const [, solutionId] = await solutionIn(scripting, call)
    return { channels: await notifications.preview(solutionId, call.body) }
  },
)
