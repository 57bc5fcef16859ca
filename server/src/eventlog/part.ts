import { fnv1a, limits } from '../kernel/index.ts'
import type { Entry, Position } from './entry.ts'
import type { EncodedEntry } from './store/append.ts'

/**
 * Returns the partition of a device: all its entries lie in one, in order. It is part of each
 * entry's key, so its result may never change (FNV-1a over the UTF-16 units).
 */
export function partOf(connectorId: string, identity: string): number {
  const hash = fnv1a(identity, fnv1a('/', fnv1a(connectorId)))
  return (hash >>> 0) % limits.logPartitions
}

export type Parts = readonly (readonly [part: number, entries: readonly EncodedEntry[]])[]

/** Groups entries by partition, in the order of partitions, so that no two appends deadlock. */
export function byPart(entries: readonly EncodedEntry[]): Parts {
  const parts = Map.groupBy(entries, ({ entry: { connectorId, identity } }) =>
    partOf(connectorId, identity),
  )
  return [...parts].sort(([one], [other]) => one - other)
}

/** Returns the position of each entry, from the rows with the first number of each partition. */
export function positionsOf(
  parts: Parts,
  rows: readonly (readonly Readonly<Record<string, unknown>>[])[],
): (entry: Entry) => Position {
  const positions = new Map(
    parts.flatMap(([part, entries], place) => {
      const base = Number(rows[place]?.[0]?.base)
      return entries.map(({ entry }, at) => [entry, { part, seq: base + at }] as const)
    }),
  )
  return (entry) => {
    const position = positions.get(entry)
    if (position === undefined) throw new Error('the entry was not appended')
    return position
  }
}
