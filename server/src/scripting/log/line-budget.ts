import { type Clock, limits } from '../../kernel/index.ts'
import type { NewScriptLine } from '../store/lines.ts'

type UnstampedLine = Omit<NewScriptLine, 'at'>
type MinuteBudget = {
  line: UnstampedLine
  taken: number
  dropped: number
  readonly untilMs: number
}

/** How many lines a minute a solution's log takes; what comes past it is counted in one line. */
export type LineBudgets = {
  take(line: UnstampedLine): boolean
  /** Counts a line that could not be kept. */
  recordDropped(line: UnstampedLine): void
  /** The lines that say how many were left out, of minutes that are over, or of all. */
  due(all: boolean): NewScriptLine[]
  isCounting(): boolean
}

const minuteMs = 60_000

/** Each kind has a budget of its own: many calls that end well must not hide a failure. */
export function createLineBudgets(clock: Clock): LineBudgets {
  const minutes = new Map<string, MinuteBudget>()

  function minuteOf(line: UnstampedLine): MinuteBudget {
    const nowMs = clock.elapsedMs()
    const key = `${line.solutionId}/${line.kind}`
    const known = minutes.get(key)
    if (known !== undefined && (nowMs < known.untilMs || known.dropped > 0)) return known
    const fresh = { line, taken: 0, dropped: 0, untilMs: nowMs + minuteMs }
    minutes.set(key, fresh)
    return fresh
  }

  return {
    take(line) {
      const minute = minuteOf(line)
      minute.taken += 1
      if (minute.taken <= limits.scriptLinesPerMinuteMax) return true
      minute.dropped += 1
      return false
    },
    recordDropped(line) {
      minuteOf(line).dropped += 1
    },
    due(all) {
      const nowMs = clock.elapsedMs()
      const lines: NewScriptLine[] = []
      for (const [key, { line, dropped, untilMs }] of minutes) {
        if (!all && untilMs > nowMs) continue
        minutes.delete(key)
        if (dropped > 0) lines.push(linesLeftOut(line, dropped, clock.nowUs()))
      }
      return lines
    },
    isCounting: () => minutes.size > 0,
  }
}

function linesLeftOut({ businessId, solutionId, kind }: UnstampedLine, count: number, at: number) {
  const what = { log: 'of scripts', call: 'of calls', error: 'of failures', note: 'of notes' }[kind]
  return {
    ...{ businessId, solutionId, at, kind: 'note' as const, level: 'warn' as const },
    ...{ service: '', handler: '', trackingId: '' },
    text: `${count} lines ${what} were left out: more came than the log takes.`,
  }
}
