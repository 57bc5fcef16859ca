import { type Client, call } from './call.ts'

/** The settings of a connector that the page shows. */
export type Connector = {
  readonly id: string
  readonly name: string
  readonly description: string
  /** The host that devices call. */
  readonly fqdn: string
  readonly protocol: { readonly name: string; readonly devmode: boolean }
  readonly provisioning: { readonly enabled: boolean; readonly generate_identity: boolean }
  readonly resources: Readonly<Record<string, Resource>>
}

/** What a resource is. */
export type Resource = {
  readonly format: 'number' | 'string' | 'boolean'
  readonly unit?: string
  readonly settable: boolean
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
