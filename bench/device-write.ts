import { defineBench, type Given, type Start } from './support/frame/bench.ts'
import {
  compareReached,
  formatShares,
  measuredCells,
  measuredHead,
  type Sides,
} from './support/frame/cells.ts'
import { type Child, readCpuUs } from './support/frame/child.ts'
import type { Address } from './support/frame/engines.ts'
import { print, spread, table, whole } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { alternate, httpSide, type Side } from './support/frame/side.ts'
import { makeWriteRequests } from './support/load/device-request.ts'
import type { Load } from './support/load/generator.ts'
import { isInstalled } from './support/peers/find.ts'
import type { OpenNodeRed } from './support/peers/node-red.ts'
import type { Committed } from './support/platform/group-commit.ts'
import type { OpenedPlatform } from './support/platform/platform.ts'

/**
 * Device writes over HTTP, durable, beside what answers the same requests and keeps nothing, and
 * what the engine commits with no HTTP before it; and beside flows of Node-RED.
 */
const warmUpSeconds = 1
const names = {
  bare: 'bare node:http, keeps nothing',
  ours: 'device write, durable',
  logOnly: 'the same, no consumer runs',
  empty: 'write without values: HTTP and credential alone',
  append: 'group commit, no HTTP',
  insert: 'plain batched insert',
  flow: 'Node-RED, keeps nothing',
  stored: 'Node-RED, stores each value',
}

export const bench = defineBench({
  name: 'device-write',
  title: ({ connections, devices, rounds, seconds }) =>
    `Writes of ${devices} devices, ${connections} connections, ${rounds} rounds of ${seconds} s`,
  options: { connections: 256, devices: 1_000 },
  goals: {
    bare: {
      subject: 'device write, durable, all consumers run',
      unit: 'of bare node:http',
      atLeast: { embedded: 0.45, external: 0.3 },
    },
    logOnly: {
      subject: 'device write, durable, no consumer runs',
      unit: 'of bare node:http',
      atLeast: { embedded: 0.55, external: 0.4 },
    },
    http: {
      subject: 'write without values, which is HTTP and the credential alone',
      unit: 'of bare node:http',
      atLeast: 0.67,
    },
    flow: {
      subject: 'device write, durable, all consumers run',
      unit: 'of a Node-RED flow that keeps nothing',
      atLeast: 1,
    },
    stored: {
      subject: 'device write, durable, all consumers run',
      unit: 'of a Node-RED flow that stores the value',
      atLeast: 5,
    },
    behind: { subject: 'entries left to read at the end of a round', unit: 'entries' },
  },
  async measure({ given, start, database, record }) {
    const behind: number[] = []
    const sides = await openSides({ given, start, database }, behind)
    const measured = await alternate(sides, given.rounds, given.seconds)
    report(measured, behind)
    record('bare', compareReached(measured, names.ours, { limit: names.bare }))
    record('logOnly', compareReached(measured, names.logOnly, { limit: names.bare }))
    record('http', compareReached(measured, names.empty, { limit: names.bare }))
    record('flow', compareReached(measured, names.ours, { peer: names.flow }))
    record('stored', compareReached(measured, names.ours, { peer: names.stored }))
    record('behind', { figure: behind })
  },
})

type Parts = {
  readonly given: Given<'connections' | 'devices'>
  readonly start: Start
  readonly database: () => Promise<Address>
}

async function openSides({ given, start, database }: Parts, behind: number[]): Promise<Side[]> {
  const { connections, devices, profileDir } = given
  const generator = start('load/generator')
  const bare = start('peers/bare-server')
  const barePort = await bare.ask<number>('open')
  const commits = start('platform/group-commit')
  await commits.ask('open', { address: await database(), devices })
  const platformSide = async (name: string, consumers: boolean) => {
    const server = start('platform/platform', profileFor(profileDir, consumers))
    const address = await database()
    const opened = await server.ask<OpenedPlatform>('open', { address, devices, consumers })
    const load = {
      port: opened.port,
      connections,
      warmUpSeconds,
      requests: makeWriteRequests(opened),
    }
    const empty = { ...load, requests: makeWriteRequests(opened, () => '&') }
    const settle = async () => {
      const left = await server.ask<number>('settle')
      if (consumers) behind.push(left)
    }
    return {
      load,
      side: httpSide(name, { server, generator, load }, settle),
      empty: httpSide(names.empty, { server, generator, load: empty }),
    }
  }
  const ours = await platformSide(names.ours, true)
  const logOnly = await platformSide(names.logOnly, false)
  const load = { ...ours.load, port: barePort }
  return [
    httpSide(names.bare, { server: bare, generator, load }),
    ours.side,
    logOnly.side,
    logOnly.empty,
    commitSide(names.append, commits, { question: 'append', writers: connections }),
    commitSide(names.insert, commits, { question: 'insert', writers: connections }),
    ...(isInstalled('node-red') ? await nodeRedSides({ start, database }, generator, load) : []),
  ]
}

/** The same requests to flows of two Node-REDs, each alone in its process. */
async function nodeRedSides(
  { start, database }: Pick<Parts, 'start' | 'database'>,
  generator: Child,
  load: Omit<Load, 'seconds'>,
): Promise<Side[]> {
  const open = async (name: string, asked: OpenNodeRed) => {
    const server = start('peers/node-red')
    const port = await server.ask<number>('open', asked)
    return httpSide(name, { server, generator, load: { ...load, port } })
  }
  const stored: OpenNodeRed = { flow: 'store', address: await database() }
  return [await open(names.flow, { flow: 'write' }), await open(names.stored, stored)]
}

/** A folder a process: each leaves a profile of the same name. */
function profileFor(profileDir: string | undefined, consumers: boolean): string | undefined {
  if (profileDir === undefined) return undefined
  return `${profileDir}/${consumers ? 'consuming' : 'log-only'}`
}

function commitSide(
  name: string,
  child: Child,
  { question, writers }: { readonly question: 'append' | 'insert'; readonly writers: number },
): Side {
  return {
    name,
    async measure(seconds) {
      const before = await readCpuUs(child)
      const committed = await child.ask<Committed>(question, { writers, seconds })
      const cpuUs = ((await readCpuUs(child)) - before) / committed.rows
      return { perSecond: committed.perSecond, cpuUs, p50Ms: Number.NaN, p99Ms: Number.NaN }
    },
  }
}

function report(measured: Sides, behind: readonly number[]): void {
  const rows = [...measured].map(([name, all]) => [
    name,
    ...measuredCells(all),
    formatShares(all, measured.get(names.bare)),
    formatShares(all, measured.get(names.append)),
  ])
  print(table([['', ...measuredHead, 'of bare', 'of group commit'], ...rows]))
  print(`entries that the consumers had still to read at a round's end: ${spread(behind, whole)}`)
}

if (import.meta.main) await runBench(bench)
