import { type Activity, type ActivityLog, formatKey, type LineKey } from '../../activity/index.ts'
import type { Provisioning } from '../../provisioning/index.ts'
import type { Scripting } from '../../scripting/index.ts'
import { type Call, ok, type Route } from '../legacy-route.ts'
import type { LogStreams } from '../log-streams.ts'
import {
  connectorLogWire,
  type LogWire,
  lineBody,
  parseLogQuery,
  parseResume,
  solutionLogWire,
} from '../wire/log.ts'
import { connectorId } from './connectors.ts'
import { solutionOf, solutionPath } from './solutions.ts'

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
    logRoute(streams, {
      path: '/api:1/service/:connector/device2/logs',
      log: activity.connectors,
      wire: connectorLogWire,
      async ownerOf({ principal: { businessId }, params }) {
        const { id } = await provisioning.connectors.get(businessId, connectorId(params))
        return [businessId, id]
      },
    }),
    logRoute(streams, {
      path: `${solutionPath}/logs`,
      log: activity.solutions,
      wire: solutionLogWire,
      async ownerOf(call) {
        const owner = solutionOf(call)
        await scripting.solutions.get(...owner)
        return owner
      },
    }),
  ]
}

type LogResource<Line extends LineKey, Filter> = {
  readonly path: string
  readonly log: Pick<ActivityLog<Line, never, Filter>, 'lines' | 'follow' | 'reportSlowReader'>
  readonly wire: LogWire<Line, Filter>
  /** @throws Fault not_found */
  ownerOf(call: Call): Promise<readonly [businessId: string, ownerId: string]>
}

function logRoute<Line extends LineKey & { readonly kind: string }, Filter>(
  streams: LogStreams,
  { path, log, wire, ownerOf }: LogResource<Line, Filter>,
): Route {
  return {
    path,
    GET: {
      permission: 'Setup',
      async act(call) {
        const owner = await ownerOf(call)
        const query = parseLogQuery(wire, call.query)
        if (call.headers.accept?.includes('text/event-stream') === true) {
          const after = parseResume(call.headers['last-event-id'])
          return streams.open(call, 'Setup', {
            follow(send) {
              const sendLines = (lines: readonly Line[]) =>
                send(lines.map((line) => ({ id: formatKey(line), body: lineBody(wire, line) })))
              return log.follow(...owner, sendLines, { filter: query, after })
            },
            cut: () => log.reportSlowReader(...owner, call.ip),
          })
        }
        const { lines, before } = await log.lines(...owner, query)
        return ok({
          lines: lines.map((line) => lineBody(wire, line)),
          mayLoadMore: before !== undefined,
          before: before && formatKey(before),
        })
      },
    },
  }
}
