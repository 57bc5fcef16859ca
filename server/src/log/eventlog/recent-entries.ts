import type { EncodedEntry } from './encoded-entry.ts'
import type { LoggedEntry, Position } from './entry.ts'

/** Entries of a partition that a process keeps in memory for its consumers. */
const recentEntriesMax = 4_000
/** Characters of the bodies of these entries. */
const recentBytesMax = 4 * 1024 * 1024

/** Consecutive entries of one partition, oldest first. */
type Run = { first: number; entries: LoggedEntry[]; sizes: number[]; bytes: number }

export type RecentEntriesOptions = {
  /** Entries of a partition that are kept; by default `recentEntriesMax`. */
  readonly entriesMax?: number
  /** Characters of their bodies; by default `recentBytesMax`. */
  readonly bytesMax?: number
  /** Returns the number up to which every consumer of this process has passed a partition. */
  readonly passed: (part: number) => number
}

/**
 * The newest entries that this process appended, as objects: a consumer that keeps up takes them
 * from here and reads only what it missed, and what others appended, from the store. Entries that
 * every consumer has passed are dropped; a consumer that falls behind what is kept reads from the
 * store.
 */
export class RecentEntries {
  readonly #options: Required<RecentEntriesOptions>
  readonly #runs = new Map<number, Run>()

  constructor(options: RecentEntriesOptions) {
    this.#options = {
      entriesMax: recentEntriesMax,
      bytesMax: recentBytesMax,
      ...options,
    }
  }

  /** Takes entries after their commit, those of a partition in the order of their numbers. */
  add({ entry, body }: EncodedEntry, { part, seq }: Position): void {
    const run = this.#runFor(part, seq)
    run.entries.push({ ...entry, part, seq })
    run.sizes.push(body.length)
    run.bytes += body.length
  }

  /** Forgets a partition that another process reads from now on. */
  drop(part: number): void {
    this.#runs.delete(part)
  }

  /** Forgets what every consumer has passed, and what is too much; after each batch. */
  trim(parts: Iterable<number>): void {
    const { entriesMax, bytesMax, passed } = this.#options
    for (const part of parts) {
      const run = this.#runs.get(part)
      if (run === undefined) continue
      let gone = Math.max(0, passed(part) + 1 - run.first, run.entries.length - entriesMax)
      gone = Math.min(gone, run.entries.length)
      let bytes = run.bytes
      for (let at = 0; at < gone; at += 1) bytes -= run.sizes[at] ?? 0
      for (; bytes > bytesMax && gone < run.entries.length; gone += 1) bytes -= run.sizes[gone] ?? 0
      if (gone === 0) continue
      run.entries.splice(0, gone)
      run.sizes.splice(0, gone)
      run.first += gone
      run.bytes = bytes
    }
  }

  /** Returns at most `count` entries directly after a number; none if they are not kept here. */
  after(part: number, seq: number, count: number): readonly LoggedEntry[] {
    const run = this.#runs.get(part)
    if (run === undefined || seq + 1 < run.first) return []
    return run.entries.slice(seq + 1 - run.first, seq + 1 - run.first + count)
  }

  /** Returns whether this process appended nothing to a partition beyond a number. */
  endsAt(part: number, seq: number): boolean {
    const run = this.#runs.get(part)
    return run === undefined || run.first + run.entries.length - 1 <= seq
  }

  /** If another process or a transaction has numbers in between, the run begins anew. */
  #runFor(part: number, seq: number): Run {
    const known = this.#runs.get(part)
    if (known !== undefined && known.first + known.entries.length === seq) return known
    const run = { first: seq, entries: [], sizes: [], bytes: 0 }
    this.#runs.set(part, run)
    return run
  }
}
