import { defineBench } from './support/frame/bench.ts'
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
 * before it: batches of the same size into a table with the same columns and indices.
 */
const warmUpRows = 20_000
const sides = {
  csv: 'CSV, new identities',
  again: 'the same file again',
  raw: 'plain batched insert',
}

export const bench = defineBench({
  name: 'csv-import',
  title: ({ rows, rounds }) => `${whole(rows)} rows of CSV with tags, ${rounds} rounds`,
  options: { rows: 100_000, rounds: 3 },
  goals: { rate: { subject: 'whitelisting by CSV', unit: 'rows per second', atLeast: 22_000 } },
  async measure({ given, start, database, record }) {
    const { rows, rounds, profileDir } = given
    const child = start('platform/csv', profileDir)
    await child.ask('open', { address: await database() } satisfies OpenImport)
    await child.ask('csv', { rows: Math.min(rows, warmUpRows) })
    const measured = await measure(child, { rows, rounds })
    report(measured)
    const rates = (name: string) => (measured.get(name) ?? []).map((one) => one.perSecond)
    const limit = { name: sides.raw, perSecond: rates(sides.raw) }
    record('rate', { figure: rates(sides.csv), limit })
  },
})

async function measure(
  child: Child,
  { rows, rounds }: { readonly rows: number; readonly rounds: number },
): Promise<ReadonlyMap<string, Imported[]>> {
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
}

if (import.meta.main) await runBench(bench)
