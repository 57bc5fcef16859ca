import { defineBench } from './support/frame/bench.ts'
import { measuredCells, measuredHead, ratesOf, sharesOf } from './support/frame/cells.ts'
import { print, ratios, table, whole } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { alternate, httpSide } from './support/frame/side.ts'
import { requestsOf } from './support/load/device-request.ts'
import type { OpenedPlatform } from './support/platform/platform.ts'

/**
 * Writes of few devices and of many that write in turn, each with all consumers: whether a write
 * costs the same however many devices there are.
 */
const few = 1_000
const warmUpSeconds = 1

export const bench = defineBench({
  name: 'device-growth',
  title: ({ devices, connections, rounds, seconds }) =>
    `Writes of ${few} and ${devices} devices, ${connections} connections, ${rounds} rounds of ` +
    `${seconds} s a side`,
  options: { connections: 256, devices: 30_000 },
  goals: {
    cpu: {
      subject: "Node's CPU for a write with 30,000 devices",
      unit: 'of that with 1,000',
      atMost: 1.2,
    },
    rate: {
      subject: 'writes with 30,000 devices',
      unit: 'of those with 1,000',
      atLeast: 0.8,
    },
  },
  async measure({ given, start, database, record }) {
    const { connections, profileDir } = given
    const generator = start('load/generator')
    const sideOf = async (devices: number) => {
      const server = start('platform/platform', devices === few ? undefined : profileDir)
      const asked = { address: await database(), devices, consumers: true }
      const opened = await server.ask<OpenedPlatform>('open', asked)
      const load = { port: opened.port, connections, warmUpSeconds, requests: requestsOf(opened) }
      const name = `${whole(devices)} devices`
      return httpSide(name, { server, generator, load }, () => server.ask('settle'))
    }
    const sides = [await sideOf(few), await sideOf(given.devices)]
    const measured = await alternate(sides, given.rounds, given.seconds)
    const [least = [], most = []] = [...measured.values()]
    const rows = [...measured].map(([name, all]) => [
      ...[name, ...measuredCells(all), sharesOf(all, least)],
    ])
    print(table([['', ...measuredHead, `of ${few}`], ...rows]))
    if (given.devices !== 30_000) return
    const perSecond = ratesOf(most)
    const cpu = (all: typeof most) => all.map(({ cpuUs }) => cpuUs)
    record('cpu', { figure: ratios(cpu(most), cpu(least)), perSecond })
    record('rate', { figure: ratios(perSecond, ratesOf(least)), perSecond })
  },
})

if (import.meta.main) await runBench(bench)
