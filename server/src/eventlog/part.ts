import { limits } from '../kernel/index.ts'
import type { Entry, Position } from './entry.ts'

const fnvOffset = 0x811c9dc5
const fnvPrime = 0x01000193

/**
 * The partition of a device: all that it says lies in one, in order. It is kept with each entry's
 * key, so this function may never give another answer (FNV-1a over the UTF-16 units).
 */
export function partOf(connectorId: string, identity: string): number {
  let hash = mix(fnvOffset, connectorId)
  hash = Math.imul(hash ^ '/'.charCodeAt(0), fnvPrime)
  hash = mix(hash, identity)
  return (hash >>> 0) % limits.logPartitions
}

function mix(start: number, text: string): number {
  let hash = start
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), fnvPrime)
  }
  return hash
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
