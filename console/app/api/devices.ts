import { type Client, call } from './call.ts'

/** An identity of a connector, with the latest values of its device. */
export type Device = {
  readonly identity: string
  readonly status: DeviceStatus
  readonly online: boolean
  readonly lastip: string | null
  /** Microseconds since 1970; null if it never connected. */
  readonly lastseen: number | null
  readonly tags: readonly { readonly name: string; readonly value: string }[]
  /** By the resource's alias. */
  readonly state: Readonly<Record<string, ResourceState>>
}

export type DeviceStatus =
  | 'whitelisted'
  | 'provisioned'
  | 'locked'
  | 'reprovision'
  | 'expired'
  | 'devmode'

export type ResourceState = {
  /** The device's last value; null if it never wrote one. */
  readonly reported: string | null
  /** The value that the cloud has set. */
  readonly set: string
  /** When either was written, microseconds since 1970. */
  readonly timestamp: number
}

export type DevicePage = {
  readonly mayLoadMore: boolean
  /** The number of all identities of the connector. */
  readonly total: number
  /** Seen last first. */
  readonly devices: readonly Device[]
}

type Wanted = {
  /** 1 to 1000. */
  readonly limit: number
  /** Only identities that hold this text; empty for all. */
  readonly text: string
}

export function listDevices(
  client: Client,
  connectorId: string,
  { limit, text }: Wanted,
  signal?: AbortSignal,
): Promise<DevicePage> {
  const query = new URLSearchParams({ limit: `${limit}`, identity: literal(text) })
  const path = `${identities(connectorId)}/?${query}`
  return call<DevicePage>(client, path, { signal })
}

/** @throws Problem `unknown_identity` and others. */
export function readDevice(
  client: Client,
  connectorId: string,
  identity: string,
  signal?: AbortSignal,
): Promise<Device> {
  const path = `${identities(connectorId)}/${encodeURIComponent(identity)}`
  return call<Device>(client, path, { signal })
}

/** The part of an identity that an operator changes; absent fields stay as they are. */
export type IdentityPart = {
  /** When its window closes, microseconds since 1970; null for never. */
  readonly auth?: { readonly expire: number | null }
  readonly locked?: boolean
  readonly reprovision?: boolean
}

/** Lets an identity in, or changes one. @throws Problem `invalid_argument` and others. */
export function putDevice(
  client: Client,
  connectorId: string,
  identity: string,
  part: IdentityPart,
): Promise<Device> {
  const path = `${identities(connectorId)}/${encodeURIComponent(identity)}`
  return call<Device>(client, path, { method: 'PUT', body: part })
}

/** Ends an identity, with its credential and its values. */
export async function removeDevice(
  client: Client,
  connectorId: string,
  identity: string,
): Promise<void> {
  const path = `${identities(connectorId)}/${encodeURIComponent(identity)}`
  await call<undefined>(client, path, { method: 'DELETE' })
}

function identities(connectorId: string): string {
  return `/api:1/service/${encodeURIComponent(connectorId)}/device2/identity`
}

/** The API takes a pattern. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
