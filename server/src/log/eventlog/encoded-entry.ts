import { fnv1a } from '../../foundation/kernel/index.ts'
import type { Entry, Position } from './entry.ts'

/**
 * Returns the partition of a device: all its entries lie in one, in order. It is part of each
 * entry's key, so its result may never change (FNV-1a over the UTF-16 units).
 * @param partitions how many there are; of a database it never changes.
 */
export function partitionFor(connectorId: string, identity: string, partitions: number): number {
  const hash = fnv1a(identity, fnv1a('/', fnv1a(connectorId)))
  return (hash >>> 0) % partitions
}

/** An entry as a store takes it: its partition is found, and its body made into text, once. */
export type EncodedEntry = {
  readonly entry: Entry
  readonly part: number
  /** JSON. */
  readonly body: string
}

export function encodeEntry(entry: Entry, partitions: number): EncodedEntry {
  const part = partitionFor(entry.connectorId, entry.identity, partitions)
  return { entry, part, body: JSON.stringify(entry.body) }
}

export type Parts = readonly (readonly [part: number, entries: readonly EncodedEntry[]])[]

/** Groups entries by partition, in the order of partitions, so that no two appends deadlock. */
export function byPart(entries: readonly EncodedEntry[]): Parts {
  const parts = Map.groupBy(entries, ({ part }) => part)
  return [...parts].sort(([one], [other]) => one - other)
}

/**
 * Returns the position of each entry, in their order.
 * @param bases the first number of each of the partitions.
 */
export function assignPositions(
  entries: readonly EncodedEntry[],
  bases: ReadonlyMap<number, number>,
): Position[] {
  const next = new Map(bases)
  return entries.map(({ part }) => {
    const seq = next.get(part)
    if (seq === undefined) throw new Error(`nothing was appended to partition ${part}`)
    next.set(part, seq + 1)
    return { part, seq }
  })
}
