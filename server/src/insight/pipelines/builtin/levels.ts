import type { ConstantInfo, JsonValue, Status, StatusLevel } from '@millrace/insight-sdk/protocol'
import { pipelineLimits } from '../limits.ts'
import type { Constants } from '../types.ts'
import { type Builtin, type BuiltinCall, numberIn, secondsConstant, stepping } from './builtin.ts'

/** Returns the level of a value, or a sentence if the value cannot be judged. */
export type Judge = (
  value: JsonValue,
  constants: Constants,
  previous: StatusLevel,
) => StatusLevel | string

const usPerSecond = 1_000_000
const levels = [1, 2, 3, 4] as const
const levelNames = { info: 1, warning: 2, critical: 3, error: 4 } as const

export const statusOutlets = [
  { name: 'status', primitive_type: 'JSON', suggested_name: '{} status' },
] as const

export const levelConstant: ConstantInfo = {
  name: 'level',
  type: 'string',
  description: 'The level of the status when the rule applies; else it is normal.',
  default: 'warning',
  enum: Object.keys(levelNames),
}

export const sustainConstant = secondsConstant(
  'seconds',
  'How long a level has to last before the status has it; a lower one counts at once. It is looked \
at when a value arrives.',
  pipelineLimits.functionWindowSecondsMax,
)

/** The level that a rule of one level gives. */
export function levelIn(constants: Constants): StatusLevel {
  const { level } = constants
  return levelNames[String(level) as keyof typeof levelNames] ?? levelNames.warning
}

export function isSustained(constants: Constants): boolean {
  return numberIn(constants, 'seconds', 0) > 0
}

/** The level of the last value, and of each level the time since which there is at least that. */
type Sustained = { readonly level: StatusLevel; readonly since: (number | null)[] }

/** Makes a rule of a judgement: without a duration it keeps nothing. */
export function judging(type: string, judge: Judge): Builtin['process'] {
  const makeStatus = (level: StatusLevel, value: JsonValue): Status => ({ level, type, value })
  const sustained = stepping<Sustained>((state, { ts, value }, constants) => {
    const level = judge(value, constants, state?.level ?? 0)
    const before = state ?? { level: 0, since: levels.map(() => null) }
    if (typeof level === 'string') return { state: before, complaint: level }
    const since = before.since.map((start, at) => (level > at ? (start ?? ts) : null))
    const durationUs = numberIn(constants, 'seconds', 0) * usPerSecond
    const lasting = levels.filter((_, at) => ts - (since[at] ?? ts + 1) >= durationUs)
    const reached = lasting.at(-1) ?? 0
    return { state: { level, since }, value: makeStatus(reached, value) as JsonValue }
  })
  function atOnce({ data, constants, previous }: BuiltinCall) {
    let last = readLevel(previous)
    const complaints: string[] = []
    const statuses = data.flatMap((datum) => {
      const level = judge(datum.value, constants, last)
      if (typeof level === 'string') {
        complaints.push(level)
        return []
      }
      last = level
      return [{ ...datum, value: makeStatus(level, datum.value) as JsonValue }]
    })
    return { outlets: [statuses], complaints }
  }
  return (call) => (isSustained(call.constants) ? sustained(call) : atOnce(call))
}

function readLevel(previous: unknown): StatusLevel {
  const level = (previous as { level?: unknown } | null | undefined)?.level
  return levels.find((known) => known === level) ?? 0
}
