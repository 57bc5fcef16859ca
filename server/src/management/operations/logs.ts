import {
  type ActivityLog,
  type ConnectorLine,
  connectorLineKinds,
  formatKey,
  type LineKey,
  logLevels,
  parseKey,
  type SolutionLine,
  severities,
  solutionLineKinds,
} from '../../activity/index.ts'
import {
  component,
  limits,
  Microseconds,
  Nullable,
  omitUndefined,
  RecordOf,
  StrictObject,
  type TProperties,
  Type,
} from '../../kernel/index.ts'
import { json, mayLoadMore, PageSize, refusalSchema, SearchText } from '../contract/common.ts'
import type { LogStreams, StreamCall } from '../log-streams.ts'
import { operations } from '../operation.ts'

/** The id of a line, or a place between lines that a page gave. */
function LineId(description: string) {
  return Type.Refine(
    Type.String({ description }),
    (text) => parseKey(text) !== undefined,
    () => 'must be the id of a line',
  )
}

function createPageFields() {
  return {
    limit: PageSize(limits.pageMax),
    before: Type.Optional(LineId('Only lines before the one with this id.')),
  }
}

/** The same for every line of a log. */
const lineFields = {
  id: Type.String({
    description:
      'The place of the line in its log: `<microseconds>.<part>.<number>`. Lines are in the ' +
      'order of the time, the part (`n` before any number) and the number.',
  }),
  at: Microseconds(undefined, { wire: 'timestamp' }),
}

const connectorLineType = Type.Enum([...connectorLineKinds], { component: 'ConnectorLineType' })
const solutionLineType = Type.Enum([...solutionLineKinds], { component: 'SolutionLineType' })
const logLevel = Type.Enum([...logLevels], { component: 'LogLevel' })

const connectorLine = component(
  'ConnectorLine',
  {
    ...lineFields,
    kind: Type.Enum([...connectorLineKinds], { component: 'ConnectorLineType', wire: 'type' }),
    severity: Type.Enum([...severities]),
    identity: Nullable(Type.String()),
    ip: Type.String(),
    protocol: Type.String(),
    code: Nullable(Type.String(), { description: 'The short answer that the device was given.' }),
    message: Type.String(),
    count: Type.Integer({
      description: 'How often it happened since the line before of its kind.',
    }),
    payload: Type.Optional(
      Type.Array(StrictObject({ timestamp: Microseconds(), values: RecordOf(Type.String()) }), {
        description: 'What was written or set; left out if it is long.',
      }),
    ),
  },
  { description: "A line of a connector's log." },
)

const solutionLine = component(
  'SolutionLine',
  {
    ...lineFields,
    kind: Type.Enum([...solutionLineKinds], { component: 'SolutionLineType', wire: 'type' }),
    level: logLevel,
    service: Type.String({ description: 'The alias of which an event was handled.' }),
    handler: Type.String(),
    trackingId: Type.String(),
    text: Type.String(),
    usage: Type.Optional(
      StrictObject(
        { cpuMs: Type.Number(), serviceCalls: Type.Integer(), wallMs: Type.Integer() },
        { description: 'Of a call that ended.' },
      ),
    ),
    trace: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of a call that failed: its place in the scripts, the innermost first.',
      }),
    ),
  },
  { description: "A line of a solution's log." },
)

/** A page, or the new lines as they come. */
function pageOf<Fields extends TProperties>(line: ReturnType<typeof component<Fields>>) {
  const page = StrictObject({
    lines: Type.Array(line, { description: 'Newest first.' }),
    mayLoadMore,
    before: Type.Optional(
      Type.String({ description: 'The parameter `before` of the next page, if there is one.' }),
    ),
    after: Type.Optional(
      Type.String({
        description:
          'Of the newest page: the `Last-Event-ID` of a live view that goes on behind it.',
      }),
    ),
  })
  const description =
    'A page; or with `Accept: text/event-stream` new lines as events `line`, until an event ' +
    '`end` with the reason.'
  const heartbeat = 'Of a live view: the milliseconds between its comments.'
  return {
    200: {
      ...json(description, page),
      events: { line, end: refusalSchema },
      headers: { 'millrace-heartbeat': Type.Integer({ description: heartbeat }) },
    },
  }
}

const headers = Type.Object({
  'last-event-id': Type.Optional(LineId('A live view goes on after the line with this id.')),
})

const ofConnectors = operations('connectors', 'Setup', '/api:1/service')
const ofSolutions = operations('solutions', 'Setup', '/api:1/solution')

export const listConnectorLog = ofConnectors.get(
  '/:connector/device2/logs',
  'List lines of the activity log of a connector, or follow it.',
  () => ({
    query: StrictObject({
      ...createPageFields(),
      identity: Type.Optional(SearchText('Lines about this identity.')),
      type: Type.Optional(Type.Array(connectorLineType)),
      severity: Type.Optional(Type.Enum([...severities])),
      text: Type.Optional(SearchText('Part of the message, or of what was written.')),
    }),
    headers,
    answers: pageOf(connectorLine),
  }),
  async ({ provisioning, activity, logStreams }, call) => {
    const { businessId } = call.principal
    const { id } = await provisioning.connectors.get(businessId, call.params.connector)
    const { limit, before, type: kinds, ...rest } = call.query
    const log = {
      log: activity.connectors,
      owner: [businessId, id],
      body: placed<ConnectorLine>,
    } as const
    const filter = omitUndefined({ ...rest, kinds })
    return readLog(logStreams, call, log, { filter, limit, before })
  },
)

export const listSolutionLog = ofSolutions.get(
  '/:solution/logs',
  'List lines of the activity log of a solution, or follow it.',
  () => ({
    query: StrictObject({
      ...createPageFields(),
      level: Type.Optional(Type.Array(logLevel)),
      type: Type.Optional(Type.Array(solutionLineType)),
      trackingId: Type.Optional(SearchText('Lines of this tracking id.')),
      text: Type.Optional(SearchText('Part of the text.')),
    }),
    headers,
    answers: pageOf(solutionLine),
  }),
  async ({ scripting, activity, logStreams }, call) => {
    const owner = [call.businessId, call.params.solution] as const
    await scripting.solutions.get(...owner)
    const { limit, before, type: kinds, level: levels, trackingId, text } = call.query
    const log = {
      log: activity.solutions,
      owner,
      body: rounded,
    }
    const filter = omitUndefined({ kinds, levels, trackingId, text })
    return readLog(logStreams, call, log, { filter, limit, before })
  },
)

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
  reader: StreamCall,
  { log, owner, body }: LogSource<Line, Filter, Body>,
  { filter, limit, before: beforeText }: Asked<Filter>,
) {
  const page = { limit, before: parseKey(beforeText ?? '') }
  if (reader.headers.accept?.includes('text/event-stream') === true) {
    const after = parseKey(String(reader.headers['last-event-id'] ?? ''))
    return streams.open(reader, {
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
  return {
    lines: lines.map((line) => body(line)),
    mayLoadMore: before !== undefined,
    ...(before && { before: formatKey(before) }),
    ...(page.before === undefined && { after: formatKey(after) }),
  }
}

/** A line with its place in its log. */
function placed<Line extends LineKey>(line: Line) {
  return { ...line, id: formatKey(line) }
}

function rounded({ usage, trace, ...line }: SolutionLine) {
  const ended = { ...(usage && { usage: roundedUsage(usage) }), ...(trace && { trace }) }
  return { ...placed(line), ...ended }
}

function roundedUsage({ cpuMs, wallMs, ...usage }: NonNullable<SolutionLine['usage']>) {
  return { ...usage, cpuMs: Math.round(cpuMs * 10) / 10, wallMs: Math.round(wallMs) }
}
