import {
  createSettingsParser,
  invalidField,
  limits,
  Nullable,
  omitUndefined,
  type Static,
  StrictObject,
  Text,
  Type,
} from '../../kernel/index.ts'
import type { ScriptLimits } from './program.ts'

/** Scripts that belong together, and the services that they have: one virtual machine. */
export type Solution = {
  readonly id: string
  readonly businessId: string
  readonly name: string
  readonly description: string
  /** Grows with each change of scripts, service configurations or limits. */
  readonly version: number
  /** Those that differ from the defaults. */
  readonly limits: Partial<ScriptLimits>
  /** Whether its calls share one machine, so that globals are kept; else each has its own. */
  readonly reuseVm: boolean
  /** Microseconds. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** As it comes from outside; every field is checked here. */
export type SolutionInput = {
  readonly name?: unknown
  readonly description?: unknown
  /** A field that is null goes back to its default. */
  readonly limits?: unknown
  readonly reuse_vm?: unknown
}

export type NewSolution = SolutionInput & {
  /** Lower-case letters and digits; made where it is missing. */
  readonly id?: unknown
}

export type SolutionSettings = Pick<Solution, 'name' | 'description' | 'limits' | 'reuseVm'>

export const noSettings: SolutionSettings = {
  name: '',
  description: '',
  limits: {},
  reuseVm: true,
}

export const defaultLimits = (): ScriptLimits => ({
  memoryBytesMax: limits.scriptMemoryBytes,
  cpuMsMax: limits.scriptCpuMs,
  wallMsMax: limits.scriptWallMs,
  valueBytesMax: limits.scriptValueBytesMax,
  serviceCallsMax: limits.scriptServiceCallsMax,
  logBytesPerCallMax: limits.scriptLogBytesPerCallMax,
})

/** The limits as the API spells them, and as refusals name them. */
export const limitWords = {
  memoryBytesMax: 'memory_bytes',
  cpuMsMax: 'cpu_ms',
  wallMsMax: 'wall_ms',
  valueBytesMax: 'value_bytes',
  serviceCallsMax: 'service_calls',
  logBytesPerCallMax: 'log_bytes',
} as const satisfies Record<keyof ScriptLimits, string>

/** A former default of 10,000 ticks is 600 ms. */
const msPerTick = 0.06

/** The limits by their words; null goes back to the default. */
function createLimitsSchema() {
  const whole = (minimum: number, maximum: number, description: string) =>
    Type.Optional(Nullable(Type.Integer({ description, minimum, maximum })))
  const ticksMax = Math.floor(limits.scriptCpuMsMax / msPerTick)
  return StrictObject(
    {
      memory_bytes: whole(
        limits.scriptMemoryBytesMin,
        limits.scriptMemoryBytesMax,
        'Memory of the virtual machine.',
      ),
      cpu_ms: whole(1, limits.scriptCpuMsMax, 'CPU time of a call, in milliseconds.'),
      wall_ms: whole(1, limits.scriptWallMsMax, 'Time of a call, in milliseconds.'),
      value_bytes: whole(1, limits.scriptValueBytesMax, 'An argument or a result, as JSON.'),
      service_calls: whole(0, limits.scriptServiceCallsMax, 'Service calls of a call.'),
      log_bytes: whole(0, limits.scriptLogBytesPerCallMax, 'Output of a call.'),
      ticks: whole(1, ticksMax, 'CPU time as it was once given: 10,000 are 600 milliseconds.'),
    },
    { description: 'A limit that is null goes back to its default.' },
  )
}

function createOptionalFields() {
  return {
    description: Type.Optional(Text({ maxLength: limits.settingCharsMax })),
    limits: Type.Optional(createLimitsSchema()),
    reuse_vm: Type.Optional(
      Type.Boolean({ description: 'True if calls share one machine, so that globals live on.' }),
    ),
  }
}

function createName() {
  return Text({ minLength: 1, maxLength: limits.nameCharsMax, missing: 'must be given' })
}

/** The settings that a change may name. */
export function createSolutionSchema() {
  return StrictObject({ name: Type.Optional(createName()), ...createOptionalFields() })
}

/** The settings of a new solution. */
export function createNewSolutionSchema() {
  return StrictObject({
    id: Type.Optional(
      Type.String({
        description: 'Also the label of its host; generated if it is left out.',
        pattern: newSolutionId.source,
        maxLength: limits.hostLabelCharsMax,
        rule:
          `must be 2 to ${limits.hostLabelCharsMax} lower-case letters and digits, ` +
          'a letter first',
      }),
    ),
    name: createName(),
    ...createOptionalFields(),
  })
}

const parseChange = createSettingsParser(createSolutionSchema, 'solution', '')
const parseNew = createSettingsParser(createNewSolutionSchema, 'solution', '')

/** The settings of a new solution, and its id if one was chosen. @throws Fault invalid_argument */
export function parseNewSolution(input: NewSolution): {
  readonly id: string | undefined
  readonly settings: SolutionSettings
} {
  const { id, ...part } = parseNew(input)
  return { id, settings: settingsOf(part, noSettings) }
}

/** The settings after a change; what is not named stays. @throws Fault invalid_argument */
export function parseSolution(input: SolutionInput, base: SolutionSettings): SolutionSettings {
  return settingsOf(parseChange(input), base)
}

type Part = Static<ReturnType<typeof createSolutionSchema>>

function settingsOf(part: Part, base: SolutionSettings): SolutionSettings {
  const { name, description, limits: given, reuse_vm: reuseVm } = part
  const changed = omitUndefined({ name, description, reuseVm })
  return { ...base, ...changed, limits: given ? limitsOf(given, base.limits) : base.limits }
}

/** The interface service can name such a solution. Older ids may begin with a digit. */
const newSolutionId = /^[a-z][a-z0-9]+$/

/** Whether a text can be the id of a solution. */
export function isSolutionId(text: string): boolean {
  return text.length <= limits.hostLabelCharsMax && /^[a-z0-9]+$/.test(text)
}

function limitsOf(
  given: NonNullable<Part['limits']>,
  base: Partial<ScriptLimits>,
): Partial<ScriptLimits> {
  const part = withoutTicks(given)
  const names = Object.keys(limitWords) as (keyof ScriptLimits)[]
  const all = names.flatMap((name) => {
    const { [limitWords[name]]: value = base[name] ?? null } = part
    return value === null ? [] : [[name, value] as const]
  })
  return Object.fromEntries(all)
}

/** CPU was once given in ticks: as `cpu_ms`, where it still is. @throws Fault invalid_argument */
function withoutTicks({ ticks, ...part }: NonNullable<Part['limits']>) {
  if (ticks === undefined) return part
  if (part.cpu_ms !== undefined) throw invalidField('limits.ticks', 'says the same as cpu_ms')
  return { ...part, cpu_ms: ticks === null ? null : Math.ceil(ticks * msPerTick) }
}
