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

export type NewConnector = Schemas['NewConnector']

/** A definition as another platform exported it. */
export type ImportedConnector = Schemas['ImportedConnector']

/** What depends on something that is to be deleted. */
export type DeletionPreview = Schemas['DeletionPreview']

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

/** @throws ApiError `already_exists` for an id that is taken, and others. */
export function createConnector(client: Client, body: NewConnector): Promise<Connector> {
  return unwrap(client.POST('/api:1/connectors', { body }))
}

/** The connector, and the fields of the definition that have no meaning here. */
export function importConnector(client: Client, body: ImportedConnector) {
  return unwrap(client.POST('/api:1/connectors/import', { body }))
}

/** What depends on a connector. */
export function readDependants(
  client: Client,
  connector: string,
  signal: AbortSignal | null = null,
): Promise<DeletionPreview> {
  const params = { path: { connector } }
  return unwrap(client.GET('/api:1/connectors/{connector}/dependants', { params, signal }))
}

/** Deletes a connector with what depends on it. @param confirm its name or its id. */
export async function removeConnector(
  client: Client,
  connector: string,
  confirm: string,
): Promise<void> {
  const params = { path: { connector }, query: { confirm } }
  await unwrap(client.DELETE('/api:1/connectors/{connector}', { params }))
}
