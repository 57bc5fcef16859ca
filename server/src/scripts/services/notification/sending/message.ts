import { type JsonObject, limits } from '../../../../foundation/kernel/index.ts'
import type { SendArguments } from '../operations.ts'
import { definitions } from '../payload/channels.ts'
import { parseFlag, parseList, parsePayload, refused } from './arguments.ts'
import { type Channel, channels, type Message } from './channel.ts'

/** An address that has no binding. */
export type Direct = { readonly channel: Channel; readonly address: string }

/** The arguments of `send`, read. */
export type SendRequest = {
  readonly serviceSid: string
  readonly identities: readonly string[]
  readonly tags: readonly string[]
  /** Addresses in place of an audience. */
  readonly direct: readonly Direct[]
  readonly message: Message
  /** Only tell who would get what. */
  readonly dryRun: boolean
}

/** @throws Fault invalid_argument */
export function readSend(
  given: SendArguments,
  acceptedAtMs: number,
  direct: readonly Direct[] = [],
): SendRequest {
  const { ServiceSid: serviceSid } = given
  const [identities, tags] = [parseList('Identity', given.Identity), parseList('Tag', given.Tag)]
  const chosen = identities.length + tags.length
  if (chosen + direct.length === 0) {
    throw refused('Identity or Tag', 'is missing; the tag all names every binding')
  }
  if (chosen > 0 && direct.length > 0) {
    throw refused('ToBinding', 'stands in place of Identity and Tag, not beside them')
  }
  if (parsePayload('VendorMessenger', given.VendorMessenger) !== undefined) {
    throw refused('VendorMessenger', 'is not available yet')
  }
  const data = parsePayload('Data', given.Data)
  if (data !== undefined) rejectReserved('Data', data)
  const message = {
    body: given.Body,
    title: given.Title,
    sound: given.Sound,
    action: given.Action,
    data,
    ttlS: given.Ttl,
    priority: given.Priority,
    overrides: parseOverrides(given),
    acceptedAtMs,
  }
  const dryRun = parseFlag('dryRun', given.dryRun)
  return { serviceSid, identities, tags, direct, message, dryRun }
}

function parseOverrides(given: SendArguments): Message['overrides'] {
  const overrides: Partial<Record<Channel, JsonObject>> = {}
  for (const channel of channels) {
    const { field, targets } = definitions[channel]
    const payload = parsePayload(field, given[field])
    if (payload === undefined) continue
    const target = targets.find((key) => Object.hasOwn(payload, key))
    if (target !== undefined) throw refused(field, `may not hold the target parameter ${target}`)
    rejectReserved(field, payload)
    overrides[channel] = payload
  }
  return overrides
}

/** Keys of this service's own, wherever they stand: a device would take them for its words. */
function rejectReserved(field: string, payload: JsonObject): void {
  let level: object[] = [payload]
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limits.scriptValueDepthMax) {
      throw refused(field, `is deeper than ${limits.scriptValueDepthMax}`)
    }
    for (const one of level) {
      if (Array.isArray(one)) continue
      const reserved = Object.keys(one).find((key) => key.startsWith('vnd_'))
      if (reserved === undefined) continue
      const name = reserved.slice(0, 40)
      throw refused(field, `holds ${name}: keys that start with vnd_ are reserved`)
    }
    level = level.flatMap((one) => Object.values(one)).filter(isNested)
  }
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
