import {
  connectorLineKinds,
  logLevels,
  parseKey,
  severities,
  solutionLineKinds,
} from '../../activity/index.ts'
import {
  limits,
  Nullable,
  RecordOf,
  StrictObject,
  type TProperties,
  Type,
} from '../../kernel/index.ts'
import {
  component,
  connectorParams,
  json,
  Microseconds,
  PageSize,
  refusalSchema,
  SearchText,
  solutionParams,
} from './common.ts'
import { contract } from './contract.ts'

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
  timestamp: Microseconds(),
}

const connectorLineType = Type.Enum([...connectorLineKinds], { component: 'ConnectorLineType' })
const solutionLineType = Type.Enum([...solutionLineKinds], { component: 'SolutionLineType' })
const logLevel = Type.Enum([...logLevels], { component: 'LogLevel' })

const connectorLine = component(
  'ConnectorLine',
  {
    ...lineFields,
    type: connectorLineType,
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
    type: solutionLineType,
    level: logLevel,
    service: Type.String({ description: 'The alias of which an event was handled.' }),
    handler: Type.String(),
    tracking_id: Type.String(),
    text: Type.String(),
    usage: Type.Optional(
      StrictObject(
        { cpu_ms: Type.Number(), service_calls: Type.Integer(), wall_ms: Type.Integer() },
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
    mayLoadMore: Type.Boolean({ description: 'True if there is a next page.' }),
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

export const listConnectorLog = contract(
  {
    id: 'listConnectorLog',
    method: 'GET',
    path: '/api:1/service/:connector/device2/logs',
    permission: 'Setup',
    tag: 'connectors',
    summary: 'List lines of the activity log of a connector, or follow it.',
  },
  () => ({
    params: connectorParams,
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
)

export const listSolutionLog = contract(
  {
    id: 'listSolutionLog',
    method: 'GET',
    path: '/api:1/solution/:solution/logs',
    permission: 'Setup',
    tag: 'solutions',
    summary: 'List lines of the activity log of a solution, or follow it.',
  },
  () => ({
    params: solutionParams,
    query: StrictObject({
      ...createPageFields(),
      level: Type.Optional(Type.Array(logLevel)),
      type: Type.Optional(Type.Array(solutionLineType)),
      tracking_id: Type.Optional(SearchText('Lines of this tracking id.')),
      text: Type.Optional(SearchText('Part of the text.')),
    }),
    headers,
    answers: pageOf(solutionLine),
  }),
)
