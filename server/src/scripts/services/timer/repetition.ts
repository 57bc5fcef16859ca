import { Cron } from 'croner'
import { Fault, isTimeZone } from '../../../foundation/kernel/index.ts'
import type { Repetition } from './timer.ts'

const msUs = 1_000

/**
 * The first time after now; what was missed while nobody looked is not made up for. Undefined
 * where a schedule has no more.
 * @param dueAt when it was due, which gives an interval its rhythm.
 */
export function nextTime(repetition: Repetition, dueAt: number, nowUs: number): number | undefined {
  if (repetition.kind === 'interval') {
    const { everyUs } = repetition
    return dueAt + everyUs * (Math.max(0, Math.floor((nowUs - dueAt) / everyUs)) + 1)
  }
  const { schedule, timezone } = repetition
  const next = parseCron(schedule, timezone).nextRun(new Date(Math.floor(nowUs / msUs)))
  return next === null ? undefined : next.getTime() * msUs
}

/** @throws Fault invalid_argument with what is wrong in the schedule or the time zone. */
export function checkSchedule(schedule: string, timezone: string, nowUs: number): number {
  const next = nextTime({ kind: 'schedule', schedule, timezone }, nowUs, nowUs)
  if (next === undefined) throw new Fault('invalid_argument', 'the schedule has no future time')
  return next
}

/** Five fields, or six with seconds first: a schedule cannot have more than one a second. */
function parseCron(schedule: string, timezone: string): Cron {
  if (!isTimeZone(timezone)) {
    throw new Fault('invalid_argument', 'timezone must be a name such as Europe/Berlin')
  }
  try {
    return new Cron(schedule, { timezone, paused: true })
  } catch (error) {
    const why = error instanceof Error ? error.message : ''
    throw new Fault('invalid_argument', `schedule is not a cron expression: ${why.slice(0, 200)}`)
  }
}
