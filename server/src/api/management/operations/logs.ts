import {
  type component,
  StrictObject,
  type TProperties,
  Type,
} from '../../../foundation/kernel/index.ts'
import {
  type ActivityLog,
  connectorFilterSchema,
  connectorLineSchema,
  createLinePage,
  createLineQuery,
  type KeyedLine,
  LineId,
  type PageOptions,
  solutionFilterSchema,
  solutionLineSchema,
} from '../../../log/activity/index.ts'
import { json, refusalSchema } from '../contract/common.ts'
import type { LogStreams, StreamCall } from '../log-streams.ts'
import { operations } from '../operation.ts'

/** A page, or the new lines as they come. */
function describePage<Fields extends TProperties>(line: ReturnType<typeof component<Fields>>) {
  const description =
    'A page; or with `Accept: text/event-stream` new lines as events `line`, until an event ' +
    '`end` with the reason.'
  const heartbeat = 'Of a live view: the milliseconds between its comments.'
  return {
    200: {
      ...json(description, createLinePage(line)),
      events: { line, end: refusalSchema },
      headers: { 'millrace-heartbeat': Type.Integer({ description: heartbeat }) },
    },
  }
}

const headers = Type.Object({
  'last-event-id': Type.Optional(LineId('A live view goes on after the line with this id.')),
})

const ofConnectors = operations('connectors', 'Setup', '/api:1/service')
const ofSolutions = operations('solutions', 'Setup', '/api:1/solution', { inSolution: true })

export const listConnectorLog = ofConnectors.get(
  '/:connector/device2/logs',
  'List lines of the activity log of a connector, or follow it.',
  () => ({
    query: StrictObject({ ...createLineQuery(), ...connectorFilterSchema.properties }),
    headers,
    answers: describePage(connectorLineSchema),
  }),
  async ({ provisioning, activity, logStreams }, call) => {
    const { id } = await provisioning.connectors.get(call.businessId, call.params.connector)
    return readLog(logStreams, call, activity.connectors, id)
  },
)

export const listSolutionLog = ofSolutions.get(
  '/:solution/logs',
  'List lines of the activity log of a solution, or follow it.',
  () => ({
    query: StrictObject({ ...createLineQuery(), ...solutionFilterSchema.properties }),
    headers,
    answers: describePage(solutionLineSchema),
  }),
  ({ activity, logStreams }, call) =>
    readLog(logStreams, call, activity.solutions, call.params.solution),
)

type Reader<Filter> = StreamCall & {
  readonly businessId: string
  readonly query: Filter & PageOptions
}

async function readLog<Line extends KeyedLine, Filter>(
  streams: LogStreams,
  reader: Reader<Filter>,
  log: Pick<ActivityLog<Line, never, Filter>, 'lines' | 'follow' | 'reportSlowReader'>,
  ownerId: string,
) {
  const { businessId, query: filter, headers, ip } = reader
  const owner = [businessId, ownerId] as const
  if (headers.accept?.includes('text/event-stream') === true) {
    const { 'last-event-id': after } = headers as { readonly 'last-event-id'?: string }
    return streams.open(reader, {
      follow(send) {
        const sendLines = (lines: readonly Line[]) =>
          send(lines.map((line) => ({ id: line.id, body: line })))
        return log.follow(...owner, sendLines, { filter, after })
      },
      cut: () => log.reportSlowReader(...owner, ip),
    })
  }
  return log.lines(...owner, filter)
}
