import { type Clock, limits } from '../kernel/index.ts'
import { type BudgetSchema, createBudgets } from './budget.ts'
import type { NewStoredLine } from './line.ts'

export type FoldSchema = BudgetSchema & { foldKey(line: NewStoredLine): string | undefined }

type Window = { line: NewStoredLine; count: number; readonly untilMs: number }

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
 * The first line with a key is written at once; its repetitions within `limits.lineRepeatMs` become
 * one line with a count at the end of that time. All lines stay within the budget of their log in
 * a minute: an unknown client may try ever new identities.
 */
export function createFolder(schema: FoldSchema, clock: Clock): LineFold {
  // In the order of their ends, since all are equally long.
  const windows = new Map<string, Window>()
  const budgets = createBudgets(schema, clock)
  let counting = 0

  function open(key: string, line: NewStoredLine): void {
    if (windows.size >= limits.linesRememberedMax) forgetOldest()
    windows.set(key, { line, count: 0, untilMs: clock.elapsedMs() + limits.lineRepeatMs })
  }

  function close(key: string, { count }: Window): void {
    windows.delete(key)
    if (count > 0) counting -= 1
  }

  /** Its repetitions so far count as left out; the next one is a first one again. */
  function forgetOldest(): void {
    const [oldest] = windows
    if (oldest === undefined) return
    const [key, window] = oldest
    close(key, window)
    if (window.count > 0) budgets.leaveOut(window.line, window.count)
  }

  /** A window that counted something begins again: a loop makes one line a window. */
  function dueWindows(all: boolean): NewStoredLine[] {
    const nowMs = clock.elapsedMs()
    const ended: [string, Window][] = []
    for (const one of windows) {
      if (!all && one[1].untilMs > nowMs) break
      ended.push(one)
    }
    return ended.flatMap(([key, window]) => {
      close(key, window)
      if (window.count === 0) return []
      const line = { ...window.line, count: window.count }
      open(key, line)
      return budgets.take(line) ?? []
    })
  }

  return {
    take(line) {
      const key = schema.foldKey(line)
      if (key === undefined) return budgets.take(line)
      const known = windows.get(key)
      if (known !== undefined && clock.elapsedMs() < known.untilMs) {
        if (known.count === 0) counting += 1
        known.line = line
        known.count += 1
        return undefined
      }
      if (known !== undefined) close(key, known)
      const counted = { ...line, count: (known?.count ?? 0) + 1 }
      open(key, counted)
      return budgets.take(counted)
    },
    leaveOut: (line) => budgets.leaveOut(line, line.count),
    due: (all) => [...dueWindows(all), ...budgets.due(all)],
    isCounting: () => counting > 0 || budgets.isCounting(),
  }
}
