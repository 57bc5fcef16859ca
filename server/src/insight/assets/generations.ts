import type { Database } from '../../foundation/database/index.ts'
import { createBatcher } from '../../foundation/kernel/index.ts'
import { readGenerations } from './store/structure.ts'

/** Consumers that wait for one look at the generations of businesses' structure. */
const structureChecksMax = 1_000

/** The generations of businesses' structure, by business id; 0 for one that is missing. */
export type Generations = ReadonlyMap<string, number>

/** Anything that belongs to a business. */
export type Owned = { readonly businessId: string }

/**
 * Reads generations. Consumers ask before each batch, so those who ask while a statement runs share
 * the next one: it begins after each of them asked, and finds what was committed by then. Data that
 * are cached with a generation must be read after it: a change in between is then found later.
 */
export function createGenerations(database: Database) {
  const batcher = createBatcher<ReadonlySet<string>, Generations>({
    batchMax: structureChecksMax,
    waitingMax: structureChecksMax,
    async run(asked) {
      const businessIds = new Set(asked.flatMap((those) => [...those]))
      const generations = await readGenerations(database, [...businessIds])
      return asked.map(() => ({ value: generations }))
    },
  })
  return async (owned: readonly Owned[]): Promise<Generations> => {
    if (owned.length === 0) return new Map()
    return batcher.add(new Set(owned.map(({ businessId }) => businessId)))
  }
}
