import { readArguments } from './support/frame/arguments.ts'
import type { Child } from './support/frame/child.ts'
import { print, table, whole } from './support/frame/figures.ts'
import { measuredCells, measuredHead, runBench, sharesOf } from './support/frame/run.ts'
import { alternate, askedSide, type Measured, type Side } from './support/frame/side.ts'
import type { InterfaceCalls } from './support/platform/interface-calls.ts'

/**
 * One solution calls another through the interface: the argument and the answer are checked by
 * schemas, and a quota is counted in the database. Beside it the same two handlers without all of
 * that, as the limit of what the host gives. The goal is 14,000 calls a second.
 */
const goal = 14_000
const {
  rounds,
  seconds,
  connections: inFlight,
  engine: only,
  profileDir,
} = readArguments({ connections: 64 })

const names = {
  alone: 'interface, a handler each, one at a time',
  each: 'interface, a handler each',
  many: 'interface, 50 of one handler',
  direct: 'no interface, a handler each',
  directMany: 'no interface, 50 of one handler',
}

const title = `Interface calls, ${inFlight} in flight, ${rounds} rounds of ${seconds} s a side`
await runBench(title, only, async (engine, start) => {
  const child = start('platform/interface-calls', profileDir)
  await child.ask('open', await engine.database())
  const sides = [
    side(names.alone, child, { way: 'interface', each: 1, inFlight: 1 }),
    side(names.each, child, { way: 'interface', each: 1, inFlight }),
    side(names.many, child, { way: 'interface', each: 50, inFlight }),
    side(names.direct, child, { way: 'direct', each: 1, inFlight }),
    side(names.directMany, child, { way: 'direct', each: 50, inFlight }),
  ]
  // What is slow at first is not what is measured.
  for (const one of sides) await one.measure(1)
  report(await alternate(sides, rounds, seconds))
})

/** A handler's wait is that of all its calls. */
function side(name: string, child: Child, asked: Omit<InterfaceCalls, 'seconds'>): Side {
  return askedSide(name, child, 'run', asked)
}

function report(measured: ReadonlyMap<string, readonly Measured[]>): void {
  const rows = [...measured].map(([name, all]) => [
    name,
    ...measuredCells(all),
    sharesOf(all, measured.get(names.direct)),
    sharesOf(all, measured.get(names.directMany)),
  ])
  print(table([['', ...measuredHead, 'of none, each', 'of none, 50'], ...rows]))
  print(`goal: ${whole(goal)} calls a second`)
}
