import { defineBench } from './support/frame/bench.ts'
import { onePlace, print, ratios, spread, table, whole } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import type { Neighbours, Waited } from './support/scripts/script-isolation.ts'

/**
 * The time that four solutions wait for a small handler while four others spin, each call until its
 * limit; beside it the same without spinners, and the same in node:vm under a time-out of as many
 * milliseconds. The spinners are new in each round: nobody knows them at first.
 */
const spins = 'while true do end'
const copies = 'local s = ("x"):rep(8e6) while true do local t = s:sub(2) end'
const sides = [
  { name: 'nobody spins', question: 'throughHost', spinners: 0, spin: spins },
  { name: 'four spin', question: 'throughHost', spinners: 4, spin: spins },
  { name: 'four copy long texts', question: 'throughHost', spinners: 4, spin: copies },
  { name: 'node:vm, four spin', question: 'throughVm', spinners: 4, spin: spins },
] as const
const baseline = sides[0].name

export const bench = defineBench({
  name: 'script-isolation',
  title: ({ rounds, seconds }) =>
    `Neighbours of scripts that spin, ${rounds} rounds of ${seconds} s a side`,
  options: { seconds: 10 },
  goals: {
    spin: { subject: 'p99 of a small handler while four others spin', unit: 'ms', atMost: 50 },
    copy: { subject: 'p99 of a small handler while four copy long texts', unit: 'ms', atMost: 50 },
  },
  alone: true,
  async measure({ given: { rounds, seconds, profileDir }, start, record }) {
    const child = start('scripts/script-isolation', profileDir)
    const waited = new Map<string, Waited[]>(sides.map(({ name }) => [name, []]))
    for (let round = 0; round < rounds; round += 1) {
      for (let turn = 0; turn < sides.length; turn += 1) {
        const side = sides[(round + turn) % sides.length]
        if (side === undefined) continue
        const { name, question, ...asked } = side
        const given: Neighbours = { ...asked, seconds }
        waited.get(name)?.push(await child.ask<Waited>(question, given))
      }
    }
    report(waited)
    const p99 = (name: string) => (waited.get(name) ?? []).map(({ p99Ms }) => p99Ms)
    record('spin', { figure: p99(sides[1].name) })
    record('copy', { figure: p99(sides[2].name) })
  },
})

function report(waited: ReadonlyMap<string, readonly Waited[]>): void {
  const quiet = (waited.get(baseline) ?? []).map(({ p99Ms }) => p99Ms)
  const rows = [...waited].map(([name, all]) => {
    const of = (field: keyof Waited) => all.map((one) => one[field])
    return [
      ...[name, spread(of('calls'), whole), spread(of('p50Ms'), onePlace)],
      ...[spread(of('p99Ms'), onePlace), spread(of('maxMs'), onePlace)],
      ...[spread(of('loopP99Ms'), onePlace), spread(ratios(of('p99Ms'), quiet), onePlace)],
    ]
  })
  const head = ['', 'calls', 'p50 ms', 'p99 ms', 'max ms', 'loop p99 ms', `p99 of ${baseline}`]
  print(table([head, ...rows]))
}

if (import.meta.main) await runBench(bench)
