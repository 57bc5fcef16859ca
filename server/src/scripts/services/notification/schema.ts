import {
  AnyValue,
  component,
  Microseconds,
  Nullable,
  OptionalMicroseconds,
  PageSize,
  RecordOf,
  SearchText,
  type StaticResult,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import { notificationLimits } from './limits.ts'

const pageFields = () => ({
  cursor: Type.Optional(
    Type.Integer({
      description: 'The `cursor` of a page.',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  ),
  limit: PageSize(),
})

/** The query of a page. */
export const createPageQuery = () => StrictObject(pageFields())
export type PageAsked = StaticResult<ReturnType<typeof createPageQuery>>

/** The query of a page of bindings. */
export const createBindingsQuery = () =>
  StrictObject({
    identity: Type.Optional(SearchText('Only bindings of this person.')),
    channel: Type.Optional(SearchText('Only those of this channel.')),
    tag: Type.Optional(SearchText('Only those with this tag.')),
    ...pageFields(),
  })
export type BindingsAsked = StaticResult<ReturnType<typeof createBindingsQuery>>

const count = Type.Integer()
const cursor = Type.Optional(Type.Integer({ description: 'Of the next page, if there is one.' }))

const states = {
  queued: count,
  sending: count,
  sent: count,
  failed: count,
  pruned: count,
}

/**
 * A job is one notification for one binding. It is `queued` in the transaction of `send`, or in
 * one that follows. The process that has its queue's lease gives it to the provider; the answer
 * makes it `sent`, `failed`, `pruned` (the binding is deleted, too), or leaves it `queued`.
 * Nothing is written when an attempt begins: a job in flight when its process died is still
 * `queued`, and is sent again by the next holder of the lease, with the same id, so that a provider
 * that deduplicates by id delivers it once. `sending` is a queued job in flight in this process.
 */
export type NotificationJobState = keyof typeof states

const summaryFields = {
  sid: Type.String(),
  serviceSid: Type.String(),
  title: Type.String(),
  body: Type.String(),
  tags: Type.Array(Type.String()),
  identities: Type.Array(Type.String()),
  acceptedAt: Microseconds(),
  expanded: Type.Boolean({
    description: 'True if `states` counts every binding of its audience.',
  }),
  states: StrictObject(states),
}

const summarySchema = component('Notification', summaryFields, {
  description: 'A notification, with the number of its deliveries in each state.',
})
export type NotificationSummary = StaticResult<typeof summarySchema>

export const notificationsSchema = StrictObject({
  notifications: Type.Array(summarySchema),
  cursor,
})
export type NotificationPage = StaticResult<typeof notificationsSchema>

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

/** An event of a delivery. */
const timelineEventSchema = StrictObject({
  at: Microseconds(),
  event: Type.Enum([...events]),
  text: Type.Optional(Type.String()),
})
export type TimelineEvent = StaticResult<typeof timelineEventSchema>

const deliverySchema = component('NotificationDelivery', {
  bindingSid: Type.String(),
  channel: Type.String(),
  address: Type.String(),
  state: Type.Enum(Object.keys(states) as NotificationJobState[]),
  tries: Type.Integer(),
  provider: Nullable(Type.String()),
  providerId: Nullable(Type.String(), { description: 'The id that the provider gave it.' }),
  reason: Nullable(Type.String(), { description: 'Why it failed.' }),
  timeline: Type.Array(timelineEventSchema),
})
export type DeliveryTimeline = StaticResult<typeof deliverySchema>

export const notificationTimelineSchema = component('NotificationTimeline', {
  ...summaryFields,
  deliveries: Type.Array(deliverySchema),
  cursor,
})
export type NotificationTimeline = StaticResult<typeof notificationTimelineSchema>

const unit = { description: 'The unit of `size` and `max`.' }

const sinkEntrySchema = component(
  'SinkEntry',
  {
    notificationSid: Type.String(),
    bindingSid: Type.String(),
    channel: Type.String(),
    address: Type.String(),
    at: Microseconds(),
    headers: RecordOf(Type.String(), {
      description: 'The headers of the request to a provider.',
    }),
    body: AnyValue<unknown>({ description: 'The body of the request to a provider.' }),
    unit: Type.String(unit),
    size: Type.Integer(),
    max: Type.Integer({ description: 'The largest size that the channel takes.' }),
  },
  { description: 'A message that the local sink has in place of a provider.' },
)
export type SinkEntry = StaticResult<typeof sinkEntrySchema>

export const sinkSchema = StrictObject({ arrived: Type.Array(sinkEntrySchema), cursor })
export type SinkPage = StaticResult<typeof sinkSchema>

export const channelSchema = component('NotificationChannel', {
  channel: Type.String(),
  provider: Type.String(),
  ratePerSecond: Nullable(Type.Number(), { description: 'Null: no limit.' }),
  pausedUntil: OptionalMicroseconds('The end of a pause.'),
  pauseReason: Nullable(Type.String()),
  fault: Nullable(Type.String(), {
    description: 'In words, if most answers point at a wrong configuration.',
  }),
  faultAt: OptionalMicroseconds('When the fault was found.'),
})
export type ChannelState = StaticResult<typeof channelSchema>

/** The source from which bindings of another service are imported. */
export const createBindingImportSchema = () =>
  component('BindingImport', {
    bindings: Type.Array(
      AnyValue<unknown>({
        description:
          '`{sid, service_sid, identity, binding_type, address, endpoint, tags, ' +
          'credential_sid, notification_protocol_version, date_created, date_updated}`',
      }),
      {
        maxItems: notificationLimits.notificationImportBatchMax,
        rule: `must be a list of at most ${notificationLimits.notificationImportBatchMax}`,
      },
    ),
    serviceSid: Type.Optional(Type.String({ description: 'In place of that of each binding.' })),
    dryRun: Type.Optional(Type.Boolean({ description: 'Nothing is written.' })),
  })
export type BindingImport = StaticResult<ReturnType<typeof createBindingImportSchema>>

export const bindingImportedSchema = component('BindingImported', {
  added: count,
  changed: count,
  unchanged: Type.Integer({ description: 'They were there, as they are or newer.' }),
  failed: Type.Array(
    StrictObject({
      row: Type.Integer({ description: 'The place in the request, from 0.' }),
      reason: Type.String(),
    }),
  ),
})
export type BindingImported = StaticResult<typeof bindingImportedSchema>

const bindingSchema = component(
  'NotificationBinding',
  {
    sid: Type.String(),
    serviceSid: Type.String(),
    identity: Type.String({ description: 'The person.' }),
    channel: Type.String(),
    address: Type.String({ description: 'The token of a device, or a number.' }),
    endpoint: Type.String({ description: 'One application on one device.' }),
    tags: Type.Array(Type.String()),
    credentialSid: Nullable(Type.String()),
    createdAt: Microseconds(),
    updatedAt: Microseconds(),
    sentAt: OptionalMicroseconds(
      'When something was last sent to its address, to an hour; null: not yet.',
    ),
  },
  { description: 'Where a person is reached.' },
)

export const bindingsSchema = StrictObject({
  bindings: Type.Array(bindingSchema),
  total: Type.Integer({ description: 'All bindings of the solution.' }),
  cursor,
})
export type BindingsPage = StaticResult<typeof bindingsSchema>

/** A payload as its device shows it. */
const shownSchema = StrictObject({
  by: Type.Enum(['device', 'application'], {
    description:
      '`application`: the device shows nothing by itself; the application gets the data.',
  }),
  title: Nullable(Type.String()),
  body: Nullable(Type.String()),
  sound: Nullable(Type.String()),
  data: AnyValue<unknown>({ description: 'What the application receives beside the texts.' }),
})
export type Shown = StaticResult<typeof shownSchema>

export const previewSchema = component(
  'NotificationPreview',
  {
    channel: Type.String(),
    refused: Type.Optional(Type.String({ description: 'Why the channel would not take it.' })),
    provider: Type.Optional(Type.String()),
    shown: Type.Optional(shownSchema),
    headers: Type.Optional(RecordOf(Type.String())),
    body: Type.Optional(AnyValue<unknown>({ description: 'The body of the request.' })),
    unit: Type.Optional(Type.String(unit)),
    size: Type.Optional(Type.Integer()),
    max: Type.Optional(Type.Integer()),
    fits: Type.Optional(Type.Boolean()),
    encoding: Type.Optional(Type.String({ description: 'Of an SMS.' })),
    segments: Type.Optional(Type.Integer({ description: 'Of an SMS: the messages it costs.' })),
  },
  { description: 'A message in one channel: as it is shown, and as its provider would get it.' },
)
export type ChannelPreview = StaticResult<typeof previewSchema>

const payload = (channel: string) =>
  Type.Optional(AnyValue<unknown>({ description: `What differs for ${channel}.` }))

export const messageSchema = component('NotificationMessage', {
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
})
