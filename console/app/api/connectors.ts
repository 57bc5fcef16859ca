import type { components, operations } from '@millrace/client'
import { get, patch, post, removeWith } from './endpoint.ts'

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

/** The dependants of something that is to be deleted. */
export type DeletionPreview = Schemas['DeletionPreview']

/** Oldest first. */
export const listConnectors = get('/api:1/connectors', 'connectors')

/** @throws ApiError `invalid_argument`, whose sentence names the setting, and others. */
export const changeConnector = patch('/api:1/service/{connector}/device2')

/** @throws ApiError `invalid_argument`, whose sentence names the resource, and others. */
export const changeResources = patch('/api:1/service/{connector}/device2/resources')

/** @throws ApiError `already_exists` for an id that is taken, and others. */
export const createConnector = post('/api:1/connectors')

/** The connector, and the fields of the definition that have no meaning here. */
export const importConnector = post('/api:1/connectors/import')

/** Reads the dependants of a connector. */
export const readDependants = get('/api:1/connectors/{connector}/dependants')

/** Deletes a connector with what depends on it. @param confirm its name or its id. */
export const removeConnector = removeWith('/api:1/connectors/{connector}')
