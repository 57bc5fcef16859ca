import { readArguments } from './support/arguments.ts'
import { ratios, spread, table, tell, twoPlaces } from './support/figures.ts'
import { measuredCells, measuredHead, ratesOf, runBench } from './support/frame.ts'
import { alternate, httpSide, type Measured } from './support/side.ts'

/**
 * Requests to a solution's endpoint, JSON in and JSON out, beside the same by hand in node:http,
 * which isolates nothing. Node-RED, the peer in the field, is not installed and did not run.
 */
const warmUpSeconds = 1
const {
  rounds,
  seconds,
  connections,
  engine: only,
  profileDir,
} = readArguments({ connections: 64 })

const names = { bare: 'bare node:http', ours: "a solution's endpoint" }

const title = `Endpoints, ${connections} connections, ${rounds} rounds of ${seconds} s a side`
await runBench(title, only, async (engine, start) => {
  const generator = start('generator')
  const bare = start('endpoints')
  const ours = start('endpoints', profileDir)
  const load = { connections, warmUpSeconds, requests: [requestOf('bench.localhost')] }
  const barePort = await bare.ask<number>('openBare')
  const ourPort = await ours.ask<number>('open', await engine.database())
  const sides = [
    httpSide(names.bare, { server: bare, generator, load: { ...load, port: barePort } }),
    httpSide(names.ours, { server: ours, generator, load: { ...load, port: ourPort } }),
  ]
  report(await alternate(sides, rounds, seconds))
})

function requestOf(host: string): string {
  const body = '{"level":7.5,"unit":"bar"}'
  const head = ['POST /pumps/7 HTTP/1.1', `Host: ${host}`, 'Content-Type: application/json']
  return [...head, `Content-Length: ${body.length}`, '', body].join('\r\n')
}

function report(measured: ReadonlyMap<string, readonly Measured[]>): void {
  const bare = ratesOf(measured.get(names.bare))
  const rows = [...measured].map(([name, all]) => [
    name,
    ...measuredCells(all),
    spread(ratios(ratesOf(all), bare), twoPlaces),
  ])
  tell(table([['', ...measuredHead, 'of bare'], ...rows]))
}
