import { defineBench } from './support/frame/bench.ts'
import {
  compareReached,
  formatShares,
  measuredCells,
  measuredHead,
  type Sides,
} from './support/frame/cells.ts'
import { print, table } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { alternate, httpSide } from './support/frame/side.ts'
import { isInstalled } from './support/peers/find.ts'
import type { OpenNodeRed } from './support/peers/node-red.ts'

/**
 * Requests to a solution's endpoint, JSON in and JSON out, beside the same by hand in node:http,
 * which isolates nothing; and beside Node-RED's http in → function → http response.
 */
const warmUpSeconds = 1
const names = { bare: 'bare node:http', peer: 'Node-RED', ours: "a solution's endpoint" }

export const bench = defineBench({
  name: 'endpoint',
  title: ({ connections, rounds, seconds }) =>
    `Endpoints, ${connections} connections, ${rounds} rounds of ${seconds} s a side`,
  options: { connections: 64 },
  goals: {
    bare: { subject: names.ours, unit: 'of bare node:http', atLeast: 0.45 },
    peer: { subject: names.ours, unit: 'of Node-RED', atLeast: 1.5 },
  },
  async measure({ given, start, database, record }) {
    const generator = start('load/generator')
    const bare = start('scripts/endpoints')
    const ours = start('scripts/endpoints', given.profileDir)
    const { connections } = given
    const load = { connections, warmUpSeconds, requests: [endpointRequest('bench.localhost')] }
    const barePort = await bare.ask<number>('openBare')
    const ourPort = await ours.ask<number>('open', await database())
    const sides = [
      httpSide(names.bare, { server: bare, generator, load: { ...load, port: barePort } }),
      httpSide(names.ours, { server: ours, generator, load: { ...load, port: ourPort } }),
    ]
    if (isInstalled('node-red')) {
      const server = start('peers/node-red')
      const port = await server.ask<number>('open', { flow: 'endpoint' } satisfies OpenNodeRed)
      sides.push(httpSide(names.peer, { server, generator, load: { ...load, port } }))
    }
    const measured = await alternate(sides, given.rounds, given.seconds)
    report(measured)
    record('bare', compareReached(measured, names.ours, { limit: names.bare }))
    record('peer', compareReached(measured, names.ours, { peer: names.peer }))
  },
})

function endpointRequest(host: string): string {
  const body = '{"level":7.5,"unit":"bar"}'
  const head = ['POST /pumps/7 HTTP/1.1', `Host: ${host}`, 'Content-Type: application/json']
  return [...head, `Content-Length: ${body.length}`, '', body].join('\r\n')
}

function report(measured: Sides): void {
  const rows = [...measured].map(([name, all]) => [
    name,
    ...measuredCells(all),
    formatShares(all, measured.get(names.bare)),
    formatShares(all, measured.get(names.peer)),
  ])
  print(table([['', ...measuredHead, 'of bare', 'of Node-RED'], ...rows]))
}

if (import.meta.main) await runBench(bench)
