import { consoleSearchDocument } from '../generated/search.ts'
import type { Client } from './client.ts'
import { ask } from './graphql.ts'
import { findSolutions } from './notifications.ts'

/** Something that a search found, with the address of its page. */
export type Found = {
  readonly kind: 'device' | 'asset' | 'solution'
  readonly id: string
  readonly title: string
  readonly detail: string
  readonly path: string
}

type Wanted = {
  readonly text: string
  /** The limit for each kind. */
  readonly limit: number
  readonly permissions: readonly string[]
}

/** Finds devices, assets and solutions that have the text, of the kinds that the caller may see. */
export async function search(
  client: Client,
  { text, limit, permissions }: Wanted,
  signal: AbortSignal | null = null,
): Promise<Found[]> {
  const withDevices = permissions.includes('Setup')
  const withAssets = permissions.includes('View Asset')
  const [graph, solutions] = await Promise.all([
    ask(client, consoleSearchDocument, { text, limit, withDevices, withAssets }, signal),
    withDevices ? findSolutions(client, { text, limit }, signal) : [],
  ])
  const devices = graph.devices?.map(({ id, name, identity, connectorId }): Found => {
    const [connector, device] = [connectorId, identity].map(encodeURIComponent)
    const path = `/connectors/${connector}/devices/${device}`
    return { kind: 'device', id, title: name || identity, detail: identity, path }
  })
  const assets = graph.assets?.map(
    ({ id, name }): Found => ({
      kind: 'asset',
      id,
      title: name,
      detail: '',
      path: `/assets/${encodeURIComponent(id)}`,
    }),
  )
  const named = solutions.map(
    ({ id, name }): Found => ({
      kind: 'solution',
      id,
      title: name,
      detail: id,
      path: `/solutions/${encodeURIComponent(id)}`,
    }),
  )
  return [...(devices ?? []), ...(assets ?? []), ...named]
}
