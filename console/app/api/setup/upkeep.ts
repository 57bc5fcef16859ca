import type { components, operations } from '@millrace/client'
import { get, put } from '../endpoint.ts'

/** The use of the business, with its quotas. */
export type Usage = components['schemas']['BusinessUsage']
/** The periods for which data are kept, by kind. */
export type Retention = operations['getRetention']['responses'][200]['content']['application/json']

export const readUsage = get('/api:1/usage')

export const readRetention = get('/api:1/retention')

const ofConnector = '/api:1/connectors/{connector}/retention'

/** Hours for which values are kept that a connector feeds; null: as the business has it. */
export const readConnectorRetention = get(ofConnector, 'hours')

export const setConnectorRetention = put(ofConnector)
