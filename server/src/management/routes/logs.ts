import {
  type EventLog,
  formatKey,
  type Line,
  type LineFilter,
  type LineKey,
} from '../../eventlog/index.ts'
import type { Provisioning } from '../../provisioning/index.ts'
import type { LogStreams, LogView } from '../log-streams.ts'
import { type Call, ok, type Route } from '../route.ts'
import { lineBody, parseLogQuery, parseResume } from '../wire/log.ts'
import { connectorId } from './connectors.ts'

export type LogNeeds = {
  readonly provisioning: Pick<Provisioning, 'connectors'>
  readonly eventlog: Pick<EventLog, 'lines' | 'tail' | 'note'>
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
            const view = connectorView(eventlog, call, id, { filter: asked, after })
            return streams.open(call, 'Setup', view)
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

/** Routes for a connector's log. */
function connectorView(
  eventlog: Pick<EventLog, 'tail' | 'note'>,
  { principal: { businessId }, ip }: Call,
  connectorId: string,
  asked: { readonly filter: LineFilter; readonly after: LineKey | undefined },
): LogView {
  return {
    follow(tell) {
      const events = (lines: readonly Line[]) =>
        tell(lines.map((line) => ({ id: formatKey(line), body: lineBody(line) })))
      return eventlog.tail(businessId, connectorId, events, asked)
    },
    cut() {
      eventlog.note({
        ...{ businessId, connectorId, kind: 'log', severity: 'warning' },
        ...{ identity: null, ip, protocol: 'api', code: 'slow_reader' },
        message: 'A live view of this log was cut: its reader was too slow.',
      })
    },
  }
}
