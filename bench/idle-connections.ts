import { defineBench } from './support/frame/bench.ts'
import { onePlace, print, ratios, spread, table, twoPlaces } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import {
  type IdleKind,
  type IdleServer,
  idleKinds,
  kibOfIdle,
} from './support/platform/idle-cost.ts'

/**
 * The cost of an idle connection: kept alive after an answer, or in a long poll, beside
 * the same at bare node:http. Each figure is of a fresh process.
 */
export const bench = defineBench({
  name: 'idle-connections',
  title: ({ connections, rounds }) => `Idle connections, ${connections} at once, ${rounds} rounds`,
  options: { connections: 2_000 },
  goals: {
    alive: { subject: 'idle connection, kept alive', unit: 'KiB' },
    poll: { subject: 'idle connection, long poll', unit: 'KiB' },
  },
  async measure({ given, database, record }) {
    const measured = new Map<string, number[]>()
    for (let round = 0; round < given.rounds; round += 1) {
      for (const kind of ['alive', 'poll'] as const) {
        for (const server of ['millrace', 'bare'] as const) {
          const name = idleName(kind, server)
          const all = measured.get(name) ?? []
          measured.set(name, all)
          const { connections } = given
          all.push(await kibOfIdle({ database, connections }, server, kind))
        }
      }
    }
    const rows = [...measured].map(([name, all]) => {
      const bare = measured.get(name.replace('millrace', 'bare')) ?? []
      return [name, spread(all, onePlace), spread(ratios(all, bare), twoPlaces)]
    })
    print(table([['', 'KiB of RSS a connection', 'of bare'], ...rows]))
    for (const kind of ['alive', 'poll'] as const) {
      record(kind, { figure: measured.get(idleName(kind, 'millrace')) ?? [] })
    }
  },
})

const idleName = (kind: IdleKind, server: IdleServer) => `${idleKinds[kind].name}, ${server}`

if (import.meta.main) await runBench(bench)
