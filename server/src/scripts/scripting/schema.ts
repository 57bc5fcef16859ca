import {
  AnyValue,
  component,
  type Json,
  limits,
  Microseconds,
  Nullable,
  type Static,
  type StaticResult,
  StrictObject,
  Text,
  Type,
} from '../../foundation/kernel/index.ts'
import { logLevels } from '../../log/activity/index.ts'
import { scriptingLimits } from './limits.ts'
import { stopLimits } from './runtime/engine.ts'
import type { ScriptValue } from './runtime/value.ts'

/**
 * `handler`: the body of a function for an event, named `<service>_<event>`. `endpoint`: of a
 * function for a web address, named `<METHOD> <path>`. `module`: found by `require("a.b")`.
 * `plain`: run once when the machine is made, named as its file.
 */
const scriptKinds = ['handler', 'endpoint', 'module', 'plain'] as const
export type ScriptKind = (typeof scriptKinds)[number]

const kind = Type.Enum([...scriptKinds])
const keySchema = StrictObject({ kind, name: Type.String() })
export type ScriptKey = StaticResult<typeof keySchema>

const lineFields = {
  kind,
  name: Type.String({ description: '`<service>_<event>`, `<METHOD> /path`, `a.b` or a file.' }),
  file: Type.String({ description: "Its file in its author's folder, as errors name it." }),
  createdAt: Microseconds(),
  updatedAt: Microseconds(),
}
export const scriptSchema = component('Script', { ...lineFields, source: Type.String() })

export type Script = StaticResult<typeof scriptSchema> & {
  /** The line of the file at which the source begins. */
  readonly firstLine: number
}

export const scriptLineSchema = component(
  'ScriptLine',
  { ...lineFields, size: Type.Integer({ description: 'The bytes of its source.' }) },
  { description: 'A script without its source.' },
)

export const scriptKindSchema = Type.Enum([...scriptKinds], {
  description: 'Needed if the name has the shape of another kind.',
})

const whole = (wire: string) => Type.Optional(Type.Integer({ wire }))
const limitsSchema = StrictObject(
  {
    memoryBytesMax: whole('memory_bytes'),
    cpuMsMax: whole('cpu_ms'),
    wallMsMax: whole('wall_ms'),
    valueBytesMax: whole('value_bytes'),
    serviceCallsMax: whole('service_calls'),
    logBytesPerCallMax: whole('log_bytes'),
  },
  { description: 'The limits that differ from the defaults.' },
)

/** The events of the business that wait for a solution which is behind. */
const behindSchema = StrictObject(
  {
    pending: Type.Integer({
      description: 'The events that wait; more may wait than are counted.',
    }),
    oldestAt: Microseconds(),
  },
  {
    description:
      'When a solution is read, if its scripts are slower than its devices: the events of ' +
      'the business that wait in the log, and when the oldest of them was taken.',
  },
)
export type Behind = StaticResult<typeof behindSchema>

export const solutionSchema = component('Solution', {
  id: Type.String({ description: 'Also the label of its host.' }),
  name: Type.String(),
  description: Type.String(),
  version: Type.Integer({
    description: 'It grows with each change of scripts, services or limits.',
  }),
  limits: limitsSchema,
  reuseVm: Type.Boolean({ description: 'True if calls share one machine.' }),
  behind: Type.Optional(behindSchema),
  createdAt: Microseconds(),
  updatedAt: Microseconds(),
})

/** Scripts that belong together, and the services that they have: one virtual machine. */
export type Solution = Omit<StaticResult<typeof solutionSchema>, 'behind' | 'limits'> & {
  readonly businessId: string
  readonly limits: Readonly<Static<typeof limitsSchema>>
}

/** A former default of 10,000 ticks is 600 ms. */
export const msPerTick = 0.06

/** A limit that is null goes back to its default. */
function createLimitsSchema() {
  const change = (wire: string, minimum: number, maximum: number, description: string) =>
    Type.Optional(Nullable(Type.Integer({ description, minimum, maximum }), { wire }))
  const { scriptMemoryBytesMax, scriptCpuMsMax, scriptWallMsMax } = limits
  const { scriptMemoryBytesMin } = scriptingLimits
  const ticksMax = Math.floor(scriptCpuMsMax / msPerTick)
  return StrictObject(
    {
      memoryBytesMax: change(
        'memory_bytes',
        scriptMemoryBytesMin,
        scriptMemoryBytesMax,
        'Memory of the virtual machine.',
      ),
      cpuMsMax: change('cpu_ms', 1, scriptCpuMsMax, 'CPU time of a call, in milliseconds.'),
      wallMsMax: change('wall_ms', 1, scriptWallMsMax, 'Time of a call, in milliseconds.'),
      valueBytesMax: change(
        'value_bytes',
        1,
        limits.scriptValueBytesMax,
        'An argument or a result, as JSON.',
      ),
      serviceCallsMax: change(
        'service_calls',
        0,
        limits.scriptServiceCallsMax,
        'Service calls of a call.',
      ),
      logBytesPerCallMax: change(
        'log_bytes',
        0,
        scriptingLimits.scriptLogBytesPerCallMax,
        'Output of a call.',
      ),
      ticks: change(
        'ticks',
        1,
        ticksMax,
        'CPU time as it was once given: 10,000 are 600 milliseconds.',
      ),
    },
    { description: 'A limit that is null goes back to its default.' },
  )
}

const optionalFields = () => ({
  description: Type.Optional(Text({ maxLength: limits.settingCharsMax })),
  limits: Type.Optional(createLimitsSchema()),
  reuseVm: Type.Optional(
    Type.Boolean({ description: 'True if calls share one machine, so that globals live on.' }),
  ),
})

const solutionName = () =>
  Text({ minLength: 1, maxLength: limits.nameCharsMax, missing: 'must be given' })

/** The settings that a change may name. */
export const createSolutionChangeSchema = () =>
  component('SolutionChange', { name: Type.Optional(solutionName()), ...optionalFields() })
export type SolutionChange = StaticResult<ReturnType<typeof createSolutionChangeSchema>>

/** The settings of a new solution. */
export const createNewSolutionSchema = () =>
  component('NewSolution', {
    id: Type.Optional(
      Type.String({
        description: 'Also the label of its host; generated if it is left out.',
        // The interface service can name such a solution. Older ids may begin with a digit.
        pattern: '^[a-z][a-z0-9]+$',
        maxLength: limits.hostLabelCharsMax,
        rule:
          `must be 2 to ${limits.hostLabelCharsMax} lower-case letters and digits, ` +
          'a letter first',
      }),
    ),
    name: solutionName(),
    ...optionalFields(),
  })
export type NewSolution = StaticResult<ReturnType<typeof createNewSolutionSchema>>

export const solutionUseSchema = component('SolutionUse', {
  limit: Type.String({ description: 'As the reference of limits names it.' }),
  used: Type.Integer(),
  max: Type.Integer(),
})
export type SolutionUse = StaticResult<typeof solutionUseSchema>

const keys = Type.Array(keySchema)
const paths = Type.Array(Type.String(), { description: 'Paths.' })
const aliases = Type.Array(Type.String(), { description: 'Script keys.' })
const noteSchema = StrictObject({ file: Type.String(), message: Type.String() })

/** A note of a push: what is kept and has no effect here, or not the one that is expected. */
export type PushNote = StaticResult<typeof noteSchema>

const staticDiffSchema = StrictObject(
  {
    added: paths,
    changed: paths,
    removed: paths,
    kept: Type.Optional(paths),
    missing: Type.Array(Type.String(), {
      description: 'Etags of bytes that have to be uploaded first.',
    }),
  },
  { description: 'Present if the push has static files.' },
)

/** The changes that a push makes to the static files of a solution. */
export type StaticDiff = StaticResult<typeof staticDiffSchema>

export const pushedSchema = component('Pushed', {
  added: keys,
  changed: keys,
  removed: keys,
  unchanged: keys,
  kept: Type.Optional(
    Type.Array(keySchema, {
      description: 'Scripts that the folder does not have, if they stay.',
    }),
  ),
  project: Type.Optional(
    Type.Literal('changed', { description: 'Present if murano.yaml has changed.' }),
  ),
  notes: Type.Optional(
    Type.Array(noteSchema, {
      description: 'What is kept without an effect, or has another one than might be expected.',
    }),
  ),
  services: StrictObject({ added: aliases, changed: aliases, unchanged: aliases }),
  staticFiles: Type.Optional(staticDiffSchema),
})
export type Pushed = StaticResult<typeof pushedSchema>

export const pulledSchema = StrictObject({
  files: Type.Array(StrictObject({ path: Type.String(), text: Type.String() })),
  staticFiles: Type.Array(StrictObject({ path: Type.String(), etag: Type.String() }), {
    description: 'The bytes of each: `getStaticFile`.',
  }),
})
export type Pulled = StaticResult<typeof pulledSchema>

export const scriptErrorSchema = component(
  'ScriptError',
  {
    type: Type.String({ description: '`QueryError` if the caller is at fault.' }),
    error: Type.String(),
    status: Type.Integer(),
  },
  { description: 'An error as scripts have it.' },
)

export const scriptFailureSchema = component(
  'Failure',
  {
    id: Type.String(),
    service: Type.String({ description: 'The script key of the service.' }),
    event: Type.String(),
    argument: AnyValue<unknown>({
      description: 'The argument of the handler; bytes that are not text are `{base64}`.',
    }),
    error: scriptErrorSchema,
    tries: Type.Integer(),
    trackingId: Type.String({ description: 'The id of the call in the log.' }),
    createdAt: Microseconds('When the event occurred, in microseconds.'),
    failedAt: Microseconds('When it failed for the last time, in microseconds.'),
  },
  { description: 'An event that a solution failed to handle.' },
)

/** A delivery that failed for good, for its owner. */
export type DeadDelivery = Omit<StaticResult<typeof scriptFailureSchema>, 'argument'> & {
  readonly businessId: string
  readonly solutionId: string
  readonly argument: ScriptValue
}

export const handlerRunSchema = component(
  'HandlerRun',
  {
    outcome: Type.Enum(['returned', 'failed', 'stopped'], {
      description: '`stopped`: by a limit.',
    }),
    result: Type.Optional(
      AnyValue<unknown>({
        description: 'What it returned; bytes that are not text are `{base64}`.',
      }),
    ),
    error: Type.Optional(scriptErrorSchema),
    limit: Type.Optional(Type.Enum([...stopLimits], { description: 'What stopped it.' })),
    trackingId: Type.String({
      description: 'The id of the call in the log, which has all its lines by now.',
    }),
  },
  { description: 'The end of a call.' },
)

const replayedCallSchema = StrictObject({
  service: Type.String(),
  operation: Type.String(),
  args: AnyValue<Json>({ description: 'Bytes are `{"$bytes": "<base64>"}`.' }),
  made: Type.Boolean({
    description: 'False for one that may change something: it was recorded only.',
  }),
})
export type ReplayedCall = StaticResult<typeof replayedCallSchema>

const replayedRunSchema = component(
  'ReplayedRun',
  {
    outcome: Type.Enum(['returned', 'failed', 'stopped', 'none'], {
      description: '`stopped`: by a limit. `none`: the scripts have no handler for it.',
    }),
    error: Nullable(Type.String(), { description: 'Null if it returned.' }),
    calls: Type.Array(replayedCallSchema, { description: 'In their order.' }),
    logs: Type.Array(StrictObject({ level: Type.Enum([...logLevels]), text: Type.String() })),
  },
  { description: 'What one handler did with one event.' },
)
export type ReplayedRun = StaticResult<typeof replayedRunSchema>

const replayedEventSchema = component(
  'ReplayedEvent',
  {
    part: Type.Integer({ description: 'The partition of the event log.' }),
    seq: Type.Integer({ description: 'The number in the partition.' }),
    at: Microseconds(),
    connectorId: Type.String({ wire: 'connector' }),
    identity: Type.String(),
    type: Type.String({ description: 'As scripts see it, such as `data_in`.' }),
    handler: Type.String(),
    live: Nullable(replayedRunSchema, { description: 'By the scripts as they are.' }),
    changed: replayedRunSchema,
  },
  { description: 'An event, and what both did with it.' },
)
export type ReplayedEvent = StaticResult<typeof replayedEventSchema>

const replayCountsSchema = StrictObject({
  calls: Type.Integer(),
  writes: Type.Integer({ description: 'Calls that were not made.' }),
  logs: Type.Integer(),
  failed: Type.Integer({ description: 'Events whose handler failed or was stopped.' }),
})
export type ReplayCounts = StaticResult<typeof replayCountsSchema>

export const replaySchema = component(
  'Replay',
  {
    from: Microseconds(),
    to: Microseconds(),
    events: Type.Integer({ description: 'The events that have a handler.' }),
    differing: Type.Integer({ description: 'Those with which the two do not do the same.' }),
    live: Nullable(replayCountsSchema, { description: 'Null if no files were given.' }),
    changed: replayCountsSchema,
    shown: Type.Array(replayedEventSchema, {
      description: 'The first that differ; all, if no files were given.',
    }),
    notes: Type.Array(Type.String(), { description: 'What was not replayed.' }),
  },
  { description: 'Two versions of scripts on the same recorded events.' },
)
export type Replay = StaticResult<typeof replaySchema>
