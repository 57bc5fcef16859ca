import { defineBench } from './support/frame/bench.ts'
import { print, spread, table, twoPlaces, whole } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import type { ListAsked, OpenIdentities } from './support/platform/identities.ts'

/**
 * Pages of the list of a connector's identities, half of which were seen, beside as many rows of
 * the table in no order.
 */
const warmUpTimes = 10
const sides = {
  first: 'first page',
  inTheMiddle: 'a page in the middle',
  neverSeen: 'first page of those never seen',
  byHand: 'select ... limit, by hand',
}

export const bench = defineBench({
  name: 'identity-list',
  title: ({ limit, identities, times }) =>
    `pages of ${limit} of ${whole(identities)} identities, ${times} times`,
  options: { identities: 1_000_000, times: 100, limit: 50 },
  goals: {
    first: { subject: "first page of a connector's identities", unit: 'ms', atMost: 50 },
    byHand: { subject: 'as many rows in no order, by hand', unit: 'ms' },
  },
  async measure({ given, start, database, record }) {
    const { identities, times, limit } = given
    const child = start('platform/identities')
    const address = await database()
    await child.ask('open', { address, identities } satisfies OpenIdentities)
    const rows: string[][] = []
    for (const [question, name] of Object.entries(sides)) {
      await child.ask(question, { times: warmUpTimes, limit } satisfies ListAsked)
      const figure = await child.ask<number[]>(question, { times, limit } satisfies ListAsked)
      rows.push([name, spread(figure, twoPlaces)])
      if (question === 'first' || question === 'byHand') record(question, { figure })
    }
    print(table([['', 'ms'], ...rows]))
  },
})

if (import.meta.main) await runBench(bench)
