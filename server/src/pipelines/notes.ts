import type { Assets, NewLogLine } from '../assets/index.ts'
import type { Transaction } from '../database/index.ts'
import { type Clock, limits } from '../kernel/index.ts'

/** A line for an asset's log. */
export type Note = NewLogLine & { readonly businessId: string; readonly assetId: string }

/** Writes lines into assets' logs, but not the same line again and again. */
export type Notes = {
  write(transaction: Transaction, notes: readonly Note[]): Promise<void>
}

/** What a device or a module does wrong it does with every message: one line a while is enough. */
export function createNotes(assets: Assets, clock: Clock): Notes {
  const written = new Map<string, number>()

  function isNew(note: Note): boolean {
    const key = `${note.assetId} ${note.text}`
    const nowMs = clock.elapsedMs()
    const before = written.get(key)
    if (before !== undefined && nowMs - before < limits.moduleNoteRepeatMs) return false
    written.delete(key)
    written.set(key, nowMs)
    for (const oldest of written.keys()) {
      if (written.size <= limits.moduleNotesRememberedMax) break
      written.delete(oldest)
    }
    return true
  }

  return {
    async write(transaction, notes) {
      for (const { businessId, assetId, ...line } of notes.filter(isNew)) {
        await assets.log(transaction, businessId, assetId, line)
      }
    },
  }
}
