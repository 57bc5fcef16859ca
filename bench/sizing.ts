import { defineBench, type World } from './support/frame/bench.ts'
import { readCpuUs } from './support/frame/child.ts'
import { watchDatabase } from './support/frame/database-use.ts'
import { onePlace, print, spread, table } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { askedSide } from './support/frame/side.ts'
import { makeWriteRequests } from './support/load/device-request.ts'
import type { Load, LoadResult } from './support/load/generator.ts'
import { kibOfIdle } from './support/platform/idle-cost.ts'
import { resourceNames } from './support/platform/instance.ts'
import type { OpenedPlatform, OpenPlatform } from './support/platform/platform.ts'

/**
 * The costs of a device write, a further value, a script call, an idle connection, a device and an
 * asset: docs/operating/scaling.md computes servers and disks from them. CPU is counted until all
 * consumers have read what was written; that of PostgreSQL is of the whole server.
 */
const signals = resourceNames.length
const passSeconds = 600
const unseen = 'the processes of PostgreSQL are not seen from here'
const write = 'device write of one value, all consumers run'
const further = 'each further value of the same write'
const parts = ['Node', 'Database', 'Log', 'History'] as const
type Part = (typeof parts)[number]
/** Microseconds of CPU, and bytes. */
type Cost = Readonly<Record<Part, number>>

const goals = {
  writeNode: { subject: write, unit: 'CPU us of Node' },
  writeDatabase: { subject: write, unit: 'CPU us of PostgreSQL' },
  writeLog: { subject: write, unit: 'bytes of the log' },
  writeHistory: { subject: write, unit: 'bytes of history' },
  furtherNode: { subject: further, unit: 'CPU us of Node' },
  furtherDatabase: { subject: further, unit: 'CPU us of PostgreSQL' },
  furtherLog: { subject: further, unit: 'bytes of the log' },
  furtherHistory: { subject: further, unit: 'bytes of history' },
  script: { subject: 'script call with a service call', unit: 'CPU us' },
  idleHttp: { subject: 'idle HTTP connection', unit: 'KiB of memory' },
  idleMqtt: { subject: 'idle MQTT connection', unit: 'KiB of memory' },
  device: { subject: `device with ${signals} resources that were written`, unit: 'bytes' },
  asset: { subject: `asset with ${signals} signals that have a value`, unit: 'bytes' },
} as const
type Goal = keyof typeof goals

export const bench = defineBench({
  name: 'sizing',
  title: ({ connections, devices, idle, rounds, seconds }) =>
    `What things cost: ${devices} devices, ${connections} connections that write, ${idle} idle ` +
    `ones, ${rounds} rounds of ${seconds} s`,
  options: { connections: 256, devices: 1_000, idle: 2_000 },
  goals,
  async measure(world) {
    const figures = new Map<Goal, number[]>()
    const add: Add = (goal, figure) => {
      figures.set(goal, [...(figures.get(goal) ?? []), figure])
    }
    await measureWrites(world, add)
    await measureScripts(world, add)
    await measureIdle(world, add)
    report(figures)
    for (const [goal, figure] of figures) {
      world.record(goal, figure.some(Number.isNaN) ? unseen : { figure })
    }
  },
})

type Platforms = Pick<World<Goal, Options>, 'given' | 'start' | 'database'>
type Options = 'connections' | 'devices' | 'idle'
type Add = (goal: Goal, figure: number) => void

/** Writes one value and all values in turn, to the same devices. */
async function measureWrites(world: Platforms, add: Add): Promise<void> {
  const { connections, devices, rounds, seconds } = world.given
  const single = await openFleet(world, 1)
  const empty = await single.use.bytes()
  await single.use.close()
  const { opened, use, load } = await openFleet(world, devices)
  const makeLoad = (values: number): Load => {
    const makeValues = (at: number) =>
      resourceNames
        .slice(0, values)
        .map((name) => `${name}=${(at % 400) / 10}`)
        .join('&')
    const requests = makeWriteRequests(opened, makeValues)
    return { port: opened.port, connections, warmUpSeconds: 0, seconds, requests }
  }
  const [one, all] = [makeLoad(1), makeLoad(signals)]
  await load({ ...all, seconds: passSeconds, answersMax: devices })
  const made = await use.bytes()
  add('device', (made.devices - empty.devices) / (devices - 1))
  add('asset', (made.assets - empty.assets) / (devices - 1))
  // The first calls are slow, and are not measured.
  for (const slow of [one, all, one, all]) await load(slow)
  for (let round = 0; round < rounds; round += 1) {
    const first = await load(one)
    const more = await load(all)
    for (const part of parts) {
      add(`write${part}`, first[part])
      add(`further${part}`, (more[part] - first[part]) / (signals - 1))
    }
  }
  await use.close()
}

/** A platform with devices, and what a write of a load costs there. */
async function openFleet({ start, database }: Platforms, devices: number) {
  const server = start('platform/platform')
  const address = await database()
  const asked: OpenPlatform = { address, devices, consumers: true, signals }
  const opened = await server.ask<OpenedPlatform>('open', asked)
  const generator = start('load/generator')
  const use = await watchDatabase(address)
  const now = async (): Promise<Cost> => {
    const { log, history } = await use.bytes()
    const [node, database] = [await readCpuUs(server), await use.cpuUs()]
    return { Node: node, Database: database, Log: log, History: history }
  }
  const load = async (asked: Load): Promise<Cost> => {
    const before = await now()
    const { answers, failures } = await generator.ask<LoadResult>('run', asked)
    if (failures > 0) throw new Error(`${failures} answers were not 2xx`)
    await server.ask('caughtUp')
    const after = await now()
    const each = (part: Part) => (after[part] - before[part]) / answers
    return {
      ...{ Node: each('Node'), Database: each('Database') },
      ...{ Log: each('Log'), History: each('History') },
    }
  }
  return { opened, use, load }
}

async function measureScripts({ given, start }: Platforms, add: Add): Promise<void> {
  const host = start('scripts/script-callers')
  const side = askedSide('script host', host, 'callHost', { inFlight: 50, asks: true })
  await side.measure(1)
  for (let round = 0; round < given.rounds; round += 1) {
    add('script', (await side.measure(given.seconds)).cpuUs)
  }
}

async function measureIdle({ given, database }: Platforms, add: Add): Promise<void> {
  const parts = { database, connections: given.idle }
  for (let round = 0; round < given.rounds; round += 1) {
    add('idleHttp', await kibOfIdle(parts, 'millrace', 'alive'))
    add('idleMqtt', await kibOfIdle(parts, 'millrace', 'mqtt'))
  }
}

function report(figures: ReadonlyMap<Goal, readonly number[]>): void {
  const rows = [...figures].map(([goal, all]) => {
    const { subject, unit } = goals[goal]
    return [subject, unit, spread(all, onePlace)]
  })
  print(table([['', 'unit', 'figure'], ...rows]))
}

if (import.meta.main) await runBench(bench)
