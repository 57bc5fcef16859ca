import { limits } from '../kernel/index.ts'
import type { NewScriptLine } from './store/lines.ts'

type Said = Omit<NewScriptLine, 'at'>
type Minute = { line: Said; taken: number; leftOut: number; readonly untilUs: number }

/** How many lines a minute a solution's log takes; what comes past it is counted in one line. */
export type LineBudgets = {
  admit(line: Said, nowUs: number): boolean
  /** Counts a line that could not be kept. */
  leaveOut(line: Said, nowUs: number): void
  /** The lines that say how many were left out, of minutes that are over, or of all. */
  due(nowUs: number, all: boolean): NewScriptLine[]
  holds(): boolean
}

const usPerMinute = 60_000_000

/** Each kind has a budget of its own: many calls that end well must not hide a failure. */
export function createLineBudgets(): LineBudgets {
  const minutes = new Map<string, Minute>()

  function minuteOf(line: Said, nowUs: number): Minute {
    const key = `${line.solutionId}/${line.kind}`
    const known = minutes.get(key)
    if (known !== undefined && (nowUs < known.untilUs || known.leftOut > 0)) return known
    const fresh = { line, taken: 0, leftOut: 0, untilUs: nowUs + usPerMinute }
    minutes.set(key, fresh)
    return fresh
  }

  return {
    admit(line, nowUs) {
      const minute = minuteOf(line, nowUs)
      minute.taken += 1
      if (minute.taken <= limits.scriptLinesPerMinuteMax) return true
      minute.leftOut += 1
      return false
    },
    leaveOut(line, nowUs) {
      minuteOf(line, nowUs).leftOut += 1
    },
    due(nowUs, all) {
      const lines: NewScriptLine[] = []
      for (const [key, { line, leftOut, untilUs }] of minutes) {
        if (!all && untilUs > nowUs) continue
        minutes.delete(key)
        if (leftOut > 0) lines.push(linesLeftOut(line, leftOut, nowUs))
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
