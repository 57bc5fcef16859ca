import { readArguments } from './support/frame/arguments.ts'
import { type Child, cpuUsOf } from './support/frame/child.ts'
import type { BenchEngine } from './support/frame/engines.ts'
import { print, spread, table, whole } from './support/frame/figures.ts'
import { measuredCells, measuredHead, runBench, type Start, sharesOf } from './support/frame/run.ts'
import { alternate, httpSide, type Measured, type Side } from './support/frame/side.ts'
import { tokenLine, writeRequest } from './support/load/device-request.ts'
import type { Committed } from './support/platform/group-commit.ts'
import type { OpenedPlatform } from './support/platform/platform.ts'

/**
 * Device writes over HTTP, durable, beside what answers the same requests and keeps nothing, and
 * beside what the engine commits with no HTTP before it. The goal is half of bare node:http.
 */
const goal = 0.5
const devices = 1_000
const warmUpSeconds = 1
const {
  rounds,
  seconds,
  connections,
  engine: only,
  profileDir,
} = readArguments({
  connections: 256,
})

const names = {
  bare: 'bare node:http, keeps nothing',
  ours: 'device write, durable',
  logOnly: 'the same, no consumer runs',
  append: 'group commit, no HTTP',
  insert: 'plain batched insert',
}

const title = `Device writes, ${connections} connections, ${rounds} rounds of ${seconds} s a side`
await runBench(title, only, async (engine, start) => {
  const pending: number[] = []
  const sides = await openSides(engine, start, pending)
  report(await alternate(sides, rounds, seconds), pending)
})

async function openSides(engine: BenchEngine, start: Start, pending: number[]): Promise<Side[]> {
  const generator = start('load/generator')
  const bare = start('peers/bare')
  const barePort = await bare.ask<number>('open')
  const commits = start('platform/group-commit')
  await commits.ask('open', { address: await engine.database(), devices })
  const platformSide = async (name: string, consumers: boolean) => {
    const server = start('platform/platform', profileOf(consumers))
    const address = await engine.database()
    const opened = await server.ask<OpenedPlatform>('open', { address, devices, consumers })
    const load = { port: opened.port, connections, warmUpSeconds, requests: requestsOf(opened) }
    const settle = async () => {
      const left = await server.ask<number>('settle')
      if (consumers) pending.push(left)
    }
    return { load, side: httpSide(name, { server, generator, load }, settle) }
  }
  const ours = await platformSide(names.ours, true)
  const logOnly = await platformSide(names.logOnly, false)
  const load = { ...ours.load, port: barePort }
  return [
    httpSide(names.bare, { server: bare, generator, load }),
    ours.side,
    logOnly.side,
    commitSide(names.append, commits, 'append'),
    commitSide(names.insert, commits, 'insert'),
  ]
}

/** A folder a process: each leaves a profile of the same name. */
function profileOf(consumers: boolean): string | undefined {
  if (profileDir === undefined) return undefined
  return `${profileDir}/${consumers ? 'consuming' : 'log-only'}`
}

/** One request a device, as its firmware sends it. */
function requestsOf({ host, tokens }: OpenedPlatform): string[] {
  return tokens.map((token, at) =>
    writeRequest(host, [tokenLine(token)], `temperature=${(at % 400) / 10}`),
  )
}

function commitSide(name: string, child: Child, question: 'append' | 'insert'): Side {
  return {
    name,
    async measure(seconds) {
      const before = await cpuUsOf(child)
      const committed = await child.ask<Committed>(question, { writers: connections, seconds })
      const cpuUs = ((await cpuUsOf(child)) - before) / committed.rows
      return { perSecond: committed.perSecond, cpuUs, p50Ms: Number.NaN, p99Ms: Number.NaN }
    },
  }
}

function report(measured: ReadonlyMap<string, readonly Measured[]>, pending: number[]): void {
  const rows = [...measured].map(([name, all]) => [
    name,
    ...measuredCells(all),
    sharesOf(all, measured.get(names.bare)),
    sharesOf(all, measured.get(names.append)),
  ])
  print(table([['', ...measuredHead, 'of bare', 'of group commit'], ...rows]))
  print(`entries that the consumers had still to read at a round's end: ${spread(pending, whole)}`)
  print(`goal: ${goal} of bare node:http`)
}
