import { parseArgs } from 'node:util'
import type { Child } from './support/frame/child.ts'
import {
  onePlace,
  print,
  ratios,
  spread,
  table,
  twoPlaces,
  whole,
} from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import type { Imported, OpenImport } from './support/platform/csv.ts'

/**
 * Whitelisting by CSV, durable, beside what the engine inserts of the same rows when nothing stands
 * before it: batches of the same size into a table with the same columns and indices. The goal is
 * 22,000 rows a second on the embedded engine.
 */
const goal = 22_000
const warmUpRows = 20_000
const { values: asked } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '100000' },
    engine: { type: 'string' },
    profile: { type: 'string' },
  },
})
const rounds = Number(asked.rounds)
const rows = Number(asked.rows)
const sides = {
  csv: 'CSV, new identities',
  again: 'the same file again',
  raw: 'plain batched insert',
}

const title = `${whole(rows)} rows of CSV with tags, ${rounds} rounds`
await runBench(title, asked.engine, async (engine, start) => {
  const child = start('platform/csv', asked.profile)
  await child.ask('open', { address: await engine.database() } satisfies OpenImport)
  await child.ask('csv', { rows: Math.min(rows, warmUpRows) })
  report(await measure(child))
})

async function measure(child: Child): Promise<ReadonlyMap<string, Imported[]>> {
  const measured = new Map<string, Imported[]>(Object.values(sides).map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [question, name] of Object.entries(sides)) {
      measured.get(name)?.push(await child.ask<Imported>(question, { rows }))
    }
  }
  return measured
}

function report(measured: ReadonlyMap<string, readonly Imported[]>): void {
  const rates = (name: string) => (measured.get(name) ?? []).map((one) => one.perSecond)
  const lines = [...measured].map(([name, all]) => [
    name,
    spread(rates(name), whole),
    spread(
      all.map((one) => one.cpuUs),
      onePlace,
    ),
    spread(ratios(rates(name), rates(sides.raw)), twoPlaces),
    spread(
      all.map((one) => one.peakMib),
      whole,
    ),
  ])
  print(table([['', 'rows a second', 'Node CPU us', 'of the insert', 'peak RSS MiB'], ...lines]))
  print(`goal: ${whole(goal)} rows a second on the embedded engine`)
}
