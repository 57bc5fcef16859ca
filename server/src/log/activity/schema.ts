import {
  component,
  Microseconds,
  mayLoadMore,
  Nullable,
  PageSize,
  RecordOf,
  SearchText,
  type StaticResult,
  StrictObject,
  type TProperties,
  Type,
} from '../../foundation/kernel/index.ts'
import { connectorLineKinds, logLevels, severities, solutionLineKinds } from './kinds.ts'
import { type LineKey, parseKey } from './line.ts'

/** The id of a line, or a place between lines that a page gave. */
export function LineId(description: string) {
  return Type.Refine(
    Type.String({ description }),
    (text) => parseKey(text) !== undefined,
    () => 'must be the id of a line',
  )
}

/** The fields of a line of any log. */
const lineFields = {
  id: Type.String({
    description:
      'The place of the line in its log: `<microseconds>.<part>.<number>`. Lines are in the ' +
      'order of the time, the part (`n` before any number) and the number.',
  }),
  at: Microseconds(undefined, { wire: 'timestamp' }),
}

const severitySchema = Type.Enum([...severities])
export const logLevelSchema = Type.Enum([...logLevels], { component: 'LogLevel' })

/** The fields of a page's query beside those of the filter. */
export const createLineQuery = () => ({
  limit: PageSize(),
  before: Type.Optional(LineId('Only lines before the one with this id.')),
})

export const connectorLineSchema = component(
  'ConnectorLine',
  {
    ...lineFields,
    kind: Type.Enum([...connectorLineKinds], { component: 'ConnectorLineType', wire: 'type' }),
    severity: severitySchema,
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
export type ConnectorLine = LineKey & StaticResult<typeof connectorLineSchema>

const usageSchema = StrictObject(
  { cpuMs: Type.Number(), serviceCalls: Type.Integer(), wallMs: Type.Integer() },
  { description: 'Of a call that ended.' },
)

/** The times of a call of a handler; `cpuMs` is of its thread, and has the machine's opening. */
export type CallUsage = StaticResult<typeof usageSchema>

export const solutionLineSchema = component(
  'SolutionLine',
  {
    ...lineFields,
    kind: Type.Enum([...solutionLineKinds], { component: 'SolutionLineType', wire: 'type' }),
    level: logLevelSchema,
    service: Type.String({ description: 'The alias of which an event was handled.' }),
    handler: Type.String(),
    trackingId: Type.String(),
    text: Type.String(),
    usage: Type.Optional(usageSchema),
    trace: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of a call that failed: its place in the scripts, the innermost first.',
      }),
    ),
  },
  { description: "A line of a solution's log." },
)
export type SolutionLine = LineKey & StaticResult<typeof solutionLineSchema>

/** Restricts a read; a part that is left out matches all lines. Letter case does not count. */
export const connectorFilterSchema = StrictObject({
  identity: Type.Optional(SearchText('Lines about this identity.')),
  kinds: Type.Optional(
    Type.Array(Type.Enum([...connectorLineKinds], { component: 'ConnectorLineType' }), {
      wire: 'type',
    }),
  ),
  severity: Type.Optional(severitySchema),
  text: Type.Optional(SearchText('Part of the message, or of what was written.')),
})
export type ConnectorFilter = StaticResult<typeof connectorFilterSchema>

/** The same for lines of a solution. */
export const solutionFilterSchema = StrictObject({
  levels: Type.Optional(Type.Array(logLevelSchema, { wire: 'level' })),
  kinds: Type.Optional(
    Type.Array(Type.Enum([...solutionLineKinds], { component: 'SolutionLineType' }), {
      wire: 'type',
    }),
  ),
  trackingId: Type.Optional(SearchText('Lines of this tracking id.')),
  text: Type.Optional(SearchText('Part of the text.')),
})
export type SolutionFilter = StaticResult<typeof solutionFilterSchema>

/** A page of lines. */
export function createLinePage<Fields extends TProperties>(
  line: ReturnType<typeof component<Fields>>,
) {
  return StrictObject({
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
}
