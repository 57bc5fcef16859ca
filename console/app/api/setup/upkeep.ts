import { type components, type operations, unwrap } from '@millrace/client'
import type { Client } from '../client.ts'

/** What the business has and uses, with its quotas. */
export type Usage = components['schemas']['BusinessUsage']
/** How long data are kept, by kind. */
export type Retention = operations['getRetention']['responses'][200]['content']['application/json']

export function readUsage(client: Client, signal: AbortSignal | null = null): Promise<Usage> {
  return unwrap(client.GET('/api:1/usage', { signal }))
}

export function readRetention(
  client: Client,
  signal: AbortSignal | null = null,
): Promise<Retention> {
  return unwrap(client.GET('/api:1/retention', { signal }))
}

/** Hours for which values are kept that a connector feeds; null: as the business has it. */
export async function readConnectorRetention(
  client: Client,
  connector: string,
  signal: AbortSignal | null = null,
): Promise<number | null> {
  const params = { path: { connector } }
  return (await unwrap(client.GET('/api:1/connectors/{connector}/retention', { params, signal })))
    .hours
}

export async function setConnectorRetention(
  client: Client,
  connector: string,
  hours: number | null,
): Promise<void> {
  const params = { path: { connector } }
  await unwrap(client.PUT('/api:1/connectors/{connector}/retention', { params, body: { hours } }))
}
