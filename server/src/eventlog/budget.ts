import { type Clock, limits } from '../kernel/index.ts'
import type { CountedNote, Note } from './line.ts'

type Minute = { note: Note; taken: number; leftOut: number; readonly untilMs: number }

/** How many lines a minute a connector's log takes; what comes past it is counted in one line. */
export type Budgets = {
  /** The note, or undefined where it was only counted. */
  admit(note: CountedNote): CountedNote | undefined
  /** Counts notes that could not be kept. */
  leaveOut(note: Note, count: number): void
  /** The lines that say how many were left out, of minutes that are over, or of all. */
  due(all: boolean): CountedNote[]
  holds(): boolean
}

const minuteMs = 60_000

/** Refusals have a budget of their own, so that strangers do not silence devices. */
export function createBudgets(clock: Clock): Budgets {
  const minutes = new Map<string, Minute>()
  let counted = 0

  function minuteOf(note: Note): Minute {
    const nowMs = clock.elapsedMs()
    const key = `${note.connectorId}/${note.kind === 'refusal'}`
    const known = minutes.get(key)
    if (known !== undefined && (nowMs < known.untilMs || known.leftOut > 0)) return known
    const fresh = { note, taken: 0, leftOut: 0, untilMs: nowMs + minuteMs }
    minutes.set(key, fresh)
    return fresh
  }

  function leaveOut(note: Note, count: number): void {
    const minute = minuteOf(note)
    if (minute.leftOut === 0) counted += 1
    minute.leftOut += count
  }

  return {
    admit(note) {
      const minute = minuteOf(note)
      minute.taken += 1
      if (minute.taken <= limits.notesPerMinuteMax) return note
      leaveOut(note, note.count)
      return undefined
    },
    leaveOut,
    due(all) {
      const nowMs = clock.elapsedMs()
      const lines: CountedNote[] = []
      for (const [key, { note, leftOut, untilMs }] of minutes) {
        if (!all && untilMs > nowMs) continue
        minutes.delete(key)
        if (leftOut === 0) continue
        counted -= 1
        lines.push({ ...linesLeftOut(note, leftOut), at: clock.nowUs(), count: leftOut })
      }
      return lines
    },
    holds: () => counted > 0,
  }
}

/** The line that stands for those that were not kept. */
function linesLeftOut({ businessId, connectorId }: Note, count: number): Note {
  return {
    ...{ businessId, connectorId, kind: 'log', severity: 'warning' },
    ...{ identity: null, ip: '', protocol: '', code: 'lines_left_out' },
    message: `${count} lines were left out: more came than the log takes.`,
  }
}
