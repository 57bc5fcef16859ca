import { type EventLog, formatKey } from '../../eventlog/index.ts'
import type { Provisioning } from '../../provisioning/index.ts'
import type { LogStreams } from '../log-streams.ts'
import { ok, type Route } from '../route.ts'
import { lineBody, parseLogQuery, parseResume } from '../wire/log.ts'
import { connectorId } from './connectors.ts'

export type LogNeeds = {
  readonly provisioning: Pick<Provisioning, 'connectors'>
  readonly eventlog: Pick<EventLog, 'lines'>
  readonly streams: LogStreams
}

/** A connector's log: a page of it, or with `Accept: text/event-stream` what comes, live. */
export function logRoutes({ provisioning, eventlog, streams }: LogNeeds): Route[] {
  return [
    {
      path: '/api:1/service/:connector/device2/logs',
      GET: {
        permission: 'Setup',
        async act(call) {
          const { principal, params, query, headers } = call
          const { businessId } = principal
          const { id } = await provisioning.connectors.get(businessId, connectorId(params))
          const asked = parseLogQuery(query)
          if (headers.accept?.includes('text/event-stream') === true) {
            const after = parseResume(headers['last-event-id'])
            return streams.open(call, 'Setup', { connectorId: id, filter: asked, after })
          }
          const { lines, before } = await eventlog.lines(businessId, id, asked)
          return ok({
            lines: lines.map(lineBody),
            mayLoadMore: before !== undefined,
            before: before && formatKey(before),
          })
        },
      },
    },
  ]
}
