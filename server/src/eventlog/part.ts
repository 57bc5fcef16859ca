import { fnv1a, limits } from '../kernel/index.ts'
import type { Entry, Position } from './entry.ts'

/**
 * The partition of a device: all that it says lies in one, in order. It is kept with each entry's
 * key, so this function may never give another answer (FNV-1a over the UTF-16 units).
 */
export function partOf(connectorId: string, identity: string): number {
  const hash = fnv1a(identity, fnv1a('/', fnv1a(connectorId)))
  return (hash >>> 0) % limits.logPartitions
}

export type Parts = readonly (readonly [part: number, entries: readonly Entry[]])[]

/** The entries of each partition; partitions in their order, so that no two wait for each other. */
export function byPart(entries: readonly Entry[]): Parts {
  const parts = Map.groupBy(entries, ({ connectorId, identity }) => partOf(connectorId, identity))
  return [...parts].sort(([one], [other]) => one - other)
}

/** Where each entry lies, from the rows that hold the first number of each partition. */
export function positionsOf(
  parts: Parts,
  rows: readonly (readonly Readonly<Record<string, unknown>>[])[],
): (entry: Entry) => Position {
  const positions = new Map(
    parts.flatMap(([part, entries], place) => {
      const base = Number(rows[place]?.[0]?.base)
      return entries.map((entry, at) => [entry, { part, seq: base + at }] as const)
    }),
  )
  return (entry) => {
    const position = positions.get(entry)
    if (position === undefined) throw new Error('the entry was not appended')
    return position
  }
}
