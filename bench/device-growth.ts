import { defineBench } from './support/frame/bench.ts'
import { formatShares, measuredCells, measuredHead, toRates } from './support/frame/cells.ts'
import type { Child } from './support/frame/child.ts'
import { print, ratios, table, whole } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { alternate, httpSide } from './support/frame/side.ts'
import { makeWriteRequests } from './support/load/device-request.ts'
import type { OpenedPlatform } from './support/platform/platform.ts'

/**
 * Writes of few devices and of many that write in turn, each with all consumers: whether a write
 * costs the same however many devices there are. Each device has written once before; the caches
 * have room for all, as docs/operating/limits.md says for large fleets.
 */
const few = 1_000
const warmUpSeconds = 1
const passSeconds = 600
/** A device with one signal counts for two in the cache of feeds. */
const cacheRoom = 2.5

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
    cpuOfMillion: {
      subject: "Node's CPU for a write with 1,000,000 devices",
      unit: 'of that with 1,000',
      atMost: 1.2,
    },
    rateOfMillion: {
      subject: 'writes with 1,000,000 devices',
      unit: 'of those with 1,000',
      atLeast: 0.8,
    },
  },
  async measure({ given, start, database, record }) {
    const { connections, profileDir } = given
    const generator = start('load/generator')
    const openSide = async (devices: number) => {
      const server = start('platform/platform', devices === few ? undefined : profileDir)
      const caches = devices * cacheRoom
      const asked = { address: await database(), devices, consumers: true, caches }
      const opened = await server.ask<OpenedPlatform>('open', asked)
      const load = {
        port: opened.port,
        connections,
        warmUpSeconds,
        requests: makeWriteRequests(opened),
      }
      const side = { server, generator, load }
      const before = await readMemoryMb(server)
      await httpSide('', { ...side, load: { ...load, answersMax: devices } }).measure(passSeconds)
      await server.ask('settle')
      const after = await readMemoryMb(server)
      print(`${whole(devices)} devices: ${before} MiB resident, ${after} when all wrote`)
      return httpSide(`${whole(devices)} devices`, side, () => server.ask('settle'))
    }
    const sides = [await openSide(few), await openSide(given.devices)]
    const measured = await alternate(sides, given.rounds, given.seconds)
    const [least = [], most = []] = [...measured.values()]
    const rows = [...measured].map(([name, all]) => [
      ...[name, ...measuredCells(all), formatShares(all, least)],
    ])
    print(table([['', ...measuredHead, `of ${few}`], ...rows]))
    if (given.devices !== 30_000 && given.devices !== 1_000_000) return
    const perSecond = toRates(most)
    const cpu = (all: typeof most) => all.map(({ cpuUs }) => cpuUs)
    const isMillion = given.devices === 1_000_000
    const cpus = { figure: ratios(cpu(most), cpu(least)), perSecond }
    record(isMillion ? 'cpuOfMillion' : 'cpu', cpus)
    const rates = { figure: ratios(perSecond, toRates(least)), perSecond }
    record(isMillion ? 'rateOfMillion' : 'rate', rates)
  },
})

async function readMemoryMb(server: Child): Promise<string> {
  return ((await server.ask<number>('resident')) / 1_048_576).toFixed(0)
}

if (import.meta.main) await runBench(bench)
