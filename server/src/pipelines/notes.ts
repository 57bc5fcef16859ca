import type { Assets, NewLogLine } from '../assets/index.ts'
import type { Transaction } from '../database/index.ts'
import { type Clock, LruMap, limits } from '../kernel/index.ts'

/** A line for an asset's log. */
export type Note = NewLogLine & { readonly businessId: string; readonly assetId: string }

/** Writes lines into assets' logs, but not the same line again and again. */
export type Notes = {
  write(transaction: Transaction, notes: readonly Note[]): Promise<void>
}

/** A device or a module fails with every message: one line in a while is enough. */
export function createNotes(assets: Assets, clock: Clock): Notes {
  const writtenMs = new LruMap<string, number>(limits.moduleNotesRememberedMax)

  function isNew(note: Note): boolean {
    const key = `${note.assetId} ${note.text}`
    const nowMs = clock.elapsedMs()
    const before = writtenMs.peek(key)
    if (before !== undefined && nowMs - before < limits.moduleNoteRepeatMs) return false
    writtenMs.set(key, nowMs)
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
