import { connectionLost, type Database, lostRace } from '../database/index.ts'
import { type Clock, DelayedFlush, type Logger, limits } from '../kernel/index.ts'
import { createFolder } from './fold.ts'
import type { CountedNote, Note } from './line.ts'
import { insertNotes, type StoredNote } from './store/lines.ts'

/** Notes on their way to the log: kept in memory, written in batches; a cut loses the last ones. */
export type Notes = {
  /** Returns at once; it never fails and never waits. */
  note(note: Note): void
  /** Resolves once everything that was noted is written, or could not be. */
  flush(): Promise<void>
  /** Writes what waits, with the counts of what was folded. */
  close(): Promise<void>
}

export type NotesOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
  /** Told which connectors have new lines, after each batch. */
  readonly written: (connectorIds: ReadonlySet<string>) => void
}

export function createNotes({ database, clock, logger, written }: NotesOptions): Notes {
  const folder = createFolder(clock)
  let waiting: CountedNote[] = []
  const flushing = new DelayedFlush(write, limits.noteFlushMs)

  function keep(note: CountedNote): void {
    if (waiting.length < limits.notesWaitingMax) waiting.push(note)
    else folder.leaveOut(note)
  }

  async function write(): Promise<void> {
    for (const note of folder.due(flushing.closed)) keep(note)
    while (waiting.length > 0) {
      const batch = waiting.slice(0, limits.noteBatchMax)
      waiting = waiting.slice(batch.length)
      if (!(await store(batch))) break
    }
    if (waiting.length > 0 || folder.holds()) flushing.schedule()
  }

  /** False where the database is away: the batch waits with what comes meanwhile. */
  async function store(batch: readonly CountedNote[]): Promise<boolean> {
    try {
      await insertNotes(database, batch.map(toStored))
    } catch (error) {
      const away = connectionLost(error) || lostRace(error)
      logger.warn({ err: error, lines: batch.length, away }, 'lines could not be written')
      if (!away) for (const note of batch) folder.leaveOut(note)
      else {
        const since = waiting
        waiting = [...batch]
        for (const note of since) keep(note)
      }
      return !away
    }
    written(new Set(batch.map((note) => note.connectorId)))
    return true
  }

  return {
    note(note) {
      if (flushing.closed) return
      const told = folder.take(note, clock.nowUs())
      if (told !== undefined) keep(told)
      flushing.schedule()
    },
    flush: () => flushing.flush(),
    close: () => flushing.close(),
  }
}

function toStored(note: CountedNote): StoredNote {
  return {
    businessId: note.businessId,
    connectorId: note.connectorId,
    at: note.at,
    kind: note.kind,
    severity: note.severity ?? (note.kind === 'refusal' ? 'warning' : 'info'),
    identity: note.identity === null ? null : clean(note.identity, limits.identityCharsMax),
    ip: note.ip,
    protocol: note.protocol,
    code: note.code ?? null,
    message: clean(note.message, limits.noteCharsMax),
    count: note.count,
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it replaces
const control = /[\u0000-\u001f\u007f-\u009f]/g

/** What a stranger sent may be anything: a line holds it as text that can be stored and shown. */
function clean(text: string, charsMax: number): string {
  return text.slice(0, charsMax).toWellFormed().replace(control, '\ufffd')
}
