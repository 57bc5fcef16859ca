import { strict as assert } from 'node:assert'
import { readArguments } from './support/frame/arguments.ts'
import {
  onePlace,
  print,
  ratios,
  spread,
  table,
  twoPlaces,
  whole,
} from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { alternate, httpSide, type Measured, type Side } from './support/frame/side.ts'
import { documentOf, type List, lists } from './support/platform/catalogue.ts'
import type { OpenedCatalogue } from './support/platform/lists.ts'

/**
 * Lists of 10,000 assets through GraphQL with an API token, beside the same rows by hand: SQL and
 * JSON.stringify on node:http, without a credential. The goal is half of that.
 */
const goal = 0.5
const warmUpSeconds = 1
const {
  rounds,
  seconds,
  connections,
  engine: only,
  profileDir,
} = readArguments({
  connections: 16,
})

const title = `GraphQL lists, ${connections} connections, ${rounds} rounds of ${seconds} s a side`
await runBench(title, only, async (engine, start) => {
  const generator = start('load/generator')
  const server = start('platform/lists', profileDir)
  const peer = start('platform/lists')
  const address = await engine.database()
  const opened = await server.ask<OpenedCatalogue>('openPlatform', address)
  const { businessId } = opened
  const port = await peer.ask<number>('openByHand', { address, businessId })
  const rows: string[][] = []
  for (const [index, list] of lists.entries()) {
    const asked = { path: '/api/graphql', body: JSON.stringify({ query: documentOf(list) }) }
    const ours = requestOf(asked.path, asked.body, opened.token)
    const byHand = requestOf(`/${index}`, asked.body, opened.token)
    await requireSame(opened, port, index, list)
    const load = { connections, warmUpSeconds }
    rows.push(
      ...(await compare(list, [
        httpSide('ours', { server, generator, load: { ...load, port: opened.port, ...ours } }),
        httpSide('by hand', { server: peer, generator, load: { ...load, port, ...byHand } }),
      ])),
    )
  }
  const head = ['', 'per second', 'Node CPU us', 'p50 ms', 'p99 ms', 'of SQL by hand']
  print(table([head, ...rows]))
  print(`goal: ${goal} of SQL by hand`)
})

function requestOf(path: string, body: string, token: string): { requests: string[] } {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Automation ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  return { requests: [`${lines.join('\r\n')}\r\n\r\n${body}`] }
}

/** Both answer the same, or there is nothing to compare. */
async function requireSame(
  { port, token }: OpenedCatalogue,
  peerPort: number,
  index: number,
  list: List,
): Promise<void> {
  const ours = await fetch(`http://127.0.0.1:${port}/api/graphql`, {
    method: 'POST',
    headers: { authorization: `Automation ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: documentOf(list) }),
  })
  const byHand = await fetch(`http://127.0.0.1:${peerPort}/${index}`, { method: 'POST' })
  assert.deepEqual(await ours.json(), await byHand.json())
}

async function compare(list: List, sides: readonly Side[]): Promise<string[][]> {
  const measured = await alternate(sides, rounds, seconds)
  const rates = (name: string) => (measured.get(name) ?? []).map((one) => one.perSecond)
  const row = (name: string, all: readonly Measured[]) => [
    `${list.name}, ${name}`,
    spread(rates(name), whole),
    spread(
      all.map((one) => one.cpuUs),
      onePlace,
    ),
    spread(
      all.map((one) => one.p50Ms),
      onePlace,
    ),
    spread(
      all.map((one) => one.p99Ms),
      onePlace,
    ),
    name === 'ours' ? spread(ratios(rates('ours'), rates('by hand')), twoPlaces) : '',
  ]
  return [...measured].map(([name, all]) => row(name, all))
}
