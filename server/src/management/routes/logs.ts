import {
  type Activity,
  type ActivityLog,
  type ConnectorLine,
  formatKey,
  type LineKey,
  parseKey,
  type SolutionLine,
} from '../../activity/index.ts'
import { omitUndefined } from '../../kernel/index.ts'
import type { Provisioning } from '../../provisioning/index.ts'
import type { Scripting } from '../../scripting/index.ts'
import type { Contract } from '../contract/contract.ts'
import { listConnectorLog, listSolutionLog } from '../contract/logs.ts'
import type { LogStreams, StreamCall } from '../log-streams.ts'
import { ok, type Route, route } from '../route.ts'
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
        contract: listConnectorLog,
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
      const log = {
        log: activity.solutions,
        owner,
        body: solutionLine,
        contract: listSolutionLog,
      }
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
  readonly contract: Contract
}

type Asked<Filter> = {
  readonly filter: Filter
  readonly limit: number | undefined
  readonly before: string | undefined
}

async function readLog<Line extends LineKey, Filter, Body>(
  streams: LogStreams,
  reader: StreamCall,
  { log, owner, body, contract }: LogSource<Line, Filter, Body>,
  { filter, limit, before: beforeText }: Asked<Filter>,
) {
  const page = { limit, before: parseKey(beforeText ?? '') }
  if (reader.headers.accept?.includes('text/event-stream') === true) {
    const after = parseKey(String(reader.headers['last-event-id'] ?? ''))
    return streams.open(reader, contract, {
      follow(send) {
        const sendLines = (lines: readonly Line[]) =>
          send(lines.map((line) => ({ id: formatKey(line), body: body(line) })))
        return log.follow(...owner, sendLines, { filter, after })
      },
      cut: () => log.reportSlowReader(...owner, reader.ip),
    })
  }
  const found = await log.lines(...owner, { ...filter, ...omitUndefined(page) })
  const { lines, before, after } = found
  return ok({
    lines: lines.map((line) => body(line)),
    mayLoadMore: before !== undefined,
    ...(before && { before: formatKey(before) }),
    ...(page.before === undefined && { after: formatKey(after) }),
  })
}

/** A line of a connector's log as the API shows it. */
function connectorLine(line: ConnectorLine) {
  const { at, part: _part, seq: _seq, kind, ...fields } = line
  return { id: formatKey(line), timestamp: at, type: kind, ...fields }
}

/** A line of a solution's log as the API shows it. */
function solutionLine(line: SolutionLine) {
  const { at, part: _part, seq: _seq, kind, trackingId, usage, trace, ...fields } = line
  return {
    id: formatKey(line),
    timestamp: at,
    type: kind,
    ...fields,
    tracking_id: trackingId,
    ...(usage && { usage: usageBody(usage) }),
    ...(trace && { trace }),
  }
}

function usageBody({ cpuMs, serviceCalls, wallMs }: NonNullable<SolutionLine['usage']>) {
  const cpu = Math.round(cpuMs * 10) / 10
  return { cpu_ms: cpu, service_calls: serviceCalls, wall_ms: Math.round(wallMs) }
}
