import { type components, unwrap } from '@millrace/client'
import type { Client } from './client.ts'

export type Solution = components['schemas']['Solution']

/** A message of a channel without a provider. */
export type Arrival = components['schemas']['SinkEntry']

/** In the order in which they were made. */
export async function listSolutions(
  client: Client,
  signal: AbortSignal | null = null,
  query: { readonly text?: string; readonly limit?: number } = {},
): Promise<Solution[]> {
  const params = { query }
  const { solutions } = await unwrap(client.GET('/api:1/solution', { params, signal }))
  return solutions
}

/** The newest of a solution, newest first. */
export async function listArrivals(
  client: Client,
  solution: string,
  limit: number,
  signal: AbortSignal | null = null,
): Promise<Arrival[]> {
  const params = { path: { solution }, query: { limit } }
  const path = '/api:1/solution/{solution}/notifications/sink'
  const { arrived } = await unwrap(client.GET(path, { params, signal }))
  return arrived
}
