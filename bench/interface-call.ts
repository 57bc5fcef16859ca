import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { defineBench, type Start } from './support/frame/bench.ts'
import {
  compareReached,
  formatShares,
  measuredCells,
  measuredHead,
  type Sides,
  toRates,
} from './support/frame/cells.ts'
import { type Child, readCpuUs } from './support/frame/child.ts'
import { print, table } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { alternate, askedSide, type Side } from './support/frame/side.ts'
import { isInstalled } from './support/peers/find.ts'
import type { OpenMoleculer } from './support/peers/moleculer.ts'
import type { InterfaceCalls } from './support/scripts/interface-calls.ts'

/**
 * A solution calls another one through the interface: the argument and the answer are checked by
 * schemas, and a quota is counted in the database. Beside it the same two handlers without all of
 * that, as the limit of what the host gives; and an action of Moleculer in another process by TCP.
 */
const names = {
  alone: 'interface, a handler each, one at a time',
  each: 'interface, a handler each',
  many: 'interface, 50 of one handler',
  direct: 'no interface, a handler each',
  directMany: 'no interface, 50 of one handler',
  peer: 'Moleculer over TCP',
}

export const bench = defineBench({
  name: 'interface-call',
  title: ({ connections, rounds, seconds }) =>
    `Interface calls, ${connections} in flight, ${rounds} rounds of ${seconds} s a side`,
  options: { connections: 64 },
  goals: {
    peer: { subject: 'interface call, 64 in flight', unit: 'of Moleculer over TCP', atLeast: 1 },
    rate: { subject: 'interface call, 64 in flight', unit: 'per second' },
  },
  async measure({ given, start, database, record }) {
    const inFlight = given.connections
    const child = start('scripts/interface-calls', given.profileDir)
    await child.ask('open', await database())
    const sides = [
      side(names.alone, child, { way: 'interface', each: 1, inFlight: 1 }),
      side(names.each, child, { way: 'interface', each: 1, inFlight }),
      side(names.many, child, { way: 'interface', each: 50, inFlight }),
      side(names.direct, child, { way: 'direct', each: 1, inFlight }),
      side(names.directMany, child, { way: 'direct', each: 50, inFlight }),
      ...(isInstalled('moleculer') ? [await moleculerSide(start, inFlight)] : []),
    ]
    // The first calls are slow, and are not measured.
    for (const one of sides) await one.measure(1)
    const measured = await alternate(sides, given.rounds, given.seconds)
    report(measured)
    record('peer', compareReached(measured, names.each, { peer: names.peer }))
    const limit = { name: names.direct, perSecond: toRates(measured.get(names.direct)) }
    record('rate', { figure: toRates(measured.get(names.each)), limit })
  },
})

/** Its CPU is that of both processes. */
async function moleculerSide(start: Start, inFlight: number): Promise<Side> {
  const [service, caller] = [start('peers/moleculer'), start('peers/moleculer')]
  const ports = { service: await freePort(), caller: await freePort() }
  await service.ask('open', { role: 'service', ports } satisfies OpenMoleculer)
  await caller.ask('open', { role: 'caller', ports } satisfies OpenMoleculer)
  const { name, measure } = askedSide(names.peer, caller, 'run', { inFlight })
  return {
    name,
    async measure(seconds) {
      const before = await readCpuUs(service)
      const measured = await measure(seconds)
      const calls = measured.perSecond * seconds
      return { ...measured, cpuUs: measured.cpuUs + ((await readCpuUs(service)) - before) / calls }
    },
  }
}

/** Moleculer's nodes must know each other's ports before they listen. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A handler's wait is that of all its calls. */
function side(name: string, child: Child, asked: Omit<InterfaceCalls, 'seconds'>): Side {
  return askedSide(name, child, 'run', asked)
}

function report(measured: Sides): void {
  const rows = [...measured].map(([name, all]) => [
    name,
    ...measuredCells(all),
    formatShares(all, measured.get(names.direct)),
    formatShares(all, measured.get(names.directMany)),
  ])
  print(table([['', ...measuredHead, 'of none, each', 'of none, 50'], ...rows]))
}

if (import.meta.main) await runBench(bench)
