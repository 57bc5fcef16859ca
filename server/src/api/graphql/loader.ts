import DataLoader from 'dataloader'
import type { Work } from './limits/work.ts'

export type Loader<Thing> = { load(id: string): Promise<Thing> }

/**
 * Made when it is first used, since most requests need few.
 * @param missing for an id that the answer leaves out.
 */
export function loader<Thing>(
  work: Work,
  missing: Thing,
  many: (ids: readonly string[]) => Promise<ReadonlyMap<string, Thing>>,
): Loader<Thing> {
  async function load(ids: readonly string[]): Promise<Thing[]> {
    work.check()
    const found = await many(ids)
    return ids.map((id) => found.get(id) ?? missing)
  }
  let made: DataLoader<string, Thing> | undefined
  return {
    load(id) {
      made ??= new DataLoader(load)
      return made.load(id)
    },
  }
}

/** A part of a list. */
export type Page = { readonly limit: number; readonly offset: number }

/** Loads things of assets, by the ids of these. */
export function byAsset<Thing extends { readonly assetId: string }>(
  things: readonly Thing[],
): ReadonlyMap<string, Thing[]> {
  const lists = new Map<string, Thing[]>()
  for (const thing of things) {
    const list = lists.get(thing.assetId)
    if (list === undefined) lists.set(thing.assetId, [thing])
    else list.push(thing)
  }
  return lists
}
