import { type components, type operations, unwrap } from '@millrace/client'
import type { Client } from '../client.ts'
import { get } from '../endpoint.ts'

/** What the business has and uses, with its quotas. */
export type Usage = components['schemas']['BusinessUsage']
/** How long data are kept, by kind. */
export type Retention = operations['getRetention']['responses'][200]['content']['application/json']

export const readUsage = get('/api:1/usage')

export const readRetention = get('/api:1/retention')

/** Hours for which values are kept that a connector feeds; null: as the business has it. */
export const readConnectorRetention = get('/api:1/connectors/{connector}/retention', 'hours')

export async function setConnectorRetention(
  client: Client,
  connector: string,
  hours: number | null,
): Promise<void> {
  const params = { path: { connector } }
  await unwrap(client.PUT('/api:1/connectors/{connector}/retention', { params, body: { hours } }))
}
