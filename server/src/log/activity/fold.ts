import { type Clock, LruMap } from '../../foundation/kernel/index.ts'
import { type BudgetSchema, createBudgets } from './budget.ts'
import { activityLimits } from './limits.ts'
import type { NewStoredLine } from './line.ts'

export type FoldSchema = BudgetSchema & { foldKey(line: NewStoredLine): string | undefined }

type Window = {
  readonly key: string
  line: NewStoredLine
  count: number
  readonly untilMs: number
}

/** Keeps one owner's lines from flooding its log. */
export type LineFold = {
  /** Returns the line if it is to be written now; undefined if it is counted for later. */
  take(line: NewStoredLine): NewStoredLine | undefined
  /** Counts a line that could not be written; a line within a minute has the count. */
  leaveOut(line: NewStoredLine): void
  /** Returns the lines with counts that are due, or all of them. */
  due(all: boolean): NewStoredLine[]
  /** Returns whether there are counts that no line has yet. */
  isCounting(): boolean
}

/**
 * The first line with a key is written at once; its repetitions within `lineRepeatMs` become
 * one line with a count at the end of that time. All lines stay within the budget of their log in
 * a minute: an unknown client may try ever new identities.
 */
export function createFolder(schema: FoldSchema, clock: Clock): LineFold {
  const budgets = createBudgets(schema, clock)
  // In the order of their ends, since all are equally long and none is read but by `peek`. The
  // repetitions of one that has no room count as left out; the next one is a first one again.
  const windows = new LruMap<string, Window>(activityLimits.linesRememberedMax, {
    onEvicted({ line, count }) {
      if (count === 0) return
      counting -= 1
      budgets.leaveOut(line, count)
    },
  })
  let counting = 0

  function open(key: string, line: NewStoredLine): void {
    windows.set(key, {
      key,
      line,
      count: 0,
      untilMs: clock.elapsedMs() + activityLimits.lineRepeatMs,
    })
  }

  function close({ key, count }: Window): void {
    windows.delete(key)
    if (count > 0) counting -= 1
  }

  /** A window that counted something begins again: a loop makes one line a window. */
  function dueWindows(all: boolean): NewStoredLine[] {
    const nowMs = clock.elapsedMs()
    const ended: Window[] = []
    for (const key of windows.rkeys()) {
      const one = windows.peek(key)
      if (one === undefined || (!all && one.untilMs > nowMs)) break
      ended.push(one)
    }
    return ended.flatMap((window) => {
      close(window)
      if (window.count === 0) return []
      const line = { ...window.line, count: window.count }
      open(window.key, line)
      return budgets.take(line) ?? []
    })
  }

  return {
    take(line) {
      const key = schema.foldKey(line)
      if (key === undefined) return budgets.take(line)
      const known = windows.peek(key)
      if (known !== undefined && clock.elapsedMs() < known.untilMs) {
        if (known.count === 0) counting += 1
        known.line = line
        known.count += 1
        return undefined
      }
      if (known !== undefined) close(known)
      const counted = { ...line, count: (known?.count ?? 0) + 1 }
      open(key, counted)
      return budgets.take(counted)
    },
    leaveOut: (line) => budgets.leaveOut(line, line.count),
    due: (all) => [...dueWindows(all), ...budgets.due(all)],
    isCounting: () => counting > 0 || budgets.isCounting(),
  }
}
