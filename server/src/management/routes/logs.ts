import {
  type Activity,
  type ActivityLog,
  formatKey,
  type LineKey,
  parseKey,
} from '../../activity/index.ts'
import { omitUndefined } from '../../kernel/index.ts'
import type { Provisioning } from '../../provisioning/index.ts'
import type { Scripting } from '../../scripting/index.ts'
import { listConnectorLog, listSolutionLog } from '../contract/logs.ts'
import type { LogStreams, Reader } from '../log-streams.ts'
import { ok, type Route, route } from '../route.ts'
import { connectorLine, parseBefore, solutionLine } from '../wire/log.ts'
import { connectorId } from './connectors.ts'

export type LogRoutesOptions = {
  readonly provisioning: Pick<Provisioning, 'connectors'>
  readonly scripting: Pick<Scripting, 'solutions'>
  readonly activity: Pick<Activity, 'connectors' | 'solutions'>
  readonly streams: LogStreams
}

/** The activity logs: a page of one, or with `Accept: text/event-stream` its new lines, live. */
export function logRoutes(options: LogRoutesOptions): Route[] {
  const { provisioning, scripting, activity, streams } = options
  return [
    route(listConnectorLog, async (call) => {
      const { businessId } = call.principal
      const { id } = await provisioning.connectors.get(businessId, connectorId(call.params))
      const { limit, before, type: kinds, ...rest } = call.query
      const log = {
        log: activity.connectors,
        owner: [businessId, id],
        body: connectorLine,
      } as const
      const filter = omitUndefined({ ...rest, kinds })
      return readLog(streams, call, log, { filter, limit, before })
    }),
    route(listSolutionLog, async (call) => {
      const owner = [call.principal.businessId, call.params.solution] as const
      await scripting.solutions.get(...owner)
      const {
        limit,
        before,
        type: kinds,
        level: levels,
        tracking_id: trackingId,
        text,
      } = call.query
      const log = { log: activity.solutions, owner, body: solutionLine }
      const filter = omitUndefined({ kinds, levels, trackingId, text })
      return readLog(streams, call, log, { filter, limit, before })
    }),
  ]
}

type LogSource<Line extends LineKey, Filter, Body> = {
  readonly log: Pick<ActivityLog<Line, never, Filter>, 'lines' | 'follow' | 'reportSlowReader'>
  readonly owner: readonly [businessId: string, ownerId: string]
  /** A line as it is shown. */
  body(line: Line): Body
}

type Asked<Filter> = {
  readonly filter: Filter
  readonly limit: number | undefined
  readonly before: string | undefined
}

async function readLog<Line extends LineKey, Filter, Body>(
  streams: LogStreams,
  reader: Reader,
  { log, owner, body }: LogSource<Line, Filter, Body>,
  { filter, limit, before: beforeText }: Asked<Filter>,
) {
  const page = { limit, before: beforeText === undefined ? undefined : parseBefore(beforeText) }
  if (reader.headers.accept?.includes('text/event-stream') === true) {
    const after = resumeOf(reader.headers['last-event-id'])
    return streams.open(reader, 'Setup', {
      follow(send) {
        const sendLines = (lines: readonly Line[]) =>
          send(lines.map((line) => ({ id: formatKey(line), body: body(line) })))
        return log.follow(...owner, sendLines, { filter, after })
      },
      cut: () => log.reportSlowReader(...owner, reader.ip),
    })
  }
  const { lines, before } = await log.lines(...owner, { ...filter, ...omitUndefined(page) })
  return ok({
    lines: lines.map((line) => body(line)),
    mayLoadMore: before !== undefined,
    ...(before && { before: formatKey(before) }),
  })
}

/** Returns where a live view resumes; an invalid line id means from now on. */
function resumeOf(header: string | string[] | undefined): LineKey | undefined {
  return typeof header === 'string' ? parseKey(header.trim()) : undefined
}
