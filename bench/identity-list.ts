import { parseArgs } from 'node:util'
import { print, spread, table, twoPlaces, whole } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import type { ListAsked, OpenIdentities } from './support/platform/identities.ts'

/**
 * Pages of the list of a connector's identities, half of which were seen, beside as many rows of
 * the table in no order. The goal is a first page within 50 ms.
 */
const goalMs = 50
const warmUpTimes = 10
const { values: asked } = parseArgs({
  options: {
    identities: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '100' },
    limit: { type: 'string', default: '50' },
    engine: { type: 'string' },
  },
})
const identities = Number(asked.identities)
const times = Number(asked.times)
const limit = Number(asked.limit)
const sides = {
  first: 'first page',
  inTheMiddle: 'a page in the middle',
  neverSeen: 'first page of those never seen',
  byHand: 'select ... limit, by hand',
}

const title = `pages of ${limit} of ${whole(identities)} identities, ${times} times`
await runBench(title, asked.engine, async (engine, start) => {
  const child = start('platform/identities')
  const address = await engine.database()
  await child.ask('open', { address, identities } satisfies OpenIdentities)
  const rows: string[][] = []
  for (const [question, name] of Object.entries(sides)) {
    await child.ask(question, { times: warmUpTimes, limit } satisfies ListAsked)
    const took = await child.ask<number[]>(question, { times, limit } satisfies ListAsked)
    rows.push([name, spread(took, twoPlaces)])
  }
  print(table([['', 'ms'], ...rows]))
  print(`goal: the first page within ${goalMs} ms`)
})
