import { type components, type FollowOptions, follow } from '@millrace/client'
import type { Client } from './client.ts'
import { find } from './endpoint.ts'

export type Line = components['schemas']['ConnectorLine']
export type LineType = components['schemas']['ConnectorLineType']

/** Selects lines; an empty field matches all. */
export type LineFilter = {
  readonly identity: string
  readonly types: readonly LineType[]
  /** Part of the message, or of what was written. */
  readonly text?: string
}

const path = '/api:1/service/{connector}/device2/logs'

const readLog = find(path)

/** The newest lines of a connector's log, newest first. */
export function listLines(
  client: Client,
  connector: string,
  { limit, before, ...filter }: LineFilter & { readonly limit: number; readonly before?: string },
  signal: AbortSignal | null = null,
) {
  return readLog(client, connector, { limit, before, ...toQuery(filter) }, signal)
}

/** The lines of a connector's log as they come, oldest first. */
export async function* followLines(
  client: Client,
  connector: string,
  filter: LineFilter,
  options: FollowOptions,
): AsyncGenerator<Line> {
  const params = { path: { connector }, query: toQuery(filter) }
  for await (const { data } of follow(client, path, params, options)) yield data
}

function toQuery({ identity, types, text = '' }: LineFilter) {
  return {
    ...(identity !== '' && { identity }),
    ...(text !== '' && { text }),
    ...(types.length > 0 && { type: [...types] }),
  }
}

/** A time in microseconds since 1970, each end of which may be open. */
type Range = {
  readonly from: number | undefined
  readonly to: number | undefined
  readonly linesMax: number
}

const pageMax = 1_000
const usPerMs = 1_000

/** The newest lines of a time, newest first, page by page. */
export async function linesBetween(
  client: Client,
  connector: string,
  filter: LineFilter,
  { from = 0, to, linesMax }: Range,
): Promise<readonly Line[]> {
  const found: Line[] = []
  // The place before all lines of the first microsecond behind the time; a time that is not over
  // ends with the newest line.
  const isOver = to !== undefined && to < Date.now() * usPerMs
  let before = isOver ? `${to + 1}.n.0` : undefined
  while (found.length < linesMax) {
    const limit = Math.min(pageMax, linesMax - found.length)
    const wanted = { ...filter, limit, ...(before !== undefined && { before }) }
    const page = await listLines(client, connector, wanted)
    const inTime = page.lines.filter(({ timestamp }) => timestamp >= from)
    found.push(...inTime)
    before = page.before
    if (inTime.length < page.lines.length || before === undefined) break
  }
  return found
}
