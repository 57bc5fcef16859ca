import {
  AnyValue,
  defineOperations,
  type Static,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import { isSid } from './ids.ts'
import { notificationLimits } from './limits.ts'
import { definitions, type OverrideField } from './payload/channels.ts'
import { channels } from './sending/channel.ts'

const { notificationNameCharsMax: nameCharsMax, notificationTtlSMax: ttlSMax } = notificationLimits
const charsMax = notificationLimits.notificationArgumentCharsMax

/** An empty text counts as left out; a number is taken as its text. */
const textKeywords = { numberAsText: true, emptyAsMissing: true, missing: 'is missing' }

function text(description: string, most: number) {
  return Type.Refine(
    Type.String({ description, ...textKeywords }),
    (given) => given.length <= most && !given.includes('\0'),
    (given) => (given.length > most ? `has at most ${most} characters` : 'holds a NUL'),
  )
}

function sid(description: string) {
  return Type.Refine(
    Type.String({
      description,
      emptyAsMissing: true,
      missing: 'is missing',
      rule: 'must be 34 letters and digits',
    }),
    isSid,
    () => 'must be 34 letters and digits',
  )
}

function optionalText(description: string) {
  return Type.Optional(text(description, charsMax))
}

/** A list, its JSON, or one text with commas. */
function list(description: string) {
  return Type.Optional(
    AnyValue<unknown>({ description: `${description}: a list, its JSON, or a text with commas.` }),
  )
}

function payload(description: string) {
  return Type.Optional(
    AnyValue<unknown>({ description: `${description}: a table, or the JSON of one.` }),
  )
}

function whole(description: string, maximum: number, preset: number) {
  return Type.Integer({
    description,
    minimum: 0,
    maximum,
    default: preset,
    digitsAsNumber: true,
    emptyAsMissing: true,
  })
}

/** The first microsecond of a day of UTC; undefined for a text that is no day. */
export function parseDay(day: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return undefined
  const ms = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(day)) return undefined
  return ms * 1_000
}

function day(description: string) {
  const rule = 'must be a day: YYYY-MM-DD'
  return Type.Optional(
    Type.Refine(
      Type.String({ description, emptyAsMissing: true, rule }),
      (given) => parseDay(given) !== undefined,
      () => rule,
    ),
  )
}

const serviceSid = sid('The id of the service: any 34 letters and digits.')
const bindingName = StrictObject({ ServiceSid: serviceSid, BindingSid: sid('The binding.') })

const bindingArguments = StrictObject({
  ServiceSid: serviceSid,
  BindingType: Type.Enum([...channels], {
    description: 'The channel.',
    rule: `must be one of ${channels.join(', ')}`,
  }),
  Tag: list('Tags of the binding'),
  Address: text('The address in the channel.', notificationLimits.notificationAddressCharsMax),
  Endpoint: text('The id of the device or the address: one binding each.', nameCharsMax),
  Identity: text('The person.', nameCharsMax),
  CredentialSid: Type.Optional(sid('Of `apn`, `fcm` and `gcm`: the credential to send with.')),
  NotificationProtocolVersion: Type.Optional(
    AnyValue<unknown>({ description: 'Of `apn`, `fcm` and `gcm`: `3`.', emptyAsMissing: true }),
  ),
})

function createListArguments() {
  return StrictObject({
    ServiceSid: serviceSid,
    Identity: list('Bindings of one of these identities'),
    Tag: list('Bindings with one of these tags'),
    StartDate: day('The first day on which they were made.'),
    EndDate: day('The last day.'),
    Page: whole('The number of the page, from 0.', notificationLimits.notificationPagesMax, 0),
    PageSize: Type.Refine(
      whole(
        'The most bindings.',
        notificationLimits.notificationPageMax,
        notificationLimits.notificationPageDefault,
      ),
      (size) => size > 0,
      () => 'must be at least 1',
    ),
  })
}

const overrides = Object.fromEntries(
  Object.values(definitions).map(({ field, meaning }) => [field, payload(meaning)]),
) as Readonly<Record<OverrideField, ReturnType<typeof payload>>>

const sendArguments = StrictObject({
  ServiceSid: serviceSid,
  Identity: list('The people'),
  Tag: list('The bindings that have one of these tags'),
  Body: optionalText('The text.'),
  Title: optionalText('The title.'),
  Sound: optionalText('The sound.'),
  Action: optionalText('The action of the notification.'),
  Data: payload('Data for the application'),
  Ttl: whole('Seconds until it is not delivered any more.', ttlSMax, ttlSMax),
  Priority: Type.Enum(['high', 'low'], {
    description: 'With `low`, devices may delay it.',
    default: 'high',
    emptyAsMissing: true,
    rule: 'must be low or high',
  }),
  ...overrides,
  dryRun: Type.Optional(
    AnyValue<unknown>({ description: 'True: return what would be sent, and send nothing.' }),
  ),
})

const binding = StrictObject({
  sid: Type.String(),
  url: Type.String(),
  tags: Type.String(),
  address: Type.String(),
  endpoint: Type.String(),
  identity: Type.String(),
  account_sid: Type.String(),
  service_sid: Type.String(),
  binding_type: Type.String(),
  date_created: Type.String({ description: 'RFC 2822.' }),
  date_updated: Type.String({ description: 'RFC 2822.' }),
  credential_sid: Type.String({ description: 'Empty if there is none.' }),
  notification_protocol_version: Type.String({ description: 'Empty if there is none.' }),
})

export const notificationOperations = defineOperations(() => ({
  createBinding: {
    description: 'Binds an identity to an address of a channel.',
    args: bindingArguments,
    result: binding,
  },
  getBinding: { description: 'Reads a binding.', reads: true, args: bindingName, result: binding },
  deleteBinding: {
    description: 'Deletes a binding; its notifications that wait fail.',
    args: bindingName,
    result: Type.Undefined({ description: 'nil' }),
  },
  listBinding: {
    description: 'Lists bindings.',
    reads: true,
    args: createListArguments(),
    result: StrictObject({
      meta: StrictObject({
        key: Type.Literal('bindings'),
        url: Type.String(),
        page: Type.Integer(),
        page_size: Type.Integer({ description: 'The number of bindings in this page.' }),
        next_page_url: Type.String({ description: 'Empty on the last page.' }),
        first_page_url: Type.String(),
        previous_page_url: Type.String({ description: 'Empty on the first page.' }),
      }),
      bindings: Type.Array(binding),
    }),
  },
  send: {
    description: 'Sends a notification to the bindings of identities or tags.',
    args: sendArguments,
    result: AnyValue<ScriptValue>({
      description: 'the notification, all of whose fields are strings; with `dryRun` the preview',
    }),
  },
}))

export type BindingArguments = Static<typeof bindingArguments>
export type ListArguments = Static<ReturnType<typeof createListArguments>>
export type SendArguments = Static<typeof sendArguments>
