import { type components, errorIn, type operations, unwrap } from '@millrace/client'
import { fileMsMax } from './asset-files.ts'
import type { Client } from './client.ts'
import { find, get, patch, post, put, remove } from './endpoint.ts'

/** An identity of a connector, with the latest values of its device. */
export type Device = components['schemas']['Identity']

export type DeviceStatus = Device['status']

export type ResourceState = NonNullable<Device['state'][string]>

export type DevicePage =
  operations['listIdentities']['responses'][200]['content']['application/json']

/** The part of an identity that an operator changes; absent fields stay as they are. */
export type IdentityPart = components['schemas']['IdentityInput']

/** Selects devices; an absent field matches all. */
export type DeviceFilter = {
  /** Only identities that hold this text. */
  readonly text?: string
  readonly status?: DeviceStatus
  /** The name of a tag, and its value behind a colon. */
  readonly tag?: string
  readonly online?: boolean
  /** An address or a CIDR range. */
  readonly address?: string
}

type Wanted = DeviceFilter & {
  readonly limit: number
  /** The place of the last device of the page before: `devicePlace`. */
  readonly before?: string | undefined
  /** True if those that the filters select are counted. */
  readonly count?: boolean
}

const listIdentities = find('/api:1/service/{connector}/device2/identity')

/** Seen last first. @throws ApiError `invalid_argument` for a filter, and others. */
export function listDevices(
  client: Client,
  connector: string,
  { limit, before, count, ...filter }: Wanted,
  signal: AbortSignal | null = null,
): Promise<DevicePage> {
  return listIdentities(client, connector, { ...toQuery(filter), limit, before, count }, signal)
}

function toQuery({ text = '', status, tag = '', online, address = '' }: DeviceFilter) {
  const [, name = '', value] = /^([^:]*)(?::(.*))?$/s.exec(tag) ?? []
  return {
    ...(text !== '' && { identity: literal(text) }),
    ...(status !== undefined && { status }),
    ...(name !== '' && { tag: name }),
    ...(name !== '' && value !== undefined && { tag_value: value }),
    ...(online !== undefined && { online }),
    ...(address !== '' && { ipaddress: address }),
  }
}

/** The identities that a filter selects, as CSV. @throws ApiError `invalid_argument`. */
export async function exportDevices(
  client: Client,
  connector: string,
  filter: DeviceFilter,
): Promise<string> {
  const query = Object.entries(toQuery(filter)).map(([name, value]): [string, string] => [
    name,
    `${value}`,
  ])
  const where = `/api:1/service/${encodeURIComponent(connector)}/device2/identities`
  const options = { timeoutMs: fileMsMax }
  const response = await client.request(`${where}?${new URLSearchParams(query)}`, options)
  if (!response.ok) throw await errorIn(response)
  return response.text()
}

/** The place of a device in the list, behind which the next page begins. */
export function devicePlace({ lastseen, identity }: Device): string {
  return `${lastseen ?? 0}:${identity}`
}

const path = '/api:1/service/{connector}/device2/identity/{identity}'

/** @throws ApiError `unknown_identity` and others. */
export const readDevice = get(path)

/** Lets an identity in, or changes one. @throws ApiError `invalid_argument` and others. */
export async function putDevice(
  client: Client,
  connector: string,
  identity: string,
  body: IdentityPart,
): Promise<Device> {
  const params = { path: { connector, identity } }
  const answer = await unwrap(client.PUT(path, { params, body }))
  if ('certificate' in answer) throw new Error('no certificate was asked for')
  return answer
}

/** Ends an identity, with its credential and its values. */
export const removeDevice = remove(path)

type ManyChange = NonNullable<
  operations['changeIdentities']['requestBody']
>['content']['application/json']

/** Something that is done to many devices at once. */
export type DeviceChange = ManyChange['change']

/** The devices that a filter selects, or at most 500 by their identities. */
export type DeviceSelection =
  | { readonly filter: DeviceFilter }
  | { readonly identities: readonly string[] }

const changeIdentities = post('/api:1/service/{connector}/device2/identities/change')

/**
 * Changes some of the devices that are selected, in the order of their names; `next` of the answer
 * is `after` for the next ones. @throws ApiError `reprovision_refused` and others.
 */
export function changeDevices(
  client: Client,
  connector: string,
  change: DeviceChange,
  which: DeviceSelection,
  after?: string,
): Promise<components['schemas']['IdentitiesChanged']> {
  const selected = 'filter' in which ? { filter: toQuery(which.filter) } : which
  const body = { change, ...selected, ...(after !== undefined && { after }) }
  return changeIdentities(client, connector, body)
}

/** Sets values of a device. @throws ApiError `value_refused`, `not_settable` and others. */
export const setValues = patch(`${path}/state`)

export type Tag = Device['tags'][number]

/** Adds and removes tags of a device; the others stay. */
export const changeTags = patch(`${path}/tags`)

export type Rotation = components['schemas']['Rotation']
export type OpenedRotation = components['schemas']['OpenedRotation']
export type RotationPart = NonNullable<
  operations['openRotation']['requestBody']
>['content']['application/json']

/** The open rotation of a device's credential. @throws ApiError `not_found` if there is none. */
export const readRotation = get(`${path}/rotation`)

/** Opens a rotation; its answer alone has the new token. */
export const openRotation = put(`${path}/rotation`)

export const cancelRotation = remove(`${path}/rotation`)

/** The API takes a pattern. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
