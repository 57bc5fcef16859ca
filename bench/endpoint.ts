import { resolve } from 'node:path'
import { readArguments } from './support/frame/arguments.ts'
import { print, ratios, spread, table, twoPlaces } from './support/frame/figures.ts'
import { measuredCells, measuredHead, ratesOf, runBench } from './support/frame/run.ts'
import { alternate, httpSide, type Measured } from './support/frame/side.ts'

/**
 * Requests to a solution's endpoint, JSON in and JSON out, beside the same by hand in node:http,
 * which isolates nothing; and beside Node-RED's http in → function → http response where
 * `--peer` names a folder in which `npm i node-red` was run.
 */
const warmUpSeconds = 1
const {
  rounds,
  seconds,
  connections,
  engine: only,
  profileDir,
  peer,
} = readArguments({ connections: 64 })

const names = { bare: 'bare node:http', peer: 'Node-RED', ours: "a solution's endpoint" }

const title = `Endpoints, ${connections} connections, ${rounds} rounds of ${seconds} s a side`
await runBench(title, only, async (engine, start) => {
  const generator = start('load/generator')
  const bare = start('platform/endpoints')
  const ours = start('platform/endpoints', profileDir)
  const load = { connections, warmUpSeconds, requests: [requestOf('bench.localhost')] }
  const barePort = await bare.ask<number>('openBare')
  const ourPort = await ours.ask<number>('open', await engine.database())
  const sides = [
    httpSide(names.bare, { server: bare, generator, load: { ...load, port: barePort } }),
    httpSide(names.ours, { server: ours, generator, load: { ...load, port: ourPort } }),
  ]
  if (peer !== undefined) {
    const nodeRed = start('peers/node-red')
    const port = await nodeRed.ask<number>('open', resolve(peer))
    sides.push(httpSide(names.peer, { server: nodeRed, generator, load: { ...load, port } }))
  }
  report(await alternate(sides, rounds, seconds))
})

function requestOf(host: string): string {
  const body = '{"level":7.5,"unit":"bar"}'
  const head = ['POST /pumps/7 HTTP/1.1', `Host: ${host}`, 'Content-Type: application/json']
  return [...head, `Content-Length: ${body.length}`, '', body].join('\r\n')
}

function report(measured: ReadonlyMap<string, readonly Measured[]>): void {
  const bare = ratesOf(measured.get(names.bare))
  const peers = ratesOf(measured.get(names.peer))
  const rows = [...measured].map(([name, all]) => [
    name,
    ...measuredCells(all),
    spread(ratios(ratesOf(all), bare), twoPlaces),
    peer === undefined ? '' : spread(ratios(ratesOf(all), peers), twoPlaces),
  ])
  print(table([['', ...measuredHead, 'of bare', 'of Node-RED'], ...rows]))
}
