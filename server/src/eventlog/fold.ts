import { type Clock, limits } from '../kernel/index.ts'
import { createBudgets } from './budget.ts'
import type { CountedNote, Note } from './line.ts'

type Window = { note: CountedNote; count: number; readonly untilMs: number }

/** Keeps one device, or many, from flooding the log of their connector. */
export type Folder = {
  /** The note where it is to be written now; undefined where it is only counted for later. */
  take(note: Note, at: number): CountedNote | undefined
  /** Counts a note that could not be kept; said in a line within a minute. */
  leaveOut(note: CountedNote): void
  /** What was counted and is due, or all of it. */
  due(all: boolean): CountedNote[]
  /** Whether anything was counted that is yet to be said. */
  holds(): boolean
}

/**
 * The first note of its kind, device, address and answer is told at once; what repeats within
 * `limits.noteRepeatMs` becomes one line with a count at the end of that time. All of it stays
 * within the connector's budget of lines a minute: a stranger may try ever new identities.
 */
export function createFolder(clock: Clock): Folder {
  // In the order of their ends, since all are equally long.
  const windows = new Map<string, Window>()
  const budgets = createBudgets(clock)
  let counted = 0

  function open(key: string, note: CountedNote): void {
    if (windows.size >= limits.notesRememberedMax) forgetOldest()
    windows.set(key, { note, count: 0, untilMs: clock.elapsedMs() + limits.noteRepeatMs })
  }

  function close(key: string, { count }: Window): void {
    windows.delete(key)
    if (count > 0) counted -= 1
  }

  /** Its repetitions so far count as left out; the next one is a first one again. */
  function forgetOldest(): void {
    const [oldest] = windows
    if (oldest === undefined) return
    const [key, window] = oldest
    close(key, window)
    if (window.count > 0) budgets.leaveOut(window.note, window.count)
  }

  /** A window that counted something begins again: a loop goes on saying one line a window. */
  function dueWindows(all: boolean): CountedNote[] {
    const nowMs = clock.elapsedMs()
    const ended: [string, Window][] = []
    for (const one of windows) {
      if (!all && one[1].untilMs > nowMs) break
      ended.push(one)
    }
    return ended.flatMap(([key, window]) => {
      close(key, window)
      if (window.count === 0) return []
      const note = { ...window.note, count: window.count }
      open(key, note)
      const admitted = budgets.admit(note)
      return admitted === undefined ? [] : [admitted]
    })
  }

  return {
    take(note, at) {
      const key = keyOf(note)
      const known = windows.get(key)
      if (known !== undefined && clock.elapsedMs() < known.untilMs) {
        if (known.count === 0) counted += 1
        Object.assign(known, { note: { ...note, at, count: 1 }, count: known.count + 1 })
        return undefined
      }
      if (known !== undefined) close(key, known)
      const counting = { ...note, at, count: (known?.count ?? 0) + 1 }
      open(key, counting)
      return budgets.admit(counting)
    },
    leaveOut: (note) => budgets.leaveOut(note, note.count),
    due: (all) => [...dueWindows(all), ...budgets.due(all)],
    holds: () => counted > 0 || budgets.holds(),
  }
}

/** What a device downloads differs by its message; what a stranger sends may not decide. */
function keyOf({ connectorId, kind, identity, ip, protocol, code, message }: Note): string {
  const what = kind === 'content' ? message : code
  const who = code !== undefined && ofStrangers.has(code) ? null : identity
  return JSON.stringify([connectorId, kind, who, ip, protocol, what])
}

/** Refusals of who came with an identity of its own making: the next one has another. */
const ofStrangers: ReadonlySet<string> = new Set(['too_many_requests', 'connector_full'])
