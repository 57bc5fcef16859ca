import type { Hints } from '../../foundation/database/index.ts'
import type { EncodedEntry } from './encoded-entry.ts'
import type { Position } from './entry.ts'
import type { Follower } from './follow.ts'
import type { Reader } from './reader.ts'
import type { RecentEntries } from './recent-entries.ts'

export type PublisherOptions = {
  readonly recent: Pick<RecentEntries, 'add' | 'trim'>
  readonly follower: Pick<Follower, 'notify'>
  /** The readers of each consumer, one for each partition. */
  readonly readers: ReadonlyMap<string, readonly Pick<Reader<unknown>, 'notify' | 'notifyStored'>[]>
  /** True if this process reads a partition. */
  readonly isRead: (part: number) => boolean
  /** The hints to processes that read the log. */
  readonly hints: Pick<Hints, 'notify'>
}

/** Passes on what this process committed: to readers, to who watches a device, to listeners. */
export class Publisher {
  readonly #options: PublisherOptions
  readonly #listeners: ((connectorIds: ReadonlySet<string>) => void)[] = []

  constructor(options: PublisherOptions) {
    this.#options = options
  }

  onAppended(listener: (connectorIds: ReadonlySet<string>) => void): void {
    this.#listeners.push(listener)
  }

  /**
   * Publishes an append of its own, in the order of the log: readers get the entries from memory.
   */
  appended(entries: readonly EncodedEntry[], positions: readonly Position[]): void {
    const { recent, readers, isRead } = this.#options
    for (const [at, position] of positions.entries()) {
      const encoded = entries[at]
      if (encoded !== undefined && isRead(position.part)) recent.add(encoded, position)
    }
    recent.trim(new Set(positions.map(({ part }) => part)))
    for (const part of this.#notify(entries, positions)) {
      for (const those of readers.values()) those[part]?.notify()
    }
  }

  /** Publishes the entries of any transaction: readers are woken, and read the log. */
  committed(entries: readonly EncodedEntry[], positions: readonly Position[]): void {
    for (const part of this.#notify(entries, positions)) this.#readStored(part)
  }

  /**
   * Publishes the entries of a caller's transaction to watchers of devices, and to listeners.
   * Readers find the entries by their polls, which costs those who activate in masses less than a
   * look of each reader after each commit.
   * @returns the partitions.
   */
  shown(entries: readonly EncodedEntry[], positions: readonly Position[]): ReadonlySet<number> {
    const { follower } = this.#options
    const parts = new Set<number>()
    const connectorIds = new Set<string>()
    for (const [at, position] of positions.entries()) {
      const entry = entries[at]?.entry
      if (entry === undefined) continue
      parts.add(position.part)
      connectorIds.add(entry.connectorId)
      follower.notify(entry, position)
    }
    for (const listener of this.#listeners) listener(connectorIds)
    return parts
  }

  /** Another process has appended to these partitions, or to any. */
  appendedByOthers(named: ReadonlySet<string> | undefined): void {
    if (named === undefined) this.#readStored()
    else for (const part of named) this.#readStored(Number(part))
  }

  #readStored(part?: number): void {
    for (const those of this.#options.readers.values()) {
      for (const reader of part === undefined ? those : those.slice(part, part + 1)) {
        reader.notifyStored()
      }
    }
  }

  /** @returns the partitions. */
  #notify(entries: readonly EncodedEntry[], positions: readonly Position[]): ReadonlySet<number> {
    const { hints, isRead } = this.#options
    const parts = this.shown(entries, positions)
    for (const part of parts) if (!isRead(part)) hints.notify('entries', String(part))
    return parts
  }
}
