import { type components, type operations, unwrap } from '@millrace/client'
import type { Client } from './client.ts'

/** An identity of a connector, with the latest values of its device. */
export type Device = components['schemas']['Identity']

export type DeviceStatus = Device['status']

export type ResourceState = NonNullable<Device['state'][string]>

export type DevicePage =
  operations['listIdentities']['responses'][200]['content']['application/json']

/** The part of an identity that an operator changes; absent fields stay as they are. */
export type IdentityPart = components['schemas']['IdentityInput']

type Wanted = {
  readonly limit: number
  /** Only identities that hold this text; empty for all. */
  readonly text: string
}

/** Seen last first. */
export function listDevices(
  client: Client,
  connector: string,
  { limit, text }: Wanted,
  signal: AbortSignal | null = null,
): Promise<DevicePage> {
  const params = { path: { connector }, query: { limit, identity: literal(text) } }
  return unwrap(client.GET('/api:1/service/{connector}/device2/identity', { params, signal }))
}

const path = '/api:1/service/{connector}/device2/identity/{identity}'

/** @throws ApiError `unknown_identity` and others. */
export function readDevice(
  client: Client,
  connector: string,
  identity: string,
  signal: AbortSignal | null = null,
): Promise<Device> {
  const params = { path: { connector, identity } }
  return unwrap(client.GET(path, { params, signal }))
}

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
export async function removeDevice(
  client: Client,
  connector: string,
  identity: string,
): Promise<void> {
  const params = { path: { connector, identity } }
  await unwrap(client.DELETE(path, { params }))
}

/** The API takes a pattern. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
