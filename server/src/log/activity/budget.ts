import type { Clock } from '../../foundation/kernel/index.ts'
import { activityLimits } from './limits.ts'
import type { NewStoredLine } from './line.ts'

/** The parts of a log's schema that decide which lines are alike. */
export type BudgetSchema = {
  readonly about: { readonly kind: string; readonly severity: string }
  budgetKey(line: NewStoredLine): string
  budgetName(line: NewStoredLine): string
}

type Minute = {
  readonly line: NewStoredLine
  taken: number
  leftOut: number
  readonly untilMs: number
}

/** The number of lines that a log takes in a minute; what exceeds it is counted in one line. */
export type Budgets = {
  /** Returns the line, or undefined if it was only counted. */
  take(line: NewStoredLine): NewStoredLine | undefined
  /** Counts lines that could not be written. */
  leaveOut(line: NewStoredLine, count: number): void
  /** Returns the lines with the counts of minutes that are over, or of all. */
  due(all: boolean): NewStoredLine[]
  /** Returns whether there are counts that no line has yet. */
  isCounting(): boolean
}

const minuteMs = 60_000

export function createBudgets(schema: BudgetSchema, clock: Clock): Budgets {
  const minutes = new Map<string, Minute>()
  let counting = 0

  function minuteFor(line: NewStoredLine): Minute {
    const nowMs = clock.elapsedMs()
    const key = schema.budgetKey(line)
    const known = minutes.get(key)
    if (known !== undefined && (nowMs < known.untilMs || known.leftOut > 0)) return known
    const fresh = { line, taken: 0, leftOut: 0, untilMs: nowMs + minuteMs }
    minutes.set(key, fresh)
    return fresh
  }

  function leaveOut(line: NewStoredLine, count: number): void {
    const minute = minuteFor(line)
    if (minute.leftOut === 0) counting += 1
    minute.leftOut += count
  }

  return {
    take(line) {
      const minute = minuteFor(line)
      minute.taken += 1
      if (minute.taken <= activityLimits.linesPerMinuteMax) return line
      leaveOut(line, line.count)
      return undefined
    },
    leaveOut,
    due(all) {
      const nowMs = clock.elapsedMs()
      const lines: NewStoredLine[] = []
      for (const [key, { line, leftOut, untilMs }] of minutes) {
        if (!all && untilMs > nowMs) continue
        minutes.delete(key)
        if (leftOut === 0) continue
        counting -= 1
        lines.push(linesLeftOut(schema, line, leftOut, clock.nowUs()))
      }
      return lines
    },
    isCounting: () => counting > 0,
  }
}

function linesLeftOut(
  { about, budgetName }: BudgetSchema,
  line: NewStoredLine,
  count: number,
  at: number,
): NewStoredLine {
  const lines = ['lines', budgetName(line)].join(' ').trim()
  return {
    ...about,
    businessId: line.businessId,
    ownerId: line.ownerId,
    at,
    subject: null,
    code: 'lines_left_out',
    text: `${count} ${lines} were left out: more came than the log takes.`,
    count,
    details: {},
  }
}
