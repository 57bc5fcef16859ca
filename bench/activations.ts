import { defineBench } from './support/frame/bench.ts'
import {
  compareReached,
  measuredCells,
  measuredHead,
  type Sides,
  toRates,
} from './support/frame/cells.ts'
import { type Child, readCpuUs } from './support/frame/child.ts'
import { print, ratios, spread, table, twoPlaces } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { alternate, type Side } from './support/frame/side.ts'
import type { LoadResult } from './support/load/generator.ts'
import type { Loops, Made, OpenedHttp } from './support/platform/activations.ts'

/**
 * Activations, each by a request of its own and durable when it is answered, beside what the engine
 * commits of the same rows from as many connections.
 */
const perSecondMax = 10_000
const names = {
  http: 'activation over HTTP',
  direct: 'activation, no HTTP',
  rows: 'the same rows, insert + commit',
}

export const bench = defineBench({
  name: 'activations',
  title: ({ connections, rounds, seconds }) =>
    `Activations, ${connections} in flight, ${rounds} rounds of ${seconds} s a side`,
  options: { connections: 16 },
  goals: {
    rows: { subject: names.http, unit: 'of inserting the same rows', atLeast: 0.4 },
    rate: { subject: names.http, unit: 'per second', atLeast: 2_800 },
  },
  async measure({ given, start, database, record }) {
    const { connections, rounds, seconds } = given
    const peer = start('platform/activations')
    const server = start('platform/activations', given.profileDir)
    const generator = start('load/generator')
    const http = await server.ask<OpenedHttp>('openHttp', await database())
    await peer.ask('openRows', { address: await database(), loops: connections })
    const sides = [
      httpSide({ server, generator, connections }, http),
      loopSide(names.direct, server, { question: 'activate', loops: connections }),
      loopSide(names.rows, peer, { question: 'insert', loops: connections }),
    ]
    // The first calls are slow, and are not measured.
    for (const side of sides) await side.measure(1)
    const measured = await alternate(sides, rounds, seconds)
    report(measured)
    record('rows', compareReached(measured, names.http, { limit: names.rows }))
    record('rate', { figure: toRates(measured.get(names.http)) })
  },
})

/** Each round has identities that nobody activated before. */
function httpSide(
  parts: { readonly server: Child; readonly generator: Child; readonly connections: number },
  { port, host }: OpenedHttp,
): Side {
  const { server, generator, connections } = parts
  let from = 0
  return {
    name: names.http,
    async measure(lasting) {
      const count = Math.ceil(perSecondMax * lasting)
      const requests = Array.from({ length: count }, (_, at) =>
        activationRequest(host, `d-${from + at}`),
      )
      from += count
      const before = await readCpuUs(server)
      const load = { port, connections, warmUpSeconds: 0, seconds: lasting, requests }
      const result = await generator.ask<LoadResult>('run', load)
      const usedUs = (await readCpuUs(server)) - before
      if (result.failures > 0) throw new Error(`${result.failures} activations were refused`)
      return { ...result, cpuUs: usedUs / result.answers }
    },
  }
}

function activationRequest(host: string, identity: string): string {
  const body = `id=${identity}`
  const type = 'application/x-www-form-urlencoded; charset=utf-8'
  const lines = ['POST /provision/activate HTTP/1.1', `Host: ${host}`, `Content-Type: ${type}`]
  return [...lines, `Content-Length: ${body.length}`, '', body].join('\r\n')
}

function loopSide(
  name: string,
  child: Child,
  { question, loops }: { readonly question: 'activate' | 'insert'; readonly loops: number },
): Side {
  return {
    name,
    async measure(lasting) {
      const before = await readCpuUs(child)
      const asked: Loops = { loops, seconds: lasting }
      const { rows, perSecond } = await child.ask<Made>(question, asked)
      const cpuUs = ((await readCpuUs(child)) - before) / rows
      return { perSecond, cpuUs, p50Ms: Number.NaN, p99Ms: Number.NaN }
    },
  }
}

function report(measured: Sides): void {
  const peer = toRates(measured.get(names.rows))
  const rows = [...measured].map(([name, all]) => [
    name,
    ...measuredCells(all),
    spread(ratios(toRates(all), peer), twoPlaces),
  ])
  print(table([['', ...measuredHead, 'of the rows'], ...rows]))
}

if (import.meta.main) await runBench(bench)
