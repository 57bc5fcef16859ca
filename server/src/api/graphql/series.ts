import DataLoader from 'dataloader'
import { Fault, limits } from '../../foundation/kernel/index.ts'
import type { Assets, DataRange, Signal, StatusEvent, Value } from '../../insight/assets/index.ts'
import type { Link } from '../../insight/pipelines/index.ts'
import type { View } from '../../people/groups/index.ts'
import type { Work } from './limits/work.ts'
import { graphqlLimits } from './limits.ts'

/** Reads series of one request: those of which the same range is asked in one statement. */
export function createSeries(assets: Assets, view: View, work: Work) {
  return {
    values: createRanges<Signal, Value>(work, (signals, range) =>
      assets.histories(view, signals, range),
    ),
    ruleEvents: createRanges<Link, StatusEvent>(work, (links, range) => {
      const rules = links.map(({ id: ruleId, assetId }) => ({ ruleId, assetId }))
      return assets.ruleEvents(view, rules, range)
    }),
  }
}

/** Loads lists of a range, one statement for all things of which the same range is asked. */
function createRanges<Of extends { readonly id: string }, Thing>(
  work: Work,
  many: (things: readonly Of[], range: DataRange) => Promise<ReadonlyMap<string, readonly Thing[]>>,
) {
  const loaders = new Map<string, DataLoader<Of, readonly Thing[], string>>()
  function getLoader(range: DataRange): DataLoader<Of, readonly Thing[], string> {
    const key = JSON.stringify(range)
    const known = loaders.get(key)
    if (known !== undefined) return known
    const load = async (things: readonly Of[]) => {
      work.check()
      const most = things.length * (range.limit ?? limits.pageDefault)
      if (most > graphqlLimits.graphqlFieldsMax) throw tooManyValues(things.length)
      const found = await many(things, range)
      return things.map(({ id }) => found.get(id) ?? [])
    }
    const made = new DataLoader(load, { cacheKeyFn: ({ id }: Of) => id })
    loaders.set(key, made)
    return made
  }
  return (thing: Of, range: DataRange) => {
    if ((range.limit ?? 0) > limits.historyValuesMax) {
      throw new Fault('list_too_long', `limit is from 0 to ${limits.historyValuesMax}.`)
    }
    return getLoader(range).load(thing)
  }
}

function tooManyValues(series: number): Fault {
  const most = Math.floor(graphqlLimits.graphqlFieldsMax / series)
  const text = `The values of ${series} signals are asked for: their limit is at most ${most}.`
  return new Fault('too_complex', text)
}
