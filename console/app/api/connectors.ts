import { type Client, call } from './call.ts'

/** The settings of a connector that the page shows. */
export type Connector = {
  readonly id: string
  readonly name: string
  readonly description: string
  /** The host that devices call. */
  readonly fqdn: string
  readonly protocol: { readonly name: string; readonly devmode: boolean }
  readonly identity_format: {
    readonly prefix: string
    readonly type: IdentityType
    readonly options: { readonly casing: IdentityCasing; readonly length: number | null }
  }
  readonly provisioning: {
    readonly auth_type: AuthType
    readonly enabled: boolean
    readonly generate_identity: boolean
    readonly ip_whitelisting: { readonly enabled: boolean; readonly allowed: readonly string[] }
    readonly reprovision: { readonly policy: ReprovisionPolicy; readonly data: ReprovisionData }
    readonly identities_max: number
    /** Self-registrations that one address may make. */
    readonly registrations_per_minute: number
  }
  readonly resources: Readonly<Record<string, Resource>>
}

export const authTypes = ['token', 'password', 'certificate'] as const
export type AuthType = (typeof authTypes)[number]

export const reprovisionPolicies = ['on_order', 'never'] as const
export type ReprovisionPolicy = (typeof reprovisionPolicies)[number]

export const reprovisionData = ['keep', 'anew'] as const
export type ReprovisionData = (typeof reprovisionData)[number]

export const identityTypes = [
  'opaque',
  'number',
  'mac_colon',
  'mac_dash',
  'mac_plain',
  'uuid',
] as const
export type IdentityType = (typeof identityTypes)[number]

export const identityCasings = ['any', 'upper', 'lower'] as const
export type IdentityCasing = (typeof identityCasings)[number]

export const resourceFormats = ['number', 'string', 'boolean'] as const

/** The definition of a resource. */
export type Resource = {
  readonly format: (typeof resourceFormats)[number]
  readonly unit?: string
  /** Literals, and for numbers ranges such as `9-11`; empty for whatever has the format. */
  readonly allowed: readonly string[]
  readonly settable: boolean
  /** The value that is set on a new device. */
  readonly initial?: string
  readonly sync?: boolean
}

/** Oldest first. Needs `Setup`. */
export async function listConnectors(client: Client, signal?: AbortSignal): Promise<Connector[]> {
  const { connectors } = await call<{ readonly connectors: Connector[] }>(
    client,
    '/api:1/connectors',
    { signal },
  )
  return connectors
}

/** Any part of a connector's settings; absent fields stay as they are. */
export type SettingsPart = {
  readonly name?: string
  readonly description?: string
  readonly protocol?: { readonly devmode: boolean }
  readonly identity_format?: {
    readonly prefix?: string
    readonly type?: IdentityType
    readonly options?: { readonly casing?: IdentityCasing; readonly length?: number | null }
  }
  readonly provisioning?: {
    readonly auth_type?: AuthType
    readonly enabled?: boolean
    readonly generate_identity?: boolean
    readonly ip_whitelisting?: { readonly enabled?: boolean; readonly allowed?: readonly string[] }
    readonly reprovision?: {
      readonly policy?: ReprovisionPolicy
      readonly data?: ReprovisionData
    }
    readonly identities_max?: number
    readonly registrations_per_minute?: number
  }
}

/** Each is defined anew, whole; null takes it away; the others stay. */
export type ResourcesPart = Readonly<Record<string, Resource | null>>

/** @throws Problem `invalid_argument`, whose sentence names the setting, and others. */
export function changeConnector(
  client: Client,
  connectorId: string,
  part: SettingsPart,
): Promise<Connector> {
  const path = `/api:1/service/${encodeURIComponent(connectorId)}/device2`
  return call<Connector>(client, path, { method: 'PATCH', body: part })
}

/** @throws Problem `invalid_argument`, whose sentence names the resource, and others. */
export async function changeResources(
  client: Client,
  connectorId: string,
  part: ResourcesPart,
): Promise<Connector['resources']> {
  const path = `/api:1/service/${encodeURIComponent(connectorId)}/device2/resources`
  return call<Connector['resources']>(client, path, { method: 'PATCH', body: part })
}
