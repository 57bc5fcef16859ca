import {
  type components,
  type FollowOptions,
  follow,
  type operations,
  unwrap,
} from '@millrace/client'
import type { Client } from './client.ts'

export type Line = components['schemas']['ConnectorLine']
export type LineType = components['schemas']['ConnectorLineType']

/** Selects lines; an empty field matches all. */
export type LineFilter = { readonly identity: string; readonly types: readonly LineType[] }

const path = '/api:1/service/{connector}/device2/logs'

type LinePage = operations['listConnectorLog']['responses'][200]['content']['application/json']

/** The newest lines of a connector's log, newest first. */
export function listLines(
  client: Client,
  connector: string,
  { limit, ...filter }: LineFilter & { readonly limit: number },
  signal: AbortSignal,
): Promise<LinePage> {
  const params = { path: { connector }, query: Object.assign({ limit }, queryOf(filter)) }
  return unwrap(client.GET(path, { params, signal }))
}

/** The lines of a connector's log as they come, oldest first. */
export async function* followLines(
  client: Client,
  connector: string,
  filter: LineFilter,
  options: FollowOptions,
): AsyncGenerator<Line> {
  const params = { path: { connector }, query: queryOf(filter) }
  for await (const { data } of follow(client, path, params, options)) yield data
}

function queryOf({ identity, types }: LineFilter) {
  return {
    ...(identity !== '' && { identity }),
    ...(types.length > 0 && { type: [...types] }),
  }
}
