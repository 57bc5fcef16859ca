import { invalidField, limits, objectField, textField, wholeField } from '../../kernel/index.ts'
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

/** The range of each limit: the least that a machine needs, and the most of a solution. */
const ranges = (): Readonly<Record<keyof ScriptLimits, { min: number; max: number }>> => ({
  memoryBytesMax: { min: limits.scriptMemoryBytesMin, max: limits.scriptMemoryBytesMax },
  cpuMsMax: { min: 1, max: limits.scriptCpuMsMax },
  wallMsMax: { min: 1, max: limits.scriptWallMsMax },
  valueBytesMax: { min: 1, max: limits.scriptValueBytesMax },
  serviceCallsMax: { min: 0, max: limits.scriptServiceCallsMax },
  logBytesPerCallMax: { min: 0, max: limits.scriptLogBytesPerCallMax },
})

/** The settings after a change; what is not named stays. @throws Fault invalid_argument */
export function parseSolution(input: SolutionInput, base: SolutionSettings): SolutionSettings {
  const part = objectField('solution', input, ['name', 'description', 'limits', 'reuse_vm'])
  const { name = base.name, description = base.description, reuse_vm: reuse = base.reuseVm } = part
  if (typeof reuse !== 'boolean') throw invalidField('reuse_vm', 'must be true or false')
  return {
    name: textField('name', name, { charsMin: 1, charsMax: limits.nameCharsMax }),
    description: textField('description', description, { charsMax: limits.settingCharsMax }),
    limits: part.limits === undefined ? base.limits : parseLimits(part.limits, base.limits),
    reuseVm: reuse,
  }
}

/** @throws Fault invalid_argument */
export function parseSolutionId(id: unknown): string {
  const text = textField('id', id, { charsMin: 1, charsMax: limits.hostLabelCharsMax })
  if (newSolutionId.test(text)) return text
  throw invalidField('id', 'must be two or more lower-case letters and digits, a letter first')
}

/** The interface service can name such a solution. Older ids may begin with a digit. */
const newSolutionId = /^[a-z][a-z0-9]+$/

/** Whether a text can be the id of a solution. */
export function isSolutionId(text: string): boolean {
  return text.length <= limits.hostLabelCharsMax && /^[a-z0-9]+$/.test(text)
}

function parseLimits(value: unknown, base: Partial<ScriptLimits>): Partial<ScriptLimits> {
  const part = withoutTicks(objectField('limits', value, [...Object.values(limitWords), 'ticks']))
  const names = Object.keys(limitWords) as (keyof ScriptLimits)[]
  const all = names.flatMap((name) => {
    const word = limitWords[name]
    const { [word]: given = base[name] ?? null } = part
    return given === null
      ? []
      : [[name, wholeField(`limits.${word}`, given, ranges()[name])] as const]
  })
  return Object.fromEntries(all)
}

/** A former default of 10,000 ticks is 600 ms. */
const msPerTick = 0.06

/** CPU was once given in ticks: as `cpu_ms`, where it still is. @throws Fault invalid_argument */
function withoutTicks({ ticks, ...part }: Record<string, unknown>): Record<string, unknown> {
  if (ticks === undefined) return part
  if (part.cpu_ms !== undefined) throw invalidField('limits.ticks', 'says the same as cpu_ms')
  if (ticks === null) return { ...part, cpu_ms: null }
  const ticksMax = limits.scriptCpuMsMax / msPerTick
  const given = wholeField('limits.ticks', ticks, { min: 1, max: ticksMax })
  return { ...part, cpu_ms: Math.ceil(given * msPerTick) }
}
