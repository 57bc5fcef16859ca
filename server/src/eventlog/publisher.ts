import type { EncodedEntry } from './encoded-entry.ts'
import type { Position } from './entry.ts'
import type { Follower } from './follow.ts'
import type { RecentEntries } from './recent-entries.ts'

export type PublisherOptions = {
  readonly recent: Pick<RecentEntries, 'add' | 'trim'>
  readonly follower: Pick<Follower, 'tell'>
  /** The readers of each consumer, one for each partition. */
  readonly readers: ReadonlyMap<string, readonly { notify(): void }[]>
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

  /** Of an append of its own, in the order of the log: readers get the entries from memory. */
  appended(entries: readonly EncodedEntry[], positions: readonly Position[]): void {
    const { recent, readers } = this.#options
    for (const [at, position] of positions.entries()) {
      const encoded = entries[at]
      if (encoded !== undefined && readers.size > 0) recent.add(encoded, position)
    }
    recent.trim(new Set(positions.map(({ part }) => part)))
    this.committed(entries, positions)
  }

  /** Of any transaction: readers are woken, and read the log. */
  committed(entries: readonly EncodedEntry[], positions: readonly Position[]): void {
    const { follower, readers } = this.#options
    const parts = new Set<number>()
    const connectorIds = new Set<string>()
    for (const [at, position] of positions.entries()) {
      const entry = entries[at]?.entry
      if (entry === undefined) continue
      parts.add(position.part)
      connectorIds.add(entry.connectorId)
      follower.tell(entry, position)
    }
    for (const listener of this.#listeners) listener(connectorIds)
    for (const those of readers.values()) for (const part of parts) those[part]?.notify()
  }
}
