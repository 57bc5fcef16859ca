import { createHash } from 'node:crypto'
import { notificationLimits } from '../limits.ts'
import type { BindingArguments } from '../operations.ts'
import { definitions, pushChannels } from '../payload/channels.ts'
import { parseList, refused, requiredText } from '../sending/arguments.ts'
import { type Channel, channels } from '../sending/channel.ts'

/** Ties an identity to an address of a channel. Times are microseconds. */
export type Binding = {
  readonly sid: string
  readonly serviceSid: string
  readonly number: number
  readonly endpoint: string
  readonly identity: string
  readonly channel: Channel
  readonly address: string
  readonly tags: readonly string[]
  readonly credentialSid: string | undefined
  readonly protocolVersion: string | undefined
  readonly createdAt: number
  readonly updatedAt: number
  /** When something was last sent to its address. */
  readonly sentAt: number | undefined
}

export type NewBinding = Omit<Binding, 'number' | 'createdAt' | 'updatedAt' | 'sentAt'>

/** The version of the data format that is current. */
const protocolVersion = '3'

/** @throws Fault invalid_argument */
export function readBinding(given: BindingArguments, sid: string): NewBinding {
  const channel = given.BindingType
  return {
    sid,
    serviceSid: given.ServiceSid,
    channel,
    tags: parseTags(given.Tag),
    address: parseAddress(channel, given.Address),
    endpoint: given.Endpoint,
    identity: given.Identity,
    credentialSid: checkCredential(channel, given.CredentialSid),
    protocolVersion: parseVersion(channel, given.NotificationProtocolVersion),
  }
}

/** @throws Fault invalid_argument */
export function parseChannel(value: unknown): Channel {
  const channel = channels.find((name) => name === value)
  if (channel !== undefined) return channel
  throw refused('BindingType', `must be one of ${channels.join(', ')}`)
}

/** Every binding has `all` and its channel's name by itself; nobody gives them. */
export const everyTag = 'all'

function parseTags(value: unknown): readonly string[] {
  const tags = parseList('Tag', value)
  for (const tag of tags) {
    if (tag.includes(',')) throw refused('Tag', 'may not hold a comma')
    if (tag === everyTag || channels.some((name) => name === tag)) {
      throw refused('Tag', `may not be ${tag}: bindings have it by themselves`)
    }
  }
  return tags
}

/** @throws Fault invalid_argument */
export function parseAddress(channel: Channel, value: unknown): string {
  const address = requiredText('Address', value, notificationLimits.notificationAddressCharsMax)
  const { shape, rule } = definitions[channel].address
  if (shape.test(address)) return address
  throw refused('Address', rule)
}

/** The endpoint of a binding that names none: the same for the same address of an identity. */
export function makeEndpoint(channel: string, identity: string, address: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([identity, address]))
    .digest('hex')
  return `${channel}:${hash.slice(0, 32)}`
}

const forPush = `is for ${pushChannels.slice(0, -1).join(', ')} and ${pushChannels.at(-1)} alone`

function checkCredential(channel: Channel, sid: string | undefined): string | undefined {
  if (sid === undefined || definitions[channel].isPush) return sid
  throw refused('CredentialSid', forPush)
}

function parseVersion(channel: Channel, given: unknown): string | undefined {
  if (!definitions[channel].isPush) {
    if (given === undefined) return undefined
    throw refused('NotificationProtocolVersion', forPush)
  }
  if (given === undefined || given === protocolVersion || given === 3) return protocolVersion
  throw refused('NotificationProtocolVersion', `must be ${protocolVersion}, the current one`)
}
