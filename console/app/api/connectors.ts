import { type components, type operations, unwrap } from '@millrace/client'
import type { Client } from './client.ts'

type Schemas = components['schemas']

export type Connector = Schemas['Connector']

/** The definition of a resource. */
export type Resource = Schemas['Resource']

/** Any part of a connector's settings; absent fields stay as they are. */
export type SettingsPart = Schemas['ConnectorChange']

/** Each is defined anew, whole; null takes it away; the others stay. */
export type ResourcesPart =
  operations['updateResources']['requestBody']['content']['application/json']

/** Oldest first. */
export async function listConnectors(
  client: Client,
  signal: AbortSignal | null = null,
): Promise<Connector[]> {
  const { connectors } = await unwrap(client.GET('/api:1/connectors', { signal }))
  return connectors
}

/** @throws ApiError `invalid_argument`, whose sentence names the setting, and others. */
export function changeConnector(
  client: Client,
  connector: string,
  body: SettingsPart,
): Promise<Connector> {
  const params = { path: { connector } }
  return unwrap(client.PATCH('/api:1/service/{connector}/device2', { params, body }))
}

/** @throws ApiError `invalid_argument`, whose sentence names the resource, and others. */
export function changeResources(
  client: Client,
  connector: string,
  body: ResourcesPart,
): Promise<Connector['resources']> {
  const params = { path: { connector } }
  return unwrap(client.PATCH('/api:1/service/{connector}/device2/resources', { params, body }))
}
