import { invalidField, limits, omitUndefined } from '../../../foundation/kernel/index.ts'
import { scriptingLimits } from '../limits.ts'
import { msPerTick, type Solution, type SolutionChange } from '../schema.ts'
import type { ScriptLimits } from './program.ts'

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
  logBytesPerCallMax: scriptingLimits.scriptLogBytesPerCallMax,
})

/** The settings after a change; what is not named stays. @throws Fault invalid_argument */
export function changedSettings(change: SolutionChange, base: SolutionSettings): SolutionSettings {
  const { name, description, limits: given, reuseVm } = change
  const changed = omitUndefined({ name, description, reuseVm })
  return { ...base, ...changed, limits: given ? mergeLimits(given, base.limits) : base.limits }
}

/** Returns whether a text can be the id of a solution. */
export function isSolutionId(text: string): boolean {
  return text.length <= limits.hostLabelCharsMax && /^[a-z0-9]+$/.test(text)
}

/** CPU was once given in ticks. @throws Fault invalid_argument where it is given in both. */
function mergeLimits(
  { ticks, ...part }: NonNullable<SolutionChange['limits']>,
  base: Solution['limits'],
): Solution['limits'] {
  if (ticks !== undefined && part.cpuMsMax !== undefined) {
    throw invalidField('limits.ticks', 'must not be given beside cpu_ms')
  }
  const cpuMsMax = ticks == null ? ticks : Math.ceil(ticks * msPerTick)
  const all = Object.entries({ ...base, ...omitUndefined({ cpuMsMax, ...part }) })
  return Object.fromEntries(all.filter(([, value]) => value !== null))
}
