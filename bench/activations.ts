import { readArguments } from './support/frame/arguments.ts'
import { type Child, cpuUsOf } from './support/frame/child.ts'
import { print, ratios, spread, table, twoPlaces, whole } from './support/frame/figures.ts'
import { measuredCells, measuredHead, ratesOf, runBench } from './support/frame/run.ts'
import { alternate, type Measured, type Side } from './support/frame/side.ts'
import type { LoadResult } from './support/load/generator.ts'
import type { Loops, Made, OpenedHttp } from './support/platform/activations.ts'

/**
 * Activations, each by a request of its own and durable when it is answered, beside what the engine
 * commits of the same rows from as many connections. The goal is 2,800 a second.
 */
const goal = 2_800
const perSecondMax = 10_000
const {
  rounds,
  seconds,
  connections,
  engine: only,
  profileDir,
} = readArguments({
  connections: 16,
})
const names = {
  http: 'activation over HTTP',
  direct: 'activation, no HTTP',
  rows: 'the same rows, insert + commit',
}

const title = `Activations, ${connections} in flight, ${rounds} rounds of ${seconds} s a side`
await runBench(title, only, async (engine, start) => {
  const peer = start('platform/activations')
  const server = start('platform/activations', profileDir)
  const generator = start('load/generator')
  const http = await server.ask<OpenedHttp>('openHttp', await engine.database())
  await peer.ask('openRows', { address: await engine.database(), loops: connections })
  const sides = [
    httpSide(server, generator, http),
    loopSide(names.direct, server, 'activate'),
    loopSide(names.rows, peer, 'insert'),
  ]
  // What is slow at first is not what is measured.
  for (const side of sides) await side.measure(1)
  report(await alternate(sides, rounds, seconds))
})

/** Each round has identities that nobody activated before. */
function httpSide(server: Child, generator: Child, { port, host }: OpenedHttp): Side {
  let from = 0
  return {
    name: names.http,
    async measure(lasting) {
      const count = Math.ceil(perSecondMax * lasting)
      const requests = Array.from({ length: count }, (_, at) => requestOf(host, `d-${from + at}`))
      from += count
      const before = await cpuUsOf(server)
      const load = { port, connections, warmUpSeconds: 0, seconds: lasting, requests }
      const result = await generator.ask<LoadResult>('run', load)
      const usedUs = (await cpuUsOf(server)) - before
      if (result.failures > 0) throw new Error(`${result.failures} activations were refused`)
      return { ...result, cpuUs: usedUs / result.answers }
    },
  }
}

function requestOf(host: string, identity: string): string {
  const body = `id=${identity}`
  const type = 'application/x-www-form-urlencoded; charset=utf-8'
  const lines = ['POST /provision/activate HTTP/1.1', `Host: ${host}`, `Content-Type: ${type}`]
  return [...lines, `Content-Length: ${body.length}`, '', body].join('\r\n')
}

function loopSide(name: string, child: Child, question: 'activate' | 'insert'): Side {
  return {
    name,
    async measure(lasting) {
      const before = await cpuUsOf(child)
      const asked: Loops = { loops: connections, seconds: lasting }
      const { rows, perSecond } = await child.ask<Made>(question, asked)
      const cpuUs = ((await cpuUsOf(child)) - before) / rows
      return { perSecond, cpuUs, p50Ms: Number.NaN, p99Ms: Number.NaN }
    },
  }
}

function report(measured: ReadonlyMap<string, readonly Measured[]>): void {
  const peer = ratesOf(measured.get(names.rows))
  const rows = [...measured].map(([name, all]) => [
    name,
    ...measuredCells(all),
    spread(ratios(ratesOf(all), peer), twoPlaces),
  ])
  print(table([['', ...measuredHead, 'of the rows'], ...rows]))
  print(`goal: ${whole(goal)} a second over HTTP`)
}
