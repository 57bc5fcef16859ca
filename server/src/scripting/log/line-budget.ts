import { type Clock, limits } from '../../kernel/index.ts'
import type { NewScriptLine } from '../store/lines.ts'

type Said = Omit<NewScriptLine, 'at'>
type Minute = { line: Said; taken: number; leftOut: number; readonly untilMs: number }

/** How many lines a minute a solution's log takes; what comes past it is counted in one line. */
export type LineBudgets = {
  admit(line: Said): boolean
  /** Counts a line that could not be kept. */
  leaveOut(line: Said): void
  /** The lines that say how many were left out, of minutes that are over, or of all. */
  due(all: boolean): NewScriptLine[]
  holds(): boolean
}

const minuteMs = 60_000

/** Each kind has a budget of its own: many calls that end well must not hide a failure. */
export function createLineBudgets(clock: Clock): LineBudgets {
  const minutes = new Map<string, Minute>()

  function minuteOf(line: Said): Minute {
    const nowMs = clock.elapsedMs()
    const key = `${line.solutionId}/${line.kind}`
    const known = minutes.get(key)
    if (known !== undefined && (nowMs < known.untilMs || known.leftOut > 0)) return known
    const fresh = { line, taken: 0, leftOut: 0, untilMs: nowMs + minuteMs }
    minutes.set(key, fresh)
    return fresh
  }

  return {
    admit(line) {
      const minute = minuteOf(line)
      minute.taken += 1
      if (minute.taken <= limits.scriptLinesPerMinuteMax) return true
      minute.leftOut += 1
      return false
    },
    leaveOut(line) {
      minuteOf(line).leftOut += 1
    },
    due(all) {
      const nowMs = clock.elapsedMs()
      const lines: NewScriptLine[] = []
      for (const [key, { line, leftOut, untilMs }] of minutes) {
        if (!all && untilMs > nowMs) continue
        minutes.delete(key)
        if (leftOut > 0) lines.push(linesLeftOut(line, leftOut, clock.nowUs()))
      }
      return lines
    },
    holds: () => minutes.size > 0,
  }
}

function linesLeftOut({ businessId, solutionId, kind }: Said, count: number, at: number) {
  const what = { log: 'of scripts', call: 'of calls', error: 'of failures', note: 'of notes' }[kind]
  return {
    ...{ businessId, solutionId, at, kind: 'note' as const, level: 'warn' as const },
    ...{ service: '', handler: '', trackingId: '' },
    text: `${count} lines ${what} were left out: more came than the log takes.`,
  }
}
