import { type Client, call } from './call.ts'

/** An identity of a connector, and what the device that has it said last. */
export type Device = {
  readonly identity: string
  readonly status: DeviceStatus
  readonly online: boolean
  readonly lastip: string | null
  /** Microseconds since 1970; null where it was never heard. */
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
  /** What the device said; null where it never did. */
  readonly reported: string | null
  /** What it shall be. */
  readonly set: string
  /** When either was written, microseconds since 1970. */
  readonly timestamp: number
}

export type DevicePage = {
  readonly mayLoadMore: boolean
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

function identities(connectorId: string): string {
  return `/api:1/service/${encodeURIComponent(connectorId)}/device2/identity`
}

/** The API takes a pattern. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
