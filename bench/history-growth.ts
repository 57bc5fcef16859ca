import { defineBench } from './support/frame/bench.ts'
import { formatShares, measuredCells, measuredHead, toRates } from './support/frame/cells.ts'
import { print, ratios, table, whole } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { alternate, httpSide } from './support/frame/side.ts'
import { makeWriteRequests } from './support/load/device-request.ts'
import type { OpenedPlatform } from './support/platform/platform.ts'

/**
 * Writes with all consumers beside an empty history and one whose partition of this week is filled:
 * whether a write costs the same however much is kept.
 */
const warmUpSeconds = 2
const measuredValues = 100_000_000

export const bench = defineBench({
  name: 'history-growth',
  title: ({ devices, values, connections, rounds, seconds }) =>
    `Writes of ${devices} devices beside ${whole(values)} values of this week, ` +
    `${connections} connections, ${rounds} rounds of ${seconds} s a side`,
  options: { connections: 256, devices: 10_000, values: 10_000_000 },
  goals: {
    cpu: {
      subject: "Node's CPU for a write beside 100 million values of this week",
      unit: 'of that beside none',
      atMost: 1.2,
    },
    rate: {
      subject: 'writes beside 100 million values of this week',
      unit: 'of those beside none',
      atLeast: 0.8,
    },
  },
  async measure({ given, start, database, record }) {
    const { connections, devices, profileDir } = given
    const generator = start('load/generator')
    const openSide = async (values: number) => {
      const server = start('platform/platform', values === 0 ? undefined : profileDir)
      const asked = { address: await database(), devices, consumers: true, values }
      const opened = await server.ask<OpenedPlatform>('open', asked)
      const load = {
        port: opened.port,
        connections,
        warmUpSeconds,
        requests: makeWriteRequests(opened),
      }
      const name = `${whole(values)} values`
      return httpSide(name, { server, generator, load }, () => server.ask('settle'))
    }
    const sides = [await openSide(0), await openSide(given.values)]
    const measured = await alternate(sides, given.rounds, given.seconds)
    const [none = [], many = []] = [...measured.values()]
    const rows = [...measured].map(([name, all]) => [
      ...[name, ...measuredCells(all), formatShares(all, none)],
    ])
    print(table([['', ...measuredHead, 'of none'], ...rows]))
    if (given.values < measuredValues) return
    const perSecond = toRates(many)
    const cpu = (all: typeof many) => all.map(({ cpuUs }) => cpuUs)
    record('cpu', { figure: ratios(cpu(many), cpu(none)), perSecond })
    record('rate', { figure: ratios(perSecond, toRates(none)), perSecond })
  },
})

if (import.meta.main) await runBench(bench)
