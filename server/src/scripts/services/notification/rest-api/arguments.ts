import { parseJsonObject } from '../../../../foundation/kernel/index.ts'
import { makeEndpoint, parseAddress, parseChannel } from '../bindings/binding.ts'
import { refused } from '../sending/arguments.ts'
import type { Direct } from '../sending/message.ts'
import type { FormFields } from './request.ts'
import { channelNamed } from './wire.ts'

/** Addresses without a binding in one notification. */
const notificationDirectMax = 10_000

/** The arguments of an operation, from a form. */
export type FormArguments = Record<string, string | string[]>

const lists = ['Tag', 'Identity']

/** Fields of the legacy API that are not supported. */
const notServed = ['Alexa', 'DeliveryCallbackUrl', 'Segment']

/** A repeated field is a list. @throws Fault invalid_argument */
function parseArguments(fields: FormFields, listed: readonly string[]): FormArguments {
  const pairs = [...fields].map(([name, values]): [string, string | string[]] => {
    if (notServed.includes(name)) throw refused(name, 'is not served here')
    if (listed.includes(name)) return [name, values.filter((one) => one !== '')]
    if (values.length > 1) throw refused(name, 'is given more than once')
    return [name, values[0] ?? '']
  })
  return Object.fromEntries(pairs)
}

function tagsIn(args: FormArguments): FormArguments {
  const { Tag } = args
  return Array.isArray(Tag) ? { ...args, Tag: Tag.map(channelNamed) } : args
}

/** A missing Endpoint is made of the rest, so that a second registration replaces the first. */
export function bindingArguments(fields: FormFields, serviceSid: string): FormArguments {
  const args = parseArguments(fields, ['Tag'])
  const BindingType = channelNamed(String(args.BindingType ?? ''))
  const { Endpoint, Identity, Address } = args
  const own = Endpoint === undefined || Endpoint === ''
  return {
    ...args,
    ServiceSid: serviceSid,
    BindingType,
    ...(own ? { Endpoint: makeEndpoint(BindingType, String(Identity), String(Address)) } : {}),
  }
}

export function listArguments(fields: FormFields, serviceSid: string): FormArguments {
  const { PageToken, Page, PageSize, ...args } = tagsIn(parseArguments(fields, lists))
  return { ...args, ServiceSid: serviceSid }
}

export type SendFields = { readonly args: FormArguments; readonly direct: readonly Direct[] }

export function sendArguments(fields: FormFields, serviceSid: string): SendFields {
  const given = parseArguments(fields, [...lists, 'ToBinding'])
  const { ToBinding, FacebookMessenger, Sms, dryRun, ...args } = tagsIn(given)
  if (dryRun !== undefined) throw refused('dryRun', 'is not served here')
  const messenger = FacebookMessenger === undefined ? {} : { VendorMessenger: FacebookMessenger }
  const sms = Sms === undefined ? {} : { Sms: smsPayload(String(Sms)) }
  return {
    args: { ...args, ...sms, ...messenger, ServiceSid: serviceSid },
    direct: Array.isArray(ToBinding) ? parseDirect(ToBinding) : [],
  }
}

/** The legacy API's `media_urls` is `media_url` in the spec. */
function smsPayload(text: string): string {
  const { media_urls: media, ...payload } = parseJsonObject(text) ?? {}
  return media === undefined ? text : JSON.stringify({ media_url: media, ...payload })
}

/** Each address once. @throws Fault invalid_argument */
function parseDirect(texts: readonly string[]): Direct[] {
  const max = notificationDirectMax
  if (texts.length > max) throw refused('ToBinding', `has at most ${max} items`)
  const direct = texts.map((text): [string, Direct] => {
    const { binding_type: type, address, ...rest } = parseJsonObject(text) ?? {}
    if (type === undefined || address === undefined || Object.keys(rest).length > 0) {
      throw refused('ToBinding', 'must be JSON: {"binding_type": "sms", "address": "+15551234567"}')
    }
    const channel = parseChannel(channelNamed(String(type)))
    const one = { channel, address: parseAddress(channel, address) }
    return [`${one.channel} ${one.address}`, one]
  })
  return [...new Map(direct).values()]
}

/** A number in a query. @throws Fault invalid_argument */
export function numberIn(fields: FormFields, name: string): string {
  const values = fields.get(name) ?? []
  if (values.length > 1) throw refused(name, 'is given more than once')
  return values[0] ?? ''
}
