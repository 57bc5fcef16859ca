import type { Database } from '../../database/index.ts'
import { readRoom, readUnregistered } from '../store/population.ts'
import type { GoodRow } from './row.ts'

/** Rows for which the connector has room, and the identities of the others. */
export type FittingRows = {
  readonly rows: readonly GoodRow[]
  readonly leftOut: ReadonlySet<string>
}

/**
 * Of the rows, in the order of the file, those that the connector has room for: all that change an
 * identity, and as many new ones as may still come.
 * @param less how many of the places are not to be given.
 */
export async function fittingOf(
  database: Database,
  connectorId: string,
  good: readonly GoodRow[],
  less: number,
): Promise<FittingRows> {
  let room = (await readRoom(database, connectorId)) - less
  if (room >= good.length) return { rows: good, leftOut: new Set() }
  const names = good.map(({ identity }) => ({ connectorId, identity }))
  const unregistered = new Set(
    (await readUnregistered(database, names)).map(({ identity }) => identity),
  )
  const leftOut = new Set<string>()
  for (const { identity } of good) {
    if (!unregistered.has(identity)) continue
    if (room > 0) room -= 1
    else leftOut.add(identity)
  }
  return { rows: good.filter(({ identity }) => !leftOut.has(identity)), leftOut }
}
